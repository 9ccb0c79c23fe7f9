package io.acidq.spring.transaction;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * AcidQ's listeners of a transaction manager, which stay behind those of the application: one that is called later could lose the transaction after it was
 * checked. Thread-safe.
 */
final class ManagerListeners {

    private final PlatformTransactionManager manager;
    private final TransactionLeakDetector leaks;
    private final CompletingTransactions completing;

    /** Adds the listeners to the manager, if it takes any. */
    ManagerListeners(
            PlatformTransactionManager manager, TransactionLeakDetector leaks, CompletingTransactions completing) {
        this.manager = manager;
        this.leaks = leaks;
        this.completing = completing;
        if (manager instanceof ConfigurableTransactionManager configurable) {
            configurable.addListener(leaks); // first: the other one looks at the current transaction of the thread
            configurable.addListener(completing);
        }
    }

    /** Moves AcidQ's listeners to the end if the application has added others since. To be called before a transaction begins. */
    void keepLast() {
        if (manager instanceof ConfigurableTransactionManager configurable && !areLast(configurable)) {
            synchronized (manager) { // several engines can share it
                if (!areLast(configurable)) {
                    moveToEnd(configurable);
                }
            }
        }
    }

    /** Listeners of other engines may follow, because they do nothing in a transaction that is not theirs. */
    private boolean areLast(ConfigurableTransactionManager configurable) {
        Collection<TransactionExecutionListener> registered = configurable.getTransactionExecutionListeners();
        boolean areLast = false;
        for (TransactionExecutionListener listener : registered) {
            areLast = listener == completing
                    || (areLast
                            && (listener instanceof TransactionLeakDetector
                                    || listener instanceof CompletingTransactions));
        }
        return areLast;
    }

    /** Replaces the manager's list, over which other threads may be iterating. */
    private void moveToEnd(ConfigurableTransactionManager configurable) {
        Collection<TransactionExecutionListener> registered = configurable.getTransactionExecutionListeners();
        List<TransactionExecutionListener> ordered = new CopyOnWriteArrayList<>(registered);
        ordered.removeAll(List.of(leaks, completing));
        ordered.add(leaks);
        ordered.add(completing);
        configurable.setTransactionExecutionListeners(ordered);
    }
}
