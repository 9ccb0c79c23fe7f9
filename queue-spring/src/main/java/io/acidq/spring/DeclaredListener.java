package io.acidq.spring;

import io.acidq.config.Listener;

/**
 * One queue of a {@link QueueListener}.
 *
 * @param id       of the annotation: that of all its queues
 * @param engine   the name of the engine that runs it
 * @param listener what it is to the engine
 * @param method   where it is declared
 * @param starts   whether it starts with the engine
 */
record DeclaredListener(String id, String engine, Listener<?> listener, ListenerMethod method, boolean starts) {

    String queue() {
        return listener.queue();
    }
}
