package io.acidq.store;

import java.time.Duration;
import java.util.Optional;

/** Tells that somebody has committed, where the server offers it: what makes a message of another process be seen at once. */
public interface CommitStore {

    /** How far the server's commits are; empty when this server tells nothing of them. A read. */
    Optional<Commits> last();

    /**
     * Waits in the server until a later transaction has committed, whoever's it is. A read.
     *
     * @param atMost seconds count, at least one
     * @return how far the commits are then, which is the same when there was none in that time; empty when that can not be compared,
     *     because another server answers
     */
    Optional<Commits> awaitAfter(Commits last, Duration atMost);

    /**
     * How far a server's commits are.
     *
     * @param last  the running number of the last one that the server has numbered itself
     * @param count how many it has in all, those numbered by others too
     */
    record Commits(long last, long count) {}
}
