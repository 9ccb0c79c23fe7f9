package io.acidq.chaos.proxy;

/**
 * One break of a connection.
 *
 * @param transactionKind   in which kind of transaction
 * @param breakPoint where in it
 * @param breakMode how
 */
public record ConnectionBreak(TransactionKind transactionKind, BreakPoint breakPoint, BreakMode breakMode) {

    @Override
    public String toString() {
        return (breakMode + " " + breakPoint + " of " + transactionKind)
                .toLowerCase(java.util.Locale.ROOT)
                .replace('_', ' ');
    }
}
