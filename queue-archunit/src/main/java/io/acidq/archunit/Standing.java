package io.acidq.archunit;

/**
 * Where a body stands.
 *
 * @param place  in a transaction, outside one, or where its callers are
 * @param reason why it is outside; empty elsewhere
 */
record Standing(Place place, String reason) {

    static final Standing INSIDE = new Standing(Place.INSIDE, "");
    static final Standing CALLERS = new Standing(Place.CALLERS, "");

    enum Place {
        INSIDE,
        OUTSIDE,
        CALLERS
    }

    static Standing outside(String reason) {
        return new Standing(Place.OUTSIDE, reason);
    }
}
