package io.acidq.test;

import io.acidq.MessageId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A message that is neither completed nor dead.
 *
 * @param id          its id
 * @param key         its message key
 * @param orderingKey its ordering key
 * @param type        the logical name of its payload's type
 * @param headers     its headers
 * @param payload     its payload, encoded
 * @param attempts    its counted attempts
 * @param enqueuedAt  when it was enqueued, by the database's clock
 * @param dueAt       when it is due, by the database's clock
 * @param dueIn       the time until it is due, by the database's clock; zero or negative if it is due
 */
public record EnqueuedMessage(
        MessageId id,
        Optional<String> key,
        Optional<String> orderingKey,
        String type,
        Map<String, String> headers,
        byte[] payload,
        int attempts,
        Instant enqueuedAt,
        Instant dueAt,
        Duration dueIn) {}
