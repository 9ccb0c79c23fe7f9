package io.acidq.admin;

import io.acidq.MessageId;
import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The failed attempts of messages, which engines record for {@link io.acidq.config.Retention#attempts}. A node records at most 50 a second of each queue, so that a storm
 * of failures costs little; the others are counted as not recorded. Thread-safe.
 */
public interface Attempts {

    /** The most attempts that {@link #of} returns. */
    int MAX_ATTEMPTS = 1_000;

    /**
     * Returns the failed attempts of a message, also of one that has ended.
     *
     * @throws QueueMisuseException    when the queue does not exist
     * @throws TransientQueueException when the database could not do it now
     */
    FailedAttempts of(MessageId id);

    /**
     * The failed attempts of a message.
     *
     * @param attempts    those that are recorded, the oldest first
     * @param notRecorded how many more of its attempts have failed, as far as its row tells: they were too many in a second, are older than the retention time, or were
     *                    made before a replay. 0 for a message that has ended and is not kept
     */
    record FailedAttempts(List<Attempt> attempts, int notRecorded) {

        public FailedAttempts {
            attempts = List.copyOf(attempts);
        }
    }

    /**
     * A failed attempt.
     *
     * @param claimNo   the number of its claim: it rises from attempt to attempt of a message
     * @param node      the number of the node
     * @param startedAt when it started, by the database's clock
     * @param endedAt   when its end was recorded
     * @param dead      whether the message became a dead letter by it
     * @param retryAt   when the message was to run again; empty for a dead letter
     * @param error     the error, at most 2,000 characters: a longer one lost its middle
     * @param cause     equal for equal errors, as in {@link DeadLetter#cause}
     */
    record Attempt(
            int claimNo,
            int node,
            Instant startedAt,
            Instant endedAt,
            boolean dead,
            Optional<Instant> retryAt,
            String error,
            String cause) {}
}
