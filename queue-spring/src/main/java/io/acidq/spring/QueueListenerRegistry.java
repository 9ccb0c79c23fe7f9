package io.acidq.spring;

import io.acidq.admin.ListenerControl;
import java.util.List;
import java.util.Set;

/**
 * The {@link QueueListener}s of the application, by id: a bean. What is done here is done in this process alone and not recorded; {@link
 * io.acidq.admin.QueueControl} pauses a queue on all nodes. Thread-safe.
 */
public interface QueueListenerRegistry {

    /** The ids of all listeners, those that were not started too. */
    Set<String> ids();

    /**
     * The queues that a listener serves.
     *
     * @throws io.acidq.QueueMisuseException when there is no listener of that id
     */
    List<String> queues(String id);

    /**
     * Pauses, resumes, stops and starts a listener, with all its queues.
     *
     * @throws io.acidq.QueueMisuseException when there is no listener of that id
     */
    ListenerControl listener(String id);

    /** As {@link ListenerControl#start}. */
    default void start(String id) {
        listener(id).start();
    }

    /** As {@link ListenerControl#stop()}. */
    default boolean stop(String id) {
        return listener(id).stop();
    }

    /** As {@link ListenerControl#pause}. */
    default void pause(String id) {
        listener(id).pause();
    }

    /** As {@link ListenerControl#resume}. */
    default void resume(String id) {
        listener(id).resume();
    }
}
