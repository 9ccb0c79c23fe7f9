package io.acidq.admin;

import io.acidq.MessageId;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A message whose retries are exhausted or whose failure is permanent, kept with its bytes until it is replayed or
 * discarded.
 *
 * @param id          the message
 * @param key         its message key
 * @param orderingKey its ordering key
 * @param type        the logical name of the payload's type
 * @param payload     the encoded payload
 * @param headers     the headers; empty when those in the row can not be read
 * @param attempts    starts that counted against the maximum
 * @param crashes      starts that ended with the death of their process
 * @param mark        the last error
 * @param fingerprint the cause in 16 hexadecimal digits, equal for equal causes: see {@link DeadLetterGroup}
 * @param diedAt      when it became a dead letter, by the database's clock
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
        String mark,
        String fingerprint,
        Instant diedAt) {}
