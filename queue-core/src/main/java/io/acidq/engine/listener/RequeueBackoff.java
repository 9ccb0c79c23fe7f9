package io.acidq.engine.listener;

import io.acidq.store.ClaimedMessage;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The waits of messages that are requeued without counting an attempt: 5 ms at first, doubled with each such claim up to 2.5 s, and up to 20 s for a message
 * whose handler has often failed by transient errors. It counts these failures for the latest 1,000 messages. Thread-safe.
 */
final class RequeueBackoff {

    private static final long FIRST_WAIT_MILLIS = 5;
    private static final int MAX_SHIFT = 9;

    /** The number of transient failures after which the wait grows further. */
    private static final int FAILURES_BEFORE_LONGER_WAIT = 10;

    private static final int MAX_FURTHER_SHIFT = 3;
    private static final int MAX_COUNTED_MESSAGES = 1000;

    /** The number of transient failures of a message here. Guarded by itself. */
    private final Map<UUID, Integer> failures = new LinkedHashMap<>();

    /** Counts a transient failure, and returns how many this message has had here. */
    int countFailure(ClaimedMessage message) {
        synchronized (failures) {
            int times = 1;
            Integer before = failures.remove(message.uid()); // it becomes the latest
            if (before != null) {
                times += before;
            }
            failures.put(message.uid(), times);
            if (failures.size() > MAX_COUNTED_MESSAGES) {
                failures.remove(failures.keySet().iterator().next());
            }
            return times;
        }
    }

    /** Returns the wait before the next run of a requeued message: between half of the longest wait and all of it. */
    static Duration waitOf(ClaimedMessage message, int transientFailures) {
        long longest = longestWaitMillis(claimsWithoutAttempt(message), transientFailures);
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(longest / 2, longest + 1));
    }

    static long longestWaitMillis(int claimsWithoutAttempt, int transientFailures) {
        int further = Math.max(0, Math.min(transientFailures - FAILURES_BEFORE_LONGER_WAIT, MAX_FURTHER_SHIFT));
        return FIRST_WAIT_MILLIS << (Math.min(claimsWithoutAttempt, MAX_SHIFT) + further);
    }

    /** Returns the number of earlier claims of a message that counted neither as an attempt nor as a crash. */
    static int claimsWithoutAttempt(ClaimedMessage message) {
        return Math.max(0, message.claim().claimNo() - message.attempts() - message.crashes());
    }
}
