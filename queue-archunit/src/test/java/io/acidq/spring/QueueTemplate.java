package io.acidq.spring;

/** The shape of the typed template. */
public interface QueueTemplate<T> {
    void enqueue(T payload);
}
