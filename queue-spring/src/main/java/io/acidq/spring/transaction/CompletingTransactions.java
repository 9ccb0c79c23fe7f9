package io.acidq.spring.transaction;

import io.acidq.QueueMisuseException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transactions of the calling thread that are being committed or rolled back. In callbacks after the commit Spring still shows the
 * transaction as active and provides its connection. A write there commits alone or, with a pool without autocommit, is lost.
 */
final class CompletingTransactions implements TransactionExecutionListener {

    private final DataSource dataSource;

    @SuppressWarnings(
            "ThreadLocalUsage") // one per DataSource; several at once when a callback begins transactions of its own
    private final ThreadLocal<Set<Object>> completing =
            ThreadLocal.withInitial(() -> Collections.newSetFromMap(new IdentityHashMap<>()));

    CompletingTransactions(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Fails if the caller is a callback after the end of the transaction on this thread. */
    void refuseIfCompleting() {
        Object current = current();
        if (current != null && completing.get().contains(current)) {
            throw new QueueMisuseException(
                    "the transaction on this thread has already committed or rolled back, this is a callback after it: a write here"
                            + " would be lost, or commit alone. Do it before the commit, or in a separate transaction"
                            + " (@Transactional(propagation = REQUIRES_NEW), or @TransactionalEventListener with phase BEFORE_COMMIT)");
        }
    }

    @Override
    public void beforeCommit(TransactionExecution transaction) {
        completionBegins(transaction);
    }

    @Override
    public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
        completionEnds(transaction);
    }

    @Override
    public void beforeRollback(TransactionExecution transaction) {
        completionBegins(transaction);
    }

    @Override
    public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
        completionEnds(transaction);
    }

    /** Ignores the end of a nested transaction, which is a savepoint. */
    private void completionBegins(TransactionExecution transaction) {
        Object current = current();
        if (transaction.isNewTransaction() && current != null) {
            completing.get().add(current);
        }
    }

    private void completionEnds(TransactionExecution transaction) {
        Object current = current();
        if (transaction.isNewTransaction() && current != null) {
            completing.get().remove(current);
            if (completing.get().isEmpty()) {
                completing.remove();
            }
        }
    }

    /** Returns the object that Spring binds to the thread, a different one for each transaction. */
    private @Nullable Object current() {
        return TransactionSynchronizationManager.getResource(dataSource);
    }
}
