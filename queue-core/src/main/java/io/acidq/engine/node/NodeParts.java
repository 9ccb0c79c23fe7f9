package io.acidq.engine.node;

import io.acidq.engine.duty.DatabaseWatch;
import io.acidq.telemetry.Telemetry;
import java.util.function.LongSupplier;

/**
 * What all queues of a node share.
 *
 * @param heart      the node's life
 * @param openClaims its claim transactions under way
 * @param probation  its place for a suspect
 * @param reconcile  asks for a look at the node's own claims
 * @param nanoTime   the monotonic clock
 * @param telemetry  hears of everything
 */
public record NodeParts(
        Heart heart,
        OpenClaims openClaims,
        Probation probation,
        Runnable reconcile,
        LongSupplier nanoTime,
        Telemetry telemetry) {

    /** What it knows of its database. */
    public DatabaseWatch watch() {
        return heart.watch();
    }
}
