package io.acidq.spring;

import io.acidq.config.Listener;

/**
 * Has the last word on each {@link QueueListener} before the engine gets it, so that configuration can overrule the annotation. Beans of
 * this type are called once for each listener at start, in their order. What it throws fails the start.
 */
@FunctionalInterface
public interface ListenerCustomizer {

    /** Returns the listener to use: the one given, or a changed copy. */
    <T> Listener<T> customize(Listener<T> listener);
}
