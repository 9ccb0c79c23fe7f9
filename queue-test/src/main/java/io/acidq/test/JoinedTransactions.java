package io.acidq.test;

import io.acidq.store.Transactions;
import java.sql.Connection;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Transactions of handlers that join the transaction of the test. A failure rolls back to a savepoint; nothing is committed. */
final class JoinedTransactions implements Transactions {

    private final Transactions transactions;

    JoinedTransactions(Transactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public <T> T inNew(Callable<T> work) throws Exception {
        TransactionSavepoint before = savepoint("acidq_test");
        try {
            return work.call();
        } catch (Throwable e) {
            try {
                before.rollback();
            } catch (RuntimeException lost) { // the database has rolled back the whole transaction of the test
                e.addSuppressed(lost);
            }
            throw e;
        }
    }

    @Override
    public <T> T guard(String handler, Callable<T> call) throws Exception {
        return transactions.guard(handler, call);
    }

    @Override
    public @Nullable Connection current() {
        return transactions.current();
    }

    @Override
    public boolean isReadOnly() {
        return transactions.isReadOnly();
    }

    @Override
    public void afterCommit(Runnable hint) {
        transactions.afterCommit(hint);
    }

    /** Does nothing, because the connection belongs to the test. */
    @Override
    public Runnable connectionAborter() {
        return () -> {};
    }

    @Override
    public TransactionSavepoint savepoint(String name) {
        return transactions.savepoint(name);
    }
}
