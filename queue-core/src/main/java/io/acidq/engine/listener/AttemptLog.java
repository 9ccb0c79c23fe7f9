package io.acidq.engine.listener;

import io.acidq.Outcome;
import io.acidq.store.ClaimStore.FailedAttempt;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which failed attempts of a queue are recorded. Limits their number in a second, and records none after the database has refused a record for good.
 * Thread-safe.
 */
final class AttemptLog {

    private static final Logger log = LoggerFactory.getLogger("io.acidq");

    /** The maximum number of failed attempts of the queue that this node records in a second. */
    private static final int ATTEMPTS_PER_SECOND = 50;

    private static final long SECOND_NANOS = 1_000_000_000;

    private final String queue;
    private final LongSupplier nanoTime;
    private volatile boolean enabled;
    private long secondStart; // guarded by this, as the next
    private int attemptsInSecond;

    AttemptLog(String queue, LongSupplier nanoTime, boolean enabled) {
        this.queue = queue;
        this.nanoTime = nanoTime;
        this.enabled = enabled;
    }

    /** Returns the record of a failed attempt. Null for other outcomes, without an execution, and for those beyond the limit of a second. */
    @Nullable
    FailedAttempt of(Outcome outcome, @Nullable Execution execution) {
        String error = outcome instanceof Outcome.Retry again
                ? again.error()
                : outcome instanceof Outcome.Dead dead ? dead.error() : null;
        if (!enabled || execution == null || error == null || !isWithinLimit()) {
            return null;
        }
        return new FailedAttempt(Duration.ofNanos(nanoTime.getAsLong() - execution.startNanos()), error);
    }

    /** Records no attempt from now on, because the table or the privilege is missing. */
    void disable(RuntimeException refusal) {
        enabled = false;
        log.warn("failed attempts of queue {} are not recorded from now on", queue, refusal);
    }

    private synchronized boolean isWithinLimit() {
        long now = nanoTime.getAsLong();
        if (attemptsInSecond == 0 || now - secondStart >= SECOND_NANOS) {
            secondStart = now;
            attemptsInSecond = 0;
        }
        return ++attemptsInSecond <= ATTEMPTS_PER_SECOND;
    }
}
