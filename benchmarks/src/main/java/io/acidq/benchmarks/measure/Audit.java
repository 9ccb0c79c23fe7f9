package io.acidq.benchmarks.measure;

/**
 * What became of the messages of one run, counted after its workers have stopped.
 *
 * @param placed   messages that were committed
 * @param effects  rows that handlers committed
 * @param distinct messages of which there is an effect
 * @param left     messages that the candidate still has
 * @param finished whether all was done that was to be done
 */
public record Audit(long placed, long effects, long distinct, long left, boolean finished) {

    /** For a run whose messages nobody handles: each of them must be there still. */
    public static Audit ofPlaced(long placed, long left) {
        return new Audit(placed, 0, 0, left, true);
    }

    /** Messages that are neither done nor there any more. */
    public long lost() {
        return Math.max(0, placed - distinct - left);
    }

    /** Effects too many, and messages that are done and would be done again. */
    public long doubled() {
        return effects - distinct + Math.max(0, distinct + left - placed);
    }
}
