package io.acidq.spring;

import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * The thread factory of the workers. The Spring Boot starter registers one for virtual threads if {@code spring.threads.virtual.enabled} is
 * set; an application can define a bean of its own.
 *
 * <p>Virtual threads are cheap, but connections are not. If the number of connections is given, the workers of the main engine's listeners are
 * limited to it, less {@link #RESERVED_CONNECTIONS}, and each reduction is logged.
 *
 * @param factory     creates the threads of the workers; several threads call it at the same time
 * @param connections the size of the main engine's connection pool, at least {@link #RESERVED_CONNECTIONS} and one for each listener that is not in
 *                    external mode, or the start fails with {@link io.acidq.QueueMisuseException}; null if it is unknown, and then workers are not
 *                    limited
 */
public record WorkerThreads(ThreadFactory factory, @Nullable Integer connections) {

    /** The connections of the pool that workers do not use: for the heartbeat, claims, tasks of the engine, and callers that enqueue. */
    public static final int RESERVED_CONNECTIONS = 4;
}
