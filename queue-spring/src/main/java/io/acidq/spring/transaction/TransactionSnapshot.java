package io.acidq.spring.transaction;

import jakarta.transaction.SystemException;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import java.sql.Connection;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.jta.JtaTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionSynchronizationUtils;

/**
 * The transaction of a thread at one moment, in Spring and in JTA. {@link #restore} returns the thread to that transaction from any later
 * state.
 */
final class TransactionSnapshot {

    private final IdentityHashMap<Object, Object> resources = boundResources();
    private final boolean isSynchronized = TransactionSynchronizationManager.isSynchronizationActive();
    private final List<TransactionSynchronization> synchronizations =
            isSynchronized ? TransactionSynchronizationManager.getSynchronizations() : List.of();
    private final boolean isActive = TransactionSynchronizationManager.isActualTransactionActive();
    private final boolean isReadOnly = TransactionSynchronizationManager.isCurrentTransactionReadOnly();
    private final @Nullable Integer isolation = TransactionSynchronizationManager.getCurrentTransactionIsolationLevel();
    private final @Nullable String name = TransactionSynchronizationManager.getCurrentTransactionName();
    private final @Nullable Object jta;

    private TransactionSnapshot(@Nullable Object jta) {
        this.jta = jta;
    }

    /** Captures the state of the calling thread. */
    static TransactionSnapshot capture(PlatformTransactionManager manager) {
        return new TransactionSnapshot(jtaTransaction(manager));
    }

    /** Returns the JTA transaction of the calling thread; null if there is none, or the manager is not one of JTA. */
    static @Nullable Object jtaTransaction(PlatformTransactionManager manager) {
        return manager instanceof JtaTransactionManager ? Jta.current(manager) : null;
    }

    /** Makes a transaction the JTA transaction of the calling thread. Another one that the thread has is rolled back. */
    static void restoreJtaTransaction(PlatformTransactionManager manager, @Nullable Object transaction) {
        if (manager instanceof JtaTransactionManager) {
            Jta.restore(manager, transaction);
        }
    }

    /** Resets the timeout that the thread's next JTA transactions would have. */
    static void resetJtaTimeout(PlatformTransactionManager manager) {
        if (manager instanceof JtaTransactionManager) {
            Jta.resetTimeout(manager);
        }
    }

    /** Returns whether Spring has a transaction on the calling thread. */
    static boolean isTransactional() {
        return TransactionSynchronizationManager.isSynchronizationActive()
                || TransactionSynchronizationManager.isActualTransactionActive();
    }

    /** Restores this state on the calling thread. The current transaction of the thread ends as rolled back. */
    void restore(PlatformTransactionManager manager) {
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionSynchronizationUtils.triggerBeforeCompletion();
            List<TransactionSynchronization> others = TransactionSynchronizationManager.getSynchronizations();
            TransactionSynchronizationManager.clearSynchronization();
            TransactionSynchronizationUtils.invokeAfterCompletion(
                    others, TransactionSynchronization.STATUS_ROLLED_BACK);
        }
        boundResources().forEach((key, value) -> {
            if (resources.get(key) != value) {
                TransactionSynchronizationManager.unbindResource(key);
                discard(value);
            }
        });
        resources.forEach((key, value) -> {
            if (!TransactionSynchronizationManager.hasResource(key)) {
                TransactionSynchronizationManager.bindResource(key, value);
            }
        });
        if (isSynchronized) {
            TransactionSynchronizationManager.initSynchronization();
            synchronizations.forEach(TransactionSynchronizationManager::registerSynchronization);
        }
        TransactionSynchronizationManager.setActualTransactionActive(isActive);
        TransactionSynchronizationManager.setCurrentTransactionReadOnly(isReadOnly);
        TransactionSynchronizationManager.setCurrentTransactionIsolationLevel(isolation);
        TransactionSynchronizationManager.setCurrentTransactionName(name);
        restoreJtaTransaction(manager, jta);
    }

    private static IdentityHashMap<Object, Object> boundResources() {
        IdentityHashMap<Object, Object> bound = new IdentityHashMap<>();
        TransactionSynchronizationManager.getResourceMap().forEach(bound::put);
        return bound;
    }

    /** Aborts the connection of a transaction that can no longer be ended. Closes what else was bound, such as a session or a persistence context. */
    private static void discard(Object resource) {
        if (!(resource instanceof ConnectionHolder holder)) {
            BoundResources.close(resource);
        } else if (holder.getConnectionHandle() != null) {
            Connection connection = holder.getConnection();
            SpringTransactions.abort(connection);
        }
    }

    /** Access to JTA; a class of its own, because JTA is optional. */
    private static final class Jta {

        private Jta() {}

        static @Nullable Object current(PlatformTransactionManager manager) {
            TransactionManager jta = ((JtaTransactionManager) manager).getTransactionManager();
            try {
                return jta == null ? null : jta.getTransaction();
            } catch (SystemException e) {
                throw new TransactionSystemException("the JTA transaction of this thread could not be determined", e);
            }
        }

        static void resetTimeout(PlatformTransactionManager manager) {
            TransactionManager jta = ((JtaTransactionManager) manager).getTransactionManager();
            try {
                if (jta != null) {
                    jta.setTransactionTimeout(0);
                }
            } catch (SystemException e) {
                throw new TransactionSystemException("the JTA timeout of this thread could not be reset", e);
            }
        }

        static void restore(PlatformTransactionManager manager, @Nullable Object wanted) {
            TransactionManager jta = ((JtaTransactionManager) manager).getTransactionManager();
            try {
                Transaction current = jta == null ? null : jta.getTransaction();
                if (jta == null || current == wanted) {
                    return;
                }
                if (current != null) {
                    jta.rollback();
                }
                if (wanted instanceof Transaction transaction) {
                    jta.resume(transaction);
                }
            } catch (Exception e) {
                throw new TransactionSystemException("the JTA transaction of this thread could not be resumed", e);
            }
        }
    }
}
