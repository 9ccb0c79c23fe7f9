package io.acidq.engine.listener;

import io.acidq.Priority;
import io.acidq.engine.guard.StartGuards;
import io.acidq.store.ClaimStore.Budget;
import java.time.Duration;

/**
 * The policy that decides how many messages of a queue this node claims in advance. It computes them from measured
 * handler times: about a tenth of a second of work, so that fast handlers do not wait for claims and slow ones do not
 * hold messages that another node could run. It claims more when claims are slow, and enough different ordering keys
 * that no worker is idle. Messages of different priorities do not take each other's capacity. Thread-safe.
 */
final class PrefetchPolicy {

    /** The largest claim: more messages would lock the lane for longer than they save. */
    private static final int CLAIM_LIMIT = 100;

    private static final int BUFFER_LIMIT = 400;
    private static final double HORIZON_NANOS = Duration.ofMillis(100).toNanos();
    private static final double MAX_HORIZON_NANOS = Duration.ofSeconds(2).toNanos();

    /** A claim gets messages whose work takes this many times as long as the claim itself. */
    private static final int HORIZON_IN_CLAIM_TIMES = 10;

    private static final double WEIGHT = 0.05;

    private final int perWorker;
    private int workers;
    private double meanNanos = HORIZON_NANOS;
    private double claimNanos;
    private long runs;
    private long claims;

    /**
     * Creates the policy of one queue.
     *
     * @param workers   the number of workers at first
     * @param perWorker how many messages a worker may run at once
     */
    PrefetchPolicy(int workers, int perWorker) {
        this.workers = workers;
        this.perWorker = perWorker;
    }

    /** Sets the present number of workers. */
    synchronized void setWorkers(int number) {
        workers = number;
    }

    /** Returns how long one worker is expected to need for a number of messages. */
    synchronized long expectedNanos(int messages) {
        return (long) (meanNanos * messages);
    }

    /** Records the duration of a handler's run. */
    synchronized void recordRun(Duration took) {
        meanNanos += weight(++runs) * (took.toNanos() - meanNanos);
    }

    /**
     * Records the duration of a claim that got messages. The first one does not count, since it opens connections and
     * loads classes.
     */
    synchronized void recordClaim(Duration took) {
        if (claims > 0) {
            claimNanos += weight(claims) * (took.toNanos() - claimNanos);
        }
        claims++;
    }

    /** Returns the weight of a measurement. The first ones weigh more, so that the mean is useful soon. */
    private static double weight(long number) {
        return Math.max(WEIGHT, 1.0 / number);
    }

    /**
     * Returns how many more messages of a priority to claim now, limited to those that the guards would let start; 0
     * while the buffer holds enough of them.
     */
    int freeCapacity(MessageBuffer buffer, StartGuards guards, Priority priority) {
        MessageBuffer.Counts counts = buffer.counts(priority);
        return guards.freeCapacity(freeCapacity(counts), counts.startable());
    }

    /** Returns how many more messages to claim now; 0 while the buffer holds enough. */
    synchronized int freeCapacity(MessageBuffer.Counts held) {
        int ahead = Math.max(1, (int) Math.ceil(messagesAhead() * held.shareOfStarts()));
        int missing = ahead - held.unstarted();
        int idle = workers * perWorker - held.running() - held.startable();
        if (idle > 0) { // the unstarted messages are behind ordering keys that run
            return Math.max(missing, idle * perKey(workers));
        }
        return missing * 2 >= ahead ? missing : 0;
    }

    /**
     * Returns how much one claim may take from a lane. The fewer lanes have messages, the more of them may have the
     * same ordering key.
     *
     * @param capacity how many more messages fit into the buffer
     * @param lanes    how many lanes are known to have messages, this one included
     */
    Budget budget(int capacity, int lanes, boolean suspects) {
        return new Budget(Math.min(capacity, CLAIM_LIMIT), perKey(lanes), suspects);
    }

    private synchronized int perKey(int lanes) {
        return Math.min(CLAIM_LIMIT, Math.max(1, messagesAhead() / Math.min(workers, lanes)));
    }

    /** Returns how many messages should wait in the buffer besides the running ones. */
    private synchronized int messagesAhead() {
        double each = horizon() / Math.max(meanNanos, 1);
        int wanted = (int) Math.min(Math.max(BUFFER_LIMIT, 2 * workers * perWorker), Math.ceil(each * workers));
        return Math.max(wanted, Math.max(1, workers / 4));
    }

    /**
     * Returns for how long the unstarted messages should keep the workers busy. Slow claims count only after a handler
     * was measured.
     */
    private double horizon() {
        double forClaims = runs == 0 ? 0 : HORIZON_IN_CLAIM_TIMES * claimNanos;
        return Math.min(Math.max(HORIZON_NANOS, forClaims), MAX_HORIZON_NANOS);
    }
}
