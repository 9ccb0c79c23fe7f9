package io.acidq.admin;

import io.acidq.MessageId;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A done message in the {@link Archive}.
 *
 * @param id          the id of the message
 * @param key         its message key
 * @param orderingKey its ordering key
 * @param type        the logical name of the payload's type
 * @param payload     the encoded payload
 * @param headers     the headers; empty when the stored text cannot be read
 * @param attempts    the attempts that counted, including the successful one
 * @param crashes     the runs that ended with a crash of their process
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
