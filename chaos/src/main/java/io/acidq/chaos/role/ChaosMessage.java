package io.acidq.chaos.role;

import org.jspecify.annotations.Nullable;

/**
 * The payload of the messages.
 *
 * @param key    the message key
 * @param lane   the ordering key, or null
 * @param seq    rises with each message of a producer, so that the order can be checked
 * @param action of its handler
 * @param dueIn  milliseconds from the enqueue to the due time
 * @param expiresIn milliseconds from the due time to the expiry; 0 if it does not expire
 */
public record ChaosMessage(
        String key, @Nullable String lane, long seq, HandlerAction action, long dueIn, long expiresIn) {}
