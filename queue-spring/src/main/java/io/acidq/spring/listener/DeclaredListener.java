package io.acidq.spring.listener;

import io.acidq.config.Listener;

/**
 * One queue of a {@link io.acidq.spring.QueueListener}.
 *
 * @param id       of the annotation, the same for all its queues
 * @param engine   the name of the engine that runs it
 * @param listener the listener, as the engine knows it
 * @param method   where it is declared
 * @param autoStartup   whether it starts with the engine
 */
record DeclaredListener(String id, String engine, Listener<?> listener, AnnotatedMethod method, boolean autoStartup) {

    String queue() {
        return listener.queue();
    }
}
