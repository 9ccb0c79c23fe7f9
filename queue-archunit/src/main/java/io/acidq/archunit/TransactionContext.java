package io.acidq.archunit;

/**
 * Where a body stands.
 *
 * @param place  in a transaction, outside one, or where its callers are
 * @param reason why it is outside; empty elsewhere
 */
record TransactionContext(Place place, String reason) {

    static final TransactionContext INSIDE = new TransactionContext(Place.INSIDE, "");
    static final TransactionContext CALLERS = new TransactionContext(Place.CALLERS, "");

    enum Place {
        INSIDE,
        OUTSIDE,
        CALLERS
    }

    static TransactionContext outside(String reason) {
        return new TransactionContext(Place.OUTSIDE, reason);
    }
}
