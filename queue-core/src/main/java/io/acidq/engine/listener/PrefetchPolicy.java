package io.acidq.engine.listener;

import io.acidq.engine.guard.StartGuards;
import io.acidq.store.ClaimStore.Budget;
import java.time.Duration;

/**
 * How many messages of a queue this node claims in advance, computed from the measured time of the handlers: about a tenth of a second of work, so
 * that quick handlers never wait for a claim and slow ones do not hoard what another node could run; more where claims themselves are slow, so that
 * they do not become most of the work; and enough different ordering keys that no worker is idle behind a key that runs. Thread-safe.
 */
public final class PrefetchPolicy {

    /** At most this many messages in one claim transaction: more would keep the lane locked for longer than it saves. */
    private static final int CLAIM_LIMIT = 100;

    private static final int BUFFER_LIMIT = 400;
    private static final double HORIZON_NANOS = Duration.ofMillis(100).toNanos();
    private static final double LONGEST_HORIZON_NANOS = Duration.ofSeconds(2).toNanos();

    /** A claim brings work for so many times as long as it takes. */
    private static final int HORIZON_IN_CLAIM_TIMES = 10;

    private static final double WEIGHT = 0.05;

    private final int perWorker;
    private int workers;
    private double meanNanos = HORIZON_NANOS;
    private double claimNanos;
    private long runs;
    private long claims;

    /**
     * The policy of one queue.
     *
     * @param workers   how many workers there are at first
     * @param perWorker how many messages one of them may run at once
     */
    public PrefetchPolicy(int workers, int perWorker) {
        this.workers = workers;
        this.perWorker = perWorker;
    }

    /** There are so many workers from now on. */
    synchronized void setWorkers(int now) {
        workers = now;
    }

    /** How long one worker takes for so many messages, by the measured time of the handlers. */
    synchronized long expectedNanos(int messages) {
        return (long) (meanNanos * messages);
    }

    /** A handler has taken this time. */
    synchronized void recordRun(Duration took) {
        meanNanos += weight(++runs) * (took.toNanos() - meanNanos);
    }

    /** A claim has brought messages, and has taken this time. The first one does not count: it opens connections and loads classes. */
    synchronized void recordClaim(Duration took) {
        if (claims > 0) {
            claimNanos += weight(claims) * (took.toNanos() - claimNanos);
        }
        claims++;
    }

    /** The first measurements count fully, so that the mean is good soon. */
    private static double weight(long number) {
        return Math.max(WEIGHT, 1.0 / number);
    }

    /** Returns how many more messages to claim now, limited to those that the guards would let start; 0 while the buffer holds enough. */
    int freeCapacity(MessageBuffer buffer, StartGuards guards) {
        MessageBuffer.Counts counts = buffer.counts();
        return guards.freeCapacity(freeCapacity(counts), counts.startable());
    }

    /** Returns how many more messages to claim now; 0 while the buffer holds enough. */
    synchronized int freeCapacity(MessageBuffer.Counts held) {
        int ahead = messagesAhead();
        int missing = ahead - held.waiting();
        int idle = workers * perWorker - held.running() - held.startable();
        if (idle > 0) { // what waits stands behind keys that run
            return Math.max(missing, idle * share(workers));
        }
        return missing * 2 >= ahead ? missing : 0;
    }

    /**
     * How much one claim may take of a lane. The fewer lanes have work, the more of one ordering key: with one key it may be all.
     *
     * @param capacity as many as fit
     * @param lanes    how many lanes are known to have work, this one included
     */
    Budget budget(int capacity, int lanes, boolean suspects) {
        return new Budget(Math.min(capacity, CLAIM_LIMIT), share(lanes), suspects);
    }

    private synchronized int share(int lanes) {
        return Math.min(CLAIM_LIMIT, Math.max(1, messagesAhead() / Math.min(workers, lanes)));
    }

    /** How many messages should wait besides the running ones. */
    private synchronized int messagesAhead() {
        double each = horizon() / Math.max(meanNanos, 1);
        int wanted = (int) Math.min(Math.max(BUFFER_LIMIT, 2 * workers * perWorker), Math.ceil(each * workers));
        return Math.max(wanted, Math.max(1, workers / 4));
    }

    /** Not longer than usual before the time of any handler is known. */
    private double horizon() {
        double worth = runs == 0 ? 0 : HORIZON_IN_CLAIM_TIMES * claimNanos;
        return Math.min(Math.max(HORIZON_NANOS, worth), LONGEST_HORIZON_NANOS);
    }
}
