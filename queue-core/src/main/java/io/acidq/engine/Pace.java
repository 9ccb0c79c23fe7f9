package io.acidq.engine;

import java.time.Duration;

/**
 * How many messages of a queue this node holds in advance, from the measured time of the handlers: about a tenth of a second of
 * work, so that quick handlers never wait for a claim and slow ones do not hoard what another node could run.
 */
final class Pace {

    /** At most this many in one claim transaction: more keeps the lane locked for longer than it saves. */
    static final int CLAIM_LIMIT = 100;

    private static final int BUFFER_LIMIT = 400;
    private static final double HORIZON_NANOS = Duration.ofMillis(100).toNanos();
    private static final double WEIGHT = 0.05;

    private final int workers;
    private double meanNanos = HORIZON_NANOS;

    Pace(int workers) {
        this.workers = workers;
    }

    synchronized void ran(Duration took) {
        meanNanos += WEIGHT * (took.toNanos() - meanNanos);
    }

    /** How many messages should wait besides the running ones. */
    synchronized int ahead() {
        double perWorker = HORIZON_NANOS / Math.max(meanNanos, 1);
        int wanted = (int) Math.min(BUFFER_LIMIT, Math.ceil(perWorker * workers));
        return Math.max(wanted, Math.max(1, workers / 4));
    }
}
