package io.acidq.store;

import java.time.Duration;
import java.util.OptionalLong;

/** Tells that somebody has committed, where the server offers it: what makes a message of another process be seen at once. */
public interface CommitStore {

    /** The running number of the server's last commit; empty when this server tells none. A read. */
    OptionalLong last();

    /**
     * Waits in the server until a later transaction has committed, whoever's it is. A read.
     *
     * @param atMost seconds count, at least one
     * @return the number of the last commit then, which is the same when there was none in that time; empty when the numbers can not be compared,
     *     because another server answers
     */
    OptionalLong awaitAfter(long last, Duration atMost);
}
