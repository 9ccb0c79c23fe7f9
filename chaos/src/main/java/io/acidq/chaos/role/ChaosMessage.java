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
 */
public record ChaosMessage(String key, @Nullable String lane, long seq, HandlerAction action, long dueIn) {}
