package io.acidq.engine.listener;

import io.acidq.store.Transactions;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Transactions without a database, which record the calls. */
class FakeTransactions implements Transactions {

    final List<String> asked = new ArrayList<>();

    @Override
    public <T> T inNew(Callable<T> work) throws Exception {
        asked.add("begin");
        T result;
        try {
            result = work.call();
        } catch (Throwable e) {
            asked.add("rollback");
            throw e;
        }
        asked.add("commit");
        return result;
    }

    @Override
    public TransactionSavepoint savepoint(String name) {
        asked.add("mark " + name);
        return () -> asked.add("undo " + name);
    }

    @Override
    public @Nullable Connection current() {
        return null;
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public void afterCommit(Runnable hint) {
        throw new UnsupportedOperationException("handlers enqueue nothing");
    }

    @Override
    public Runnable connectionAborter() {
        return () -> {};
    }
}
