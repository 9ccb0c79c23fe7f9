package io.acidq.store;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Where a message is, and what stands before it. Plain reads that lock nothing, each a short transaction of its own. */
public interface WhyStore {

    /** Where the message is; one statement, which a message that moves from table to table can not escape. */
    Optional<Place> find(Lane lane, UUID uid);

    /** The first row of its lane that stands before it and closes its ordering key. */
    Optional<Place> closing(Lane lane, Place place);

    /** How many messages that nobody has claimed stand before it in its lane; at most so many are counted. */
    int countBefore(Lane lane, long id, int most);

    /** A node, living or not, as long as its row is there. */
    Optional<NodeLook> node(int node);

    /** Whether a node that counts as living has a listener of the queue. */
    boolean isServed(int queue);

    /** The tables that a message can be in. */
    enum Table {
        LANE,
        SCHEDULED,
        DEAD
    }

    /**
     * A row of a message, or in a lane that of a marker.
     *
     * @param table    where it is
     * @param id       its place in the lane
     * @param uid      its unique number
     * @param owner    the node that has claimed it, 0 when none
     * @param claimNo  how often it has been claimed
     * @param attempts its counted starts
     * @param deaths   its starts that ended with the process
     * @param kind     0 for a message, else a marker that holds a place
     * @param orderKey its ordering key, or null
     * @param dueAt    when it is due; of a dead letter, when it died
     * @param due      whether that has come, by the database's clock
     * @param cause    of what it died, the beginning; empty when it lives
     */
    record Place(
            Table table,
            long id,
            UUID uid,
            int owner,
            int claimNo,
            int attempts,
            int deaths,
            int kind,
            @Nullable String orderKey,
            Instant dueAt,
            boolean due,
            String cause) {}

    /**
     * A node as people see it.
     *
     * @param node      its number
     * @param alive     whether it counts as living
     * @param host      where it runs
     * @param startedAt when it registered
     */
    record NodeLook(int node, boolean alive, String host, Instant startedAt) {}
}
