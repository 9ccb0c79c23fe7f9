package io.acidq.admin;

import io.acidq.DeadHeadPolicy;
import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import java.util.List;

/**
 * The ordering keys of a database that a dead letter holds up, because their queue says so ({@link DeadHeadPolicy}): found and released by
 * operators. Works in every engine, with listeners or without. Thread-safe; each call is short transactions of its own, apart from any of
 * the caller's. What the database could not do now comes as {@link TransientQueueException}.
 *
 * <p>A key goes on in one of three ways: its dead letter is replayed, into its old place, or discarded ({@link DeadLetters}), or released,
 * here.
 */
public interface BlockedKeys {

    /**
     * The blocked keys of a queue, in order of the places in their lanes. For each, the followers are looked for in its lane.
     *
     * @param limit at most this many, 1 to 1,000
     * @throws QueueMisuseException when there is no such queue, or the limit is out of bounds
     */
    List<BlockedKey> list(String queue, int limit);

    /**
     * Lets a key go on without its dead letter, which stays one like any other: a later replay takes it to the end. Recorded in the audit
     * table by the same transaction.
     *
     * @param seen the blocked key as it was listed: when its head has been replayed, discarded or released since, nothing is done
     * @param who  the operator's name, 1 to 100 characters
     * @param why  the reason, 1 to 500 characters
     * @return whether this call did it
     */
    boolean release(BlockedKey seen, String who, String why);
}
