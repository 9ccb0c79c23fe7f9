package io.acidq.spring.transaction;

import io.acidq.store.Transactions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionSynchronizationUtils;

/**
 * The synchronizations of a transaction at a savepoint. Spring keeps those that are registered after it although their work is rolled back: they would
 * run at the commit of the rest. Here they are completed at once, as after a rollback. This also closes the resources that they have bound, such as a
 * session of MyBatis with statements that it holds back.
 */
final class SavepointCallbacks implements Transactions.RegisteredCallbacks {

    private static final Logger log = LoggerFactory.getLogger(SpringTransactions.class);

    private final Set<TransactionSynchronization> registered = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Records the synchronizations of the calling thread. */
    SavepointCallbacks() {
        registered.addAll(current());
    }

    @Override
    public void rollback(Runnable toSavepoint) {
        for (TransactionSynchronization added : addedSince()) {
            try {
                added.beforeCompletion();
            } catch (Throwable e) { // as Spring does before a rollback
                log.warn("a callback before the rollback to a savepoint threw {}", e.toString(), e);
            }
        }
        List<TransactionSynchronization> added = addedSince();
        if (!added.isEmpty()) {
            List<TransactionSynchronization> remaining = new ArrayList<>(current());
            remaining.removeAll(added);
            TransactionSynchronizationManager.clearSynchronization();
            TransactionSynchronizationManager.initSynchronization();
            remaining.forEach(TransactionSynchronizationManager::registerSynchronization);
        }
        try {
            toSavepoint.run();
        } finally {
            TransactionSynchronizationUtils.invokeAfterCompletion(added, TransactionSynchronization.STATUS_ROLLED_BACK);
        }
    }

    /** Returns the synchronizations that the work after the savepoint has registered. Those that observe the thread stay. */
    private List<TransactionSynchronization> addedSince() {
        return current().stream()
                .filter(callback -> !registered.contains(callback) && !TransactionLeakDetector.isObserver(callback))
                .toList();
    }

    private static List<TransactionSynchronization> current() {
        return TransactionSynchronizationManager.isSynchronizationActive()
                ? TransactionSynchronizationManager.getSynchronizations()
                : List.of();
    }
}
