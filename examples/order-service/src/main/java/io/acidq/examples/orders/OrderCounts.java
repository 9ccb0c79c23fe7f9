package io.acidq.examples.orders;

/**
 * The counts of the tables.
 *
 * @param orders     orders placed
 * @param shipments  shipments made
 * @param lost       orders that are neither shipped nor dead letters
 * @param duplicated shipments beyond the first of an order
 * @param outOfOrder shipments that were made before one of an earlier order of their customer
 * @param retried    shipments that needed more than one attempt
 * @param dead       orders that are dead letters
 */
record OrderCounts(long orders, long shipments, long lost, long duplicated, long outOfOrder, long retried, long dead) {

    boolean isConsistent() {
        return lost == 0 && duplicated == 0 && outOfOrder == 0;
    }

    /** Orders that are shipped or dead letters. */
    long settled() {
        return shipments + dead;
    }

    @Override
    public String toString() {
        return "orders=" + orders + " shipments=" + shipments + " lost=" + lost + " duplicated=" + duplicated
                + " out_of_order=" + outOfOrder + " retried=" + retried + " dead=" + dead;
    }
}
