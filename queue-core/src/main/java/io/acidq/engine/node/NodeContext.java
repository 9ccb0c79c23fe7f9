package io.acidq.engine.node;

import io.acidq.engine.loop.DatabaseMonitor;
import io.acidq.telemetry.Telemetry;
import java.util.function.LongSupplier;

/**
 * The parts of a node that all its queues share.
 *
 * @param heartbeat   the node's life
 * @param openClaims  its claim transactions under way
 * @param suspectSlot its place for a suspect
 * @param reconcile   asks the reconciler to check the node's own claims
 * @param nanoTime    the monotonic clock
 * @param telemetry   hears of everything
 */
public record NodeContext(
        Heartbeat heartbeat,
        OpenClaims openClaims,
        SuspectSlot suspectSlot,
        Runnable reconcile,
        LongSupplier nanoTime,
        Telemetry telemetry) {

    /** The state of the database, as the heartbeat sees it. */
    public DatabaseMonitor database() {
        return heartbeat.database();
    }
}
