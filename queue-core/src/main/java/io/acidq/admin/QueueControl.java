package io.acidq.admin;

import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;

/**
 * What operators do to whole queues. Thread-safe; needs no listener of the queue in this engine.
 *
 * <p>Every change is a short transaction of its own at READ COMMITTED, apart from any of the caller's: a compare-and-set, recorded in the
 * audit table (see {@link AuditLog}) by the same transaction. What the database could not do now comes as {@link TransientQueueException}.
 */
public interface QueueControl {

    /**
     * Pauses a queue until it is resumed, whatever is restarted meanwhile. This engine claims and starts nothing of it from here on, every
     * other within about a second; what is claimed and has not started is given back with its attempt, handlers that run finish. Messages are
     * enqueued as before, and wait.
     *
     * @param who the operator's name, 1 to 100 characters
     * @param why the reason, 1 to 500 characters
     * @return whether this call did it; false when the queue was paused already
     * @throws QueueMisuseException when there is no such queue
     */
    boolean pause(String queue, String who, String why);

    /**
     * Ends the pause of a queue: this engine claims from it at once, every other within about a second.
     *
     * @param who the operator's name, 1 to 100 characters
     * @param why the reason, 1 to 500 characters
     * @return whether this call did it; false when the queue was not paused
     * @throws QueueMisuseException when there is no such queue
     */
    boolean resume(String queue, String who, String why);

    /**
     * Whether a queue is paused, by the database's word.
     *
     * @throws QueueMisuseException when there is no such queue
     */
    boolean isPaused(String queue);
}
