package io.acidq.admin;

import io.acidq.MessageId;
import io.acidq.admin.DeadLetters.DeadLetterGroup;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A message that failed for good, because its retries were exhausted or its failure is permanent. It is kept with its payload until it is replayed,
 * discarded or removed by the retention of its queue.
 *
 * @param id          the id of the message
 * @param key         its message key
 * @param orderingKey its ordering key
 * @param type        the logical name of the payload's type
 * @param payload     the encoded payload
 * @param headers     the headers; empty when the stored text cannot be read
 * @param attempts    the attempts that counted
 * @param crashes     the runs that ended with a crash of their process
 * @param error       the last error: types and messages from the outermost exception to the root cause, without stack traces, or the error that the
 *                    handler gave. At most 100,000 characters; a longer error lost its middle
 * @param cause       what its error has in common with others, as 16 hexadecimal digits; see {@link DeadLetterGroup}
 * @param diedAt      when it became a dead letter, by the database's clock
 * @param expiresAt   when the message expires or expired, by the database's clock; empty when it does not expire
 */
public record DeadLetter(
        MessageId id,
        Optional<String> key,
        Optional<String> orderingKey,
        String type,
        byte[] payload,
        Map<String, String> headers,
        int attempts,
        int crashes,
        String error,
        String cause,
        Instant diedAt,
        Optional<Instant> expiresAt) {}
