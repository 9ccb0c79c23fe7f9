package io.acidq.admin;

import io.acidq.MessageId;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A message as it lies in the database, without what it carries: that is {@link Messages#content}.
 *
 * @param id          the message
 * @param state       what it does
 * @param key         its message key
 * @param orderingKey its ordering key
 * @param type        the logical name of the payload's type
 * @param size        bytes of the payload
 * @param attempts    starts that counted against the maximum
 * @param crashes      starts that ended with the death of their process
 * @param node        the node that has claimed it
 * @param enqueuedAt  when it was enqueued, by the database's clock
 * @param dueAt       when it is or was due, by the database's clock; of a dead letter, when it died
 */
public record StoredMessage(
        MessageId id,
        MessageState state,
        Optional<String> key,
        Optional<String> orderingKey,
        String type,
        int size,
        int attempts,
        int crashes,
        OptionalInt node,
        Instant enqueuedAt,
        Instant dueAt) {}
