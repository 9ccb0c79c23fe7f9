package io.acidq.test;

import io.acidq.store.Transactions;
import java.sql.Connection;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** The transactions of a simulated process. Its crash rolls back the open transaction, as the server does when it loses the connection. */
final class CrashingTransactions implements Transactions {

    private final Transactions transactions;
    private final SimulatedProcess simulatedProcess;

    CrashingTransactions(Transactions transactions, SimulatedProcess simulatedProcess) {
        this.transactions = transactions;
        this.simulatedProcess = simulatedProcess;
    }

    @Override
    public <T> T inNew(Callable<T> work) throws Exception {
        simulatedProcess.requireAlive();
        T result = transactions.inNew(() -> {
            T worked = work.call();
            simulatedProcess.reach(CrashPoint.BEFORE_COMMIT);
            return worked;
        });
        simulatedProcess.reach(CrashPoint.AFTER_COMMIT);
        return result;
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

    @Override
    public Runnable connectionAborter() {
        return transactions.connectionAborter();
    }

    @Override
    public TransactionSavepoint savepoint(String name) {
        return transactions.savepoint(name);
    }
}
