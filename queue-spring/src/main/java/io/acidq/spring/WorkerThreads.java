package io.acidq.spring;

import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * How the threads of the workers are made, a bean: the starter makes one of virtual threads when the application asks for them. Such threads
 * cost nearly nothing, connections do: so the main engine runs no more at once than its pool has connections for, and says in the log when it cuts.
 *
 * @param factory     makes them
 * @param connections how many connections the pool of the main engine has; null when that is unknown, and then nothing is cut
 */
public record WorkerThreads(ThreadFactory factory, @Nullable Integer connections) {

    /** Connections for the heartbeat, for claims, for the other work of the engine, and for the callers that enqueue. */
    public static final int KEPT_FREE = 4;
}
