package io.acidq.admin;

import java.time.Duration;
import java.util.Optional;

/**
 * The numbers of messages of a queue in the database at one moment, on all nodes together. Each number is counted up to {@link #MAX_COUNTED}, so that
 * the query is cheap for a queue of any size; see {@link #isComplete}.
 *
 * @param queue     the name of the queue
 * @param ready     messages that are due and not claimed, also those that no engine has moved into their lane yet; some of them may wait for others of
 *                  their ordering key
 * @param running   messages that a node has claimed: they run or start soon
 * @param waiting   messages that wait in their lane for the next attempt, so that later messages of their ordering key wait too
 * @param scheduled messages that wait for their due time outside the lanes: delayed ones, and retries without an ordering key
 * @param dead      dead letters
 * @param high      how many of the ready messages in the lanes have the priority HIGH
 * @param low       how many of the ready messages in the lanes have the priority LOW
 * @param oldest    how long ago the oldest unclaimed message was first due or replayed, taken from the first unclaimed message of each lane; empty
 *                  when there is none
 */
public record Backlog(
        String queue,
        int ready,
        int running,
        int waiting,
        int scheduled,
        int dead,
        int high,
        int low,
        Optional<Duration> oldest) {

    /** The limit of the count of ready, running and waiting messages together, and of each other count. */
    public static final int MAX_COUNTED = 10_000;

    /** Whether all numbers are exact. If not, those that have reached the limit are lower bounds. */
    public boolean isComplete() {
        return ready + running + waiting < MAX_COUNTED
                && scheduled < MAX_COUNTED
                && dead < MAX_COUNTED
                && high < MAX_COUNTED
                && low < MAX_COUNTED;
    }
}
