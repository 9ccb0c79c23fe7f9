package io.acidq.engine.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.ClaimedMessage;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ExecutionTest {

    private final ClaimedMessage message = SimulatedRow.message(1, 1, null, 0);
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final Execution execution =
            new Execution(List.of(message), Map.of(), 0, () -> true, stopping::get, m -> {});

    @AfterEach
    void clear() {
        Thread.interrupted();
    }

    @Test
    void interruptsACallAtAStopButNotTheCodeAfterIt() {
        begin();
        stop();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();

        execution.endCall();

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    /** The interrupt closed the connection of the acknowledgement, and an external handler did its work again. */
    @Test
    void doesNotInterruptAnAcknowledgementAtAStop() {
        begin();
        execution.endCall();

        stop();

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void interruptsAnAttemptAtAStopAndTheCallsAfterIt() {
        execution.beginAttempt();
        stop();
        assertThat(Thread.interrupted()).isTrue();

        begin();

        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void endsOnceByItsWorkerOrByTheEnforcer() {
        assertThat(execution.finish()).isTrue();
        assertThat(execution.giveUp()).isFalse();
        assertThat(execution.isGivenUp()).isFalse();

        Execution hanging = new Execution(List.of(message), Map.of(), 0, () -> true, stopping::get, m -> {});
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
