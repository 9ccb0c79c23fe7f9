package io.acidq.archunit;

/**
 * Where a body stands.
 *
 * @param scope  in a transaction, outside one, or where its callers are
 * @param reason why it is outside; empty elsewhere
 */
record TransactionContext(TransactionScope scope, String reason) {

    static final TransactionContext INSIDE = new TransactionContext(TransactionScope.INSIDE, "");
    static final TransactionContext CALLERS = new TransactionContext(TransactionScope.CALLERS, "");

    enum TransactionScope {
        INSIDE,
        OUTSIDE,
        CALLERS
    }

    static TransactionContext outside(String reason) {
        return new TransactionContext(TransactionScope.OUTSIDE, reason);
    }
}
