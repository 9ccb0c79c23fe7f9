package io.acidq.admin;

import java.time.Duration;
import java.util.Optional;

/**
 * What there is of a queue in the database at one moment, whichever nodes serve it. Counting ends at {@link #MOST_COUNTED}, so that the
 * question costs little however large the queue is: see {@link #isComplete}.
 *
 * @param queue     its name
 * @param ready     may run now; some of them after others of their ordering key
 * @param running   claimed by a node: they run, or are about to
 * @param waiting   wait in their place for their next attempt, and hold up their ordering key meanwhile
 * @param scheduled wait for their due time elsewhere: delayed messages, retries without ordering key
 * @param dead      dead letters
 * @param oldest    how long ago the oldest unclaimed message was first due, or replayed: the oldest of the first ones of all lanes; empty when
 *                  there is none
 */
public record Backlog(
        String queue, int ready, int running, int waiting, int scheduled, int dead, Optional<Duration> oldest) {

    /** At most so many are counted of ready, running and waiting together, and as many each of scheduled and of dead. */
    public static final int MOST_COUNTED = 10_000;

    /** Whether the numbers are exact; else there are at least so many. */
    public boolean isComplete() {
        return ready + running + waiting < MOST_COUNTED && scheduled < MOST_COUNTED && dead < MOST_COUNTED;
    }
}
