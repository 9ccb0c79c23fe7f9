package io.acidq.spring;

import io.acidq.admin.ListenerControl;
import java.util.List;
import java.util.Set;

/**
 * Registry of the {@link QueueListener}s of the application by id, which starts, stops, pauses and resumes them. A bean of this type is
 * registered.
 *
 * <p>It affects this process only, and its calls are not recorded in the audit log. To pause a queue on all nodes, use {@link
 * io.acidq.admin.QueueControl}. Thread-safe.
 */
public interface QueueListenerRegistry {

    /** Returns the ids of all listeners, including those that have not been started. */
    Set<String> ids();

    /**
     * Returns the queues that a listener serves.
     *
     * @throws io.acidq.QueueMisuseException if there is no listener with this id
     */
    List<String> queues(String id);

    /**
     * Returns the control of a listener, which acts on all its queues.
     *
     * @throws io.acidq.QueueMisuseException if there is no listener with this id
     */
    ListenerControl listener(String id);

    /**
     * Starts a listener: see {@link ListenerControl#start}.
     *
     * @throws io.acidq.QueueMisuseException if there is no listener with this id
     */
    default void start(String id) {
        listener(id).start();
    }

    /**
     * Stops a listener and waits for its handlers: see {@link ListenerControl#stop()}.
     *
     * @return true if all handlers finished by themselves; false if some were interrupted at the end of the engine's stop timeout
     * @throws io.acidq.QueueMisuseException if there is no listener with this id
     */
    default boolean stop(String id) {
        return listener(id).stop();
    }

    /**
     * Pauses a listener: see {@link ListenerControl#pause}.
     *
     * @throws io.acidq.QueueMisuseException if there is no listener with this id
     */
    default void pause(String id) {
        listener(id).pause();
    }

    /**
     * Resumes a paused listener: see {@link ListenerControl#resume}.
     *
     * @throws io.acidq.QueueMisuseException if there is no listener with this id
     */
    default void resume(String id) {
        listener(id).resume();
    }
}
