package io.acidq.examples.orders;

import java.time.Duration;
import java.util.Locale;

/**
 * The counts of the tables.
 *
 * @param orders     orders placed
 * @param shipments  shipments made
 * @param lost       orders neither shipped nor dead letters
 * @param duplicated shipments beyond the first of an order
 * @param outOfOrder shipments that went before one of an earlier order of their customer
 * @param dead       orders that are dead letters
 */
record OrderCounts(long orders, long shipments, long lost, long duplicated, long outOfOrder, long dead) {

    boolean isConsistent() {
        return lost == 0 && duplicated == 0 && outOfOrder == 0;
    }

    /** The last line of the job, with so many shipments made in this time. */
    String line(long shipped, Duration took) {
        double seconds = took.toMillis() / 1000.0;
        return String.format(
                Locale.ROOT,
                "orders=%d shipments=%d lost=%d duplicated=%d out_of_order=%d dead=%d seconds=%.1f per_second=%.0f",
                orders,
                shipments,
                lost,
                duplicated,
                outOfOrder,
                dead,
                seconds,
                seconds == 0 ? 0 : shipped / seconds);
    }
}
