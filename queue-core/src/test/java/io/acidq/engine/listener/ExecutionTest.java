package io.acidq.engine.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ExecutionTest {

    private final ClaimedMessage message = new ClaimedMessage(
            new Claim(1, 0, 1, new UUID(0, 1), 7, 1),
            1,
            new UUID(0, 1),
            null,
            null,
            "T",
            "",
            new byte[0],
            1,
            0,
            Instant.EPOCH,
            Instant.EPOCH,
            Duration.ZERO);
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final Execution execution = new Execution(List.of(message), Map.of(), 0, () -> true, stopping::get);

    @AfterEach
    void clear() {
        Thread.interrupted();
    }

    @Test
    void aStopInterruptsACallAndNotTheCodeAfterIt() {
        begin();
        stop();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();

        execution.endCall();

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    /** An external handler was done, and the interrupt closed the connection of its acknowledgement: it was done again. */
    @Test
    void aStopLetsAnAcknowledgementThrough() {
        begin();
        execution.endCall();

        stop();

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void aStopInterruptsWhatHasBegunAndTheCallsAfterIt() {
        execution.beginAttempt();
        stop();
        assertThat(Thread.interrupted()).isTrue();

        begin();

        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void isEndedByItsWorkerOrByTheEnforcerWhicheverIsFirst() {
        assertThat(execution.finish()).isTrue();
        assertThat(execution.giveUp()).isFalse();
        assertThat(execution.isGivenUp()).isFalse();

        Execution hanging = new Execution(List.of(message), Map.of(), 0, () -> true, stopping::get);
        assertThat(hanging.giveUp()).isTrue();
        assertThat(hanging.finish()).isFalse();
        assertThat(hanging.isGivenUp()).isTrue();
    }

    private void begin() {
        execution.beginCall(List.of(message), null, 0);
    }

    private void stop() {
        stopping.set(true);
        execution.interrupt();
    }
}
