package io.acidq.chaos.role;

import org.jspecify.annotations.Nullable;

/**
 * The payload of the messages.
 *
 * @param key     the message key: one errand of one producer
 * @param lane    the ordering key, or null
 * @param seq     rises with each errand of a producer, so that order can be told
 * @param action    what its handler does besides
 * @param dueIn   milliseconds from its enqueue to its due time
 */
public record ChaosMessage(String key, @Nullable String lane, long seq, HandlerAction action, long dueIn) {}
