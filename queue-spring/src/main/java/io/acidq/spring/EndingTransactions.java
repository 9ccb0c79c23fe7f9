package io.acidq.spring;

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
 * Knows which transactions of the calling thread are being ended. In callbacks after the commit Spring still shows the transaction as active
 * and lends its connection; what is written there commits alone or, from a pool without autocommit, is lost.
 */
final class EndingTransactions implements TransactionExecutionListener {

    private final DataSource dataSource;

    @SuppressWarnings(
            "ThreadLocalUsage") // one per DataSource; several at once when a callback begins transactions of its own
    private final ThreadLocal<Set<Object>> ending =
            ThreadLocal.withInitial(() -> Collections.newSetFromMap(new IdentityHashMap<>()));

    EndingTransactions(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Throws when the transaction on this thread takes part in nothing any more. */
    void refuse() {
        Object current = current();
        if (current != null && ending.get().contains(current)) {
            throw new QueueMisuseException(
                    "the transaction on this thread has committed or rolled back already, this is a callback after it: what is written here"
                            + " would be lost, or commit with nothing. Do it before the commit, or in a transaction of its own"
                            + " (@Transactional(propagation = REQUIRES_NEW), or @TransactionalEventListener with phase BEFORE_COMMIT)");
        }
    }

    @Override
    public void beforeCommit(TransactionExecution transaction) {
        begins(transaction);
    }

    @Override
    public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
        ended(transaction);
    }

    @Override
    public void beforeRollback(TransactionExecution transaction) {
        begins(transaction);
    }

    @Override
    public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
        ended(transaction);
    }

    /** Not of a savepoint, whose transaction goes on. */
    private void begins(TransactionExecution transaction) {
        Object current = current();
        if (transaction.isNewTransaction() && current != null) {
            ending.get().add(current);
        }
    }

    private void ended(TransactionExecution transaction) {
        Object current = current();
        if (transaction.isNewTransaction() && current != null) {
            ending.get().remove(current);
            if (ending.get().isEmpty()) {
                ending.remove();
            }
        }
    }

    /** What Spring binds to the thread for the transaction: another object for each. */
    private @Nullable Object current() {
        return TransactionSynchronizationManager.getResource(dataSource);
    }
}
