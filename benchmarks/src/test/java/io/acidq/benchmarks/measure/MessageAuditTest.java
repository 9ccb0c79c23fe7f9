package io.acidq.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class MessageAuditTest {

    @Test
    void whatIsNeitherDoneNorThereIsLost() {
        assertThat(roll(new long[] {0, 2, 3}, 4).audit(true)).isEqualTo(new RunAudit(5, 3, 1, 1, 0, true));
    }

    @Test
    void aSecondEffectMakesUpForNoLoss() {
        assertThat(roll(new long[] {0, 1, 2, 3, 3}).audit(true)).isEqualTo(new RunAudit(5, 5, 0, 1, 1, true));
    }

    @Test
    void whatIsDoneAndStillThereMakesUpForNoLoss() {
        assertThat(roll(new long[] {0, 1, 2}, 2, 4).audit(true)).isEqualTo(new RunAudit(5, 3, 2, 1, 1, true));
    }

    @Test
    void whatIsThereTwiceMakesUpForNoLoss() {
        assertThat(roll(new long[0], 0, 1, 2, 2, 3).audit(true)).isEqualTo(new RunAudit(5, 0, 5, 1, 1, true));
    }

    @Test
    void whatNobodyHasPlacedIsOneTooMany() {
        assertThat(roll(new long[] {0, 1, 2, 3, 4, 5, -1}).audit(true)).isEqualTo(new RunAudit(5, 7, 0, 0, 2, true));
    }

    @Test
    void aMessageWithoutItsRowAndARowWithoutItsMessageAreLost() {
        MessageAudit messages = roll(new long[0], 0, 1, 2, 3);
        MessageAudit rows = roll(new long[0], 1, 2, 3, 4, 4);

        assertThat(messages.auditWith(rows, true)).isEqualTo(new RunAudit(5, 0, 4, 2, 1, true));
        assertThat(messages.audit(true)).isEqualTo(new RunAudit(5, 0, 4, 1, 0, true));
    }

    /** Of five messages. */
    private static MessageAudit roll(long[] effects, long... left) {
        MessageAudit messageAudit = new MessageAudit(5);
        LongStream.of(effects).forEach(messageAudit::effect);
        LongStream.of(left).forEach(messageAudit::left);
        return messageAudit;
    }
}
