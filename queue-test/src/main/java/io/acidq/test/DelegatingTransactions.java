package io.acidq.test;

import io.acidq.store.Transactions;
import java.sql.Connection;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Transactions that delegate everything except how a transaction begins and ends. Keeps no connection between transactions. */
abstract class DelegatingTransactions implements Transactions {

    private final Transactions transactions;

    DelegatingTransactions(Transactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public <T> T callHandler(String handler, Callable<T> call) throws Exception {
        return transactions.callHandler(handler, call);
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
    public boolean isRollbackOnly() {
        return transactions.isRollbackOnly();
    }

    @Override
    public DataSource ownConnections(DataSource dataSource) {
        return transactions.ownConnections(dataSource);
    }

    @Override
    public void afterCommit(Runnable hint) {
        transactions.afterCommit(hint);
    }

    @Override
    public Runnable connectionAborter() {
        return transactions.connectionAborter();
    }

    @Override
    public TransactionSavepoint savepoint(String name) {
        return transactions.savepoint(name);
    }

    @Override
    public RegisteredCallbacks registeredCallbacks() {
        return transactions.registeredCallbacks();
    }
}
