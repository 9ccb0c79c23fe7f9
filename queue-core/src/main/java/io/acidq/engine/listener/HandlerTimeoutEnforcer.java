package io.acidq.engine.listener;

import io.acidq.HandlerTimeoutException;
import io.acidq.config.Listener;
import io.acidq.engine.loop.PeriodicTask;
import io.acidq.store.ClaimedMessage;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The task that enforces the handler timeout and the deadlines of one listener. It interrupts the thread of a handler that runs too long.
 * After a grace period it breaks the handler's connection, and after another one it gives the execution up and replaces
 * the thread. When such a thread continues later, the fence rejects its acknowledgement.
 */
final class HandlerTimeoutEnforcer implements PeriodicTask {

    /** How often a listener with deadlines is checked: a call that begins now may have little time left. */
    private static final long BETWEEN_DEADLINES = Duration.ofMillis(100).toNanos();

    private final Listener<?> listener;
    private final Worker worker;
    private final WorkerPool pool;
    private final BatchExecutor<?> executor;
    private final OutcomeRecorder recorder;
    private final LongSupplier nanoTime;
    private final long limit;
    private final boolean deadline;
    private final long grace;

    HandlerTimeoutEnforcer(
            Listener<?> listener,
            @Nullable Duration limit,
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
        this.limit = limit == null ? Execution.MAX_LIMIT : limit.toNanos();
        this.deadline = listener.options().deadline();
        this.grace = listener.options().grace().toNanos();
    }

    @Override
    public String name() {
        return "handler-timeout-" + listener.queue();
    }

    @Override
    public Duration runOnce() {
        long next = deadline ? Math.min(limit, BETWEEN_DEADLINES) : limit;
        for (Execution execution : worker.executions()) {
            Execution.TimeoutCheck timeoutCheck = execution.checkTimeout(nanoTime.getAsLong(), limit, deadline, grace);
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
