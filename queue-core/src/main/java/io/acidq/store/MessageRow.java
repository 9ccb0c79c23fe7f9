package io.acidq.store;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message to be inserted.
 *
 * @param queue    the queue's number
 * @param lane     its lane
 * @param uid      its unique number
 * @param key      its message key
 * @param orderingKey its ordering key, or null
 * @param type     the logical name of the payload's type
 * @param headers  its headers, encoded
 * @param payload  its payload, encoded
 * @param due      when it is due
 */
public record MessageRow(
        int queue,
        int lane,
        UUID uid,
        @Nullable String key,
        @Nullable String orderingKey,
        String type,
        String headers,
        byte[] payload,
        Due due) {}
