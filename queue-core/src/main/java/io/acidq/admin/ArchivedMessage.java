package io.acidq.admin;

import io.acidq.MessageId;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A message that is done, of a queue that keeps such.
 *
 * @param id          the message
 * @param key         its message key
 * @param orderingKey its ordering key
 * @param type        the logical name of the payload's type
 * @param payload     the encoded payload
 * @param headers     the headers; empty when those in the row can not be read
 * @param attempts    starts that counted against the maximum, the one that did it included
 * @param crashes      starts that ended with the death of their process
 * @param enqueuedAt  when it was enqueued, by the database's clock
 * @param doneAt      when it was done, by the database's clock
 */
public record ArchivedMessage(
        MessageId id,
        Optional<String> key,
        Optional<String> orderingKey,
        String type,
        byte[] payload,
        Map<String, String> headers,
        int attempts,
        int crashes,
        Instant enqueuedAt,
        Instant doneAt) {}
