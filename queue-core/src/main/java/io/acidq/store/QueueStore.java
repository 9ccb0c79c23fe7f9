package io.acidq.store;

import java.util.Optional;

/** The dictionary of queues. */
public interface QueueStore {

    /** The number of lanes that a queue gets when it is created; fixed for its life. */
    int LANES = 64;

    /**
     * The queue of this name, created with its lanes when it is new: in a transaction and on a connection of its own,
     * so the answer does not depend on the caller's transaction and outlives it.
     */
    QueueRow openQueue(String name);

    /** The queue of this name, if there is one. */
    Optional<QueueRow> findQueue(String name);

    /**
     * A queue as it stands in the dictionary.
     *
     * @param id    its number in the other tables
     * @param name  its name
     * @param lanes how many lanes it was created with
     */
    record QueueRow(int id, String name, int lanes) {}
}
