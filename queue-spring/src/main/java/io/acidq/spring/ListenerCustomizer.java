package io.acidq.spring;

import io.acidq.config.Listener;

/**
 * Customizes each {@link QueueListener} before it is passed to its engine, so that configuration can override the annotation.
 *
 * <p>Each bean of this type is called at startup, once for each queue of each listener, in the order of the beans. An exception fails the start.
 */
@FunctionalInterface
public interface ListenerCustomizer {

    /**
     * Customizes a listener.
     *
     * @param listener the listener as declared by the annotation and changed by preceding customizers
     * @return the listener to use: the same one, or a changed copy
     */
    <T> Listener<T> customize(Listener<T> listener);
}
