package io.acidq.test;

import io.acidq.store.Transactions;
import java.sql.Connection;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Handlers' transactions that are parts of the test's: what fails is taken back to a savepoint, and nothing is committed. */
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
            } catch (RuntimeException gone) { // the database has rolled back the test's transaction as a whole
                e.addSuppressed(gone);
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

    /** The connection is the test's. */
    @Override
    public Runnable connectionAborter() {
        return () -> {};
    }

    @Override
    public TransactionSavepoint savepoint(String name) {
        return transactions.savepoint(name);
    }
}
