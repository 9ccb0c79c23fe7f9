package io.acidq.admin;

import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;

/**
 * Pauses and resumes queues on all nodes. Thread-safe; the engine needs no listener for the queue.
 *
 * <p>Each change is a short transaction of its own at READ COMMITTED, independent of a transaction of the caller. It is a compare-and-set, and the same
 * transaction records it in the {@link AuditLog}. All methods throw {@link TransientQueueException} when the database could not do it now.
 */
public interface QueueControl {

    /**
     * Pauses a queue until it is resumed; the pause survives restarts. This engine stops claiming and starting its messages at once, other nodes within
     * about a second. Messages that are claimed and not started are requeued without counting an attempt; running handlers finish. Messages can be enqueued
     * as before, and wait.
     *
     * @param operator who does it, and why
     * @return whether this call paused the queue; false when it was paused already
     * @throws QueueMisuseException when the queue does not exist
     */
    boolean pause(String queue, Operator operator);

    /**
     * Resumes a queue. This engine claims its messages at once, other nodes within about a second.
     *
     * @param operator who does it, and why
     * @return whether this call resumed the queue; false when it was not paused
     * @throws QueueMisuseException when the queue does not exist
     */
    boolean resume(String queue, Operator operator);

    /**
     * Whether a queue is paused; reads the database.
     *
     * @throws QueueMisuseException when the queue does not exist
     */
    boolean isPaused(String queue);
}
