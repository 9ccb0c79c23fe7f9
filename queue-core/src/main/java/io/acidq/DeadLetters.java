package io.acidq;

import java.util.List;

/**
 * The dead letters of a database. Each change is a short transaction of its own, apart from any of the caller's, and
 * says whether it won: a second replay of one message returns false. Thread-safe.
 */
public interface DeadLetters {

    /**
     * The oldest dead letters of a queue, at most {@code limit} of them.
     *
     * @throws QueueMisuseException when there is no such queue, or the limit is not 1 to 10,000
     */
    List<DeadLetter> list(String queue, int limit);

    /**
     * Makes a dead letter an ordinary message again, at the tail of its queue, with no attempts and no deaths counted.
     *
     * @return whether this call did it; false when it is no dead letter (any more)
     */
    boolean replay(MessageId id);

    /**
     * Deletes a dead letter for good.
     *
     * @return whether this call did it; false when it is no dead letter (any more)
     */
    boolean discard(MessageId id);
}
