package io.acidq.chaos.proxy;

/**
 * One break of a connection.
 *
 * @param work   in which kind of transaction
 * @param moment where in it
 * @param manner how
 */
public record ConnectionBreak(TransactionKind work, BreakPoint moment, BreakMode manner) {

    @Override
    public String toString() {
        return (manner + " " + moment + " of " + work)
                .toLowerCase(java.util.Locale.ROOT)
                .replace('_', ' ');
    }
}
