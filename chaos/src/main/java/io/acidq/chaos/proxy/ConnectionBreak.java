package io.acidq.chaos.proxy;

/**
 * One break of a connection.
 *
 * @param breakPoint the point within the transaction
 */
public record ConnectionBreak(TransactionKind transactionKind, BreakPoint breakPoint, BreakMode breakMode) {

    @Override
    public String toString() {
        return (breakMode + " " + breakPoint + " of " + transactionKind)
                .toLowerCase(java.util.Locale.ROOT)
                .replace('_', ' ');
    }

    /** The way in which a connection breaks. */
    public enum BreakMode {
        /** Both sides notice at once. */
        CUT,
        /** Packets vanish for a while and neither side notices. Then both are cut. */
        BLACK_HOLE,
        /** The server notices at once, the client after a while. */
        HALF_OPEN
    }

    /** The point within a transaction at which a connection breaks. */
    public enum BreakPoint {
        /** Half of a statement has reached the server. */
        IN_STATEMENT,
        /** The client has sent COMMIT, which does not reach the server. */
        BEFORE_COMMIT,
        /** The server has committed, and its answer does not reach the client. */
        AFTER_COMMIT
    }
}
