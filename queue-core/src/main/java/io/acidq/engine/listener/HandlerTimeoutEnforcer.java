package io.acidq.engine.listener;

import io.acidq.HandlerTimeoutException;
import io.acidq.config.Listener;
import io.acidq.engine.loop.PeriodicTask;
import io.acidq.store.ClaimedMessage;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The task that enforces the handler timeout of one listener. It interrupts the thread of a handler that runs too long.
 * After a grace period it breaks the handler's connection, and after another one it gives the execution up and replaces
 * the thread. When such a thread continues later, the fence rejects its acknowledgement.
 */
final class HandlerTimeoutEnforcer implements PeriodicTask {

    private final Listener<?> listener;
    private final Worker worker;
    private final WorkerPool pool;
    private final BatchExecutor<?> executor;
    private final OutcomeRecorder recorder;
    private final LongSupplier nanoTime;
    private final long limit;
    private final long grace;

    HandlerTimeoutEnforcer(
            Listener<?> listener,
            Duration limit,
            Worker worker,
            WorkerPool pool,
            BatchExecutor<?> executor,
            OutcomeRecorder recorder,
            LongSupplier nanoTime) {
        this.listener = listener;
        this.worker = worker;
        this.pool = pool;
        this.executor = executor;
        this.recorder = recorder;
        this.nanoTime = nanoTime;
        this.limit = limit.toNanos();
        this.grace = listener.options().grace().toNanos();
    }

    @Override
    public String name() {
        return "handler-timeout-" + listener.queue();
    }

    @Override
    public Duration runOnce() {
        long next = limit;
        for (Execution execution : worker.executions()) {
            Execution.TimeoutCheck timeoutCheck = execution.checkTimeout(nanoTime.getAsLong(), limit, grace);
            if (timeoutCheck.connectionAborter() != null) {
                timeoutCheck.connectionAborter().run();
            }
            if (timeoutCheck.mustGiveUp() && execution.giveUp()) {
                endGivenUp(execution);
            }
            next = Math.min(next, timeoutCheck.nanosLeft());
        }
        return Duration.ofNanos(next);
    }

    /**
     * Ends the messages of an execution that was given up: the one whose call hangs has failed, the others are
     * requeued.
     */
    private void endGivenUp(Execution givenUp) {
        ClaimedMessage overdue = givenUp.overdueMessage();
        if (overdue == null) {
            executor.isolate(givenUp.messages());
        }
        try {
            for (ClaimedMessage message : givenUp.messages()) {
                if (message.equals(overdue)) {
                    worker.messageEnded(
                            message,
                            recorder.recordTimeout(givenUp, message, null),
                            Duration.ofNanos(nanoTime.getAsLong() - givenUp.startNanos()));
                } else {
                    recorder.requeue(
                            message,
                            new HandlerTimeoutException(
                                    listener.queue(), listener.options().timeout(), null));
                }
            }
        } catch (RuntimeException e) {
            recorder.leaveToReconciler(givenUp.messages());
            throw e;
        } finally {
            worker.abandon(givenUp);
            pool.replace(givenUp.thread());
        }
    }
}
