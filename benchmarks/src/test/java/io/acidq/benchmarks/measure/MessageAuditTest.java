package io.acidq.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.benchmarks.measure.MessageAudit.RunAudit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class MessageAuditTest {

    @Test
    void aMessageThatIsNeitherDoneNorLeftIsLost() {
        assertThat(auditOf(new long[] {0, 2, 3}, 4).audit(true)).isEqualTo(new RunAudit(5, 3, 1, 1, 0, true));
    }

    @Test
    void aSecondEffectDoesNotHideALoss() {
        assertThat(auditOf(new long[] {0, 1, 2, 3, 3}).audit(true)).isEqualTo(new RunAudit(5, 5, 0, 1, 1, true));
    }

    @Test
    void aMessageThatIsDoneAndLeftDoesNotHideALoss() {
        assertThat(auditOf(new long[] {0, 1, 2}, 2, 4).audit(true)).isEqualTo(new RunAudit(5, 3, 2, 1, 1, true));
    }

    @Test
    void aMessageThatIsLeftTwiceDoesNotHideALoss() {
        assertThat(auditOf(new long[0], 0, 1, 2, 2, 3).audit(true)).isEqualTo(new RunAudit(5, 0, 5, 1, 1, true));
    }

    @Test
    void aMessageThatWasNeverSentIsADuplicate() {
        assertThat(auditOf(new long[] {0, 1, 2, 3, 4, 5, -1}).audit(true)).isEqualTo(new RunAudit(5, 7, 0, 0, 2, true));
    }

    @Test
    void aMessageWithoutItsRowAndARowWithoutItsMessageAreLost() {
        MessageAudit messages = auditOf(new long[0], 0, 1, 2, 3);
        MessageAudit rows = auditOf(new long[0], 1, 2, 3, 4, 4);

        assertThat(messages.auditWith(rows, true)).isEqualTo(new RunAudit(5, 0, 4, 2, 1, true));
        assertThat(messages.audit(true)).isEqualTo(new RunAudit(5, 0, 4, 1, 0, true));
    }

    /** An audit of five messages. */
    private static MessageAudit auditOf(long[] effects, long... left) {
        MessageAudit messageAudit = new MessageAudit(5);
        LongStream.of(effects).forEach(messageAudit::addEffect);
        LongStream.of(left).forEach(messageAudit::addRemaining);
        return messageAudit;
    }
}
