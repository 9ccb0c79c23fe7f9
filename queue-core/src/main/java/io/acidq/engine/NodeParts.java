package io.acidq.engine;

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
record NodeParts(
        Heart heart,
        OpenClaims openClaims,
        Probation probation,
        Runnable reconcile,
        LongSupplier nanoTime,
        Telemetry telemetry) {}
