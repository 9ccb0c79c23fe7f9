package io.acidq.spring.transaction;

import io.acidq.QueueMisuseException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionSynchronizationUtils;

/**
 * Finds the transactions that a handler begins or suspends and does not end, and rolls them back, so that the thread has the same transaction
 * after the handler as before. Otherwise the acknowledgement would run in a transaction of the handler, which commits separately from the effects
 * or never. Callbacks of the transaction, such as {@code beforeCommit}, run after the handler, and are observed in the same way.
 *
 * <p>Such a transaction is found in two ways: the manager calls this listener when a transaction begins, and a synchronization is called when
 * its transaction is suspended, by any manager.
 */
final class TransactionLeakDetector implements TransactionExecutionListener {

    private static final Logger log = LoggerFactory.getLogger(SpringTransactions.class);
    private static final String RUN_IS_LOST =
            "AcidQ's transaction and each one of the handler are rolled back. What it wrote outside of them is committed";

    private final PlatformTransactionManager manager;
    private final Runnable connectionAborter;

    @SuppressWarnings("ThreadLocalUsage") // one per manager, and removed when the handler has returned
    private final ThreadLocal<@Nullable Observation> observations = new ThreadLocal<>();

    /**
     * Creates a detector for the transactions of one manager.
     *
     * @param connectionAborter aborts the connection of the transaction on this thread
     */
    TransactionLeakDetector(PlatformTransactionManager manager, Runnable connectionAborter) {
        this.manager = manager;
        this.connectionAborter = connectionAborter;
    }

    /**
     * Calls a handler.
     *
     * @param handler the name of the handler, for the exception
     * @throws QueueMisuseException if it has left a transaction open or suspended; suppressed in the handler's own exception if there is one
     */
    <T> T call(String handler, Callable<T> call) throws Exception {
        @Nullable Observation outer = observations.get();
        Observation observation = new Observation(null, () -> {});
        observations.set(observation);
        T result;
        try {
            result = call.call();
        } catch (Throwable failure) {
            QueueMisuseException leak = rollBackLeaks(handler, RUN_IS_LOST, observation);
            if (leak != null) {
                failure.addSuppressed(leak);
            }
            throw failure;
        } finally {
            TransactionSnapshot.resetJtaTimeout(manager);
            endObservation(outer);
        }
        QueueMisuseException leak = rollBackLeaks(handler, RUN_IS_LOST, observation);
        if (leak != null) {
            throw leak;
        }
        return result;
    }

    /**
     * Commits or rolls back a transaction, and observes its callbacks.
     *
     * @param beforeCommit called last before the COMMIT, after all callbacks; an exception from it rolls the transaction back
     * @throws QueueMisuseException if a callback before the commit has left a transaction open or suspended; the transaction is then rolled back
     */
    void complete(TransactionStatus transaction, Consumer<TransactionStatus> end, Runnable beforeCommit) {
        @Nullable Observation outer = observations.get();
        observations.set(new Observation(transaction, beforeCommit));
        try {
            end.accept(transaction);
        } finally {
            endObservation(outer);
        }
    }

    /** Returns whether a synchronization belongs to a detector and not to the work. */
    static boolean isObserver(TransactionSynchronization synchronization) {
        return synchronization instanceof TransactionScope;
    }

    private void endObservation(@Nullable Observation outer) {
        if (outer == null) {
            observations.remove();
        } else {
            observations.set(outer);
        }
    }

    @Override
    public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
        Observation observation = observations.get();
        if (observation == null || failure != null || !transaction.isNewTransaction()) {
            return;
        }
        observation.scopes.removeIf(TransactionScope::isCompleted); // a handler may begin and end many
        observation.scopes.push(new TransactionScope(transaction));
    }

    /** Called after the callbacks before the commit. An exception from here rolls the transaction back. */
    @Override
    public void beforeCommit(TransactionExecution transaction) {
        Observation observation = observationOf(transaction);
        QueueMisuseException leak = observation == null
                ? null
                : rollBackLeaks(
                        "a callback before the commit (TransactionSynchronization.beforeCommit or beforeCompletion)",
                        RUN_IS_LOST,
                        observation);
        if (leak != null) {
            throw leak;
        }
        if (observation != null) {
            observation.beforeCommit.run();
        }
    }

    @Override
    public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
        afterCallbacks(
                transaction,
                failure == null
                        ? TransactionSynchronization.STATUS_COMMITTED
                        : TransactionSynchronization.STATUS_UNKNOWN);
    }

    @Override
    public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
        afterCallbacks(transaction, TransactionSynchronization.STATUS_ROLLED_BACK);
    }

    /** Called after the callbacks, while the manager has not yet released the connection of the transaction. */
    private void afterCallbacks(TransactionExecution transaction, int status) {
        Observation observation = observationOf(transaction);
        if (observation == null || !observation.hasLeaks()) {
            return;
        }
        if (!TransactionSynchronizationManager.isSynchronizationActive()) {
            // The manager has cleared the synchronizations of the open transaction in place of those of the ended one.
            TransactionSynchronizationManager.initSynchronization();
        }
        QueueMisuseException leak = rollBackLeaks(
                "a callback at the end of a transaction (TransactionSynchronization.afterCommit or afterCompletion)",
                "what it wrote there is rolled back",
                observation);
        if (leak != null) {
            log.warn("{}", leak.getMessage(), leak);
        }
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            List<TransactionSynchronization> missed = TransactionSynchronizationManager.getSynchronizations();
            TransactionSynchronizationManager.clearSynchronization();
            TransactionSynchronizationUtils.invokeAfterCompletion(missed, status);
        }
    }

    private @Nullable Observation observationOf(TransactionExecution transaction) {
        Observation observation = observations.get();
        return observation != null && observation.completing == transaction ? observation : null;
    }

    /** Rolls back the open transactions, the last one first, each in the thread state in which it was the current one. */
    private @Nullable QueueMisuseException rollBackLeaks(String who, String consequence, Observation observation) {
        List<String> leaks = new ArrayList<>();
        List<Throwable> failures = new ArrayList<>();
        for (TransactionScope scope : observation.scopes) {
            if (scope.isCompleted()) {
                continue;
            }
            if (scope.isLeftOpen()) {
                leaks.add(scope.describeLeak());
                attempt(failures, scope::restore);
            }
            TransactionExecution transaction = scope.transaction;
            if (transaction != null) {
                leaks.add("began " + scope.name() + " and did not end it");
                attempt(failures, () -> manager.rollback((TransactionStatus) transaction));
            }
        }
        if (observation.isOfHandler() && TransactionSnapshot.jtaTransaction(manager) != observation.jta) {
            // by JTA itself, of which Spring is not told
            leaks.add("suspended, began or ended a JTA transaction and left its thread in another one than before");
            attempt(failures, () -> TransactionSnapshot.restoreJtaTransaction(manager, observation.jta));
        }
        if (leaks.isEmpty()) {
            return null;
        }
        QueueMisuseException leak = QueueMisuseException.withAction(
                who + " " + String.join(", and ", leaks) + "; " + consequence,
                "commit or roll back each transaction in the method that begins it, with @Transactional or a TransactionTemplate");
        if (!failures.isEmpty()) {
            connectionAborter.run(); // a transaction that could not be ended must not commit with other messages
            failures.forEach(leak::addSuppressed);
        }
        return leak;
    }

    private static void attempt(List<Throwable> failures, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) { // the other steps must run; the connection that failed here is lost
            log.warn("a transaction that a handler left open could not be rolled back completely", e);
            failures.add(e);
        }
    }

    /** The transactions that a handler, or the callbacks of a transaction, have begun. */
    private final class Observation {

        private final @Nullable TransactionExecution completing;
        private final Runnable beforeCommit;
        private final @Nullable Object jta = TransactionSnapshot.jtaTransaction(manager);
        private final Deque<TransactionScope> scopes = new ArrayDeque<>(2);

        /**
         * Begins with the state of the calling thread.
         *
         * @param completing   the transaction whose callbacks are observed, null for a handler
         * @param beforeCommit called after the callbacks before its COMMIT
         */
        Observation(@Nullable TransactionExecution completing, Runnable beforeCommit) {
            this.completing = completing;
            this.beforeCommit = beforeCommit;
            scopes.push(new TransactionScope(null));
        }

        /** Whether it ends in the transaction in which it began. */
        boolean isOfHandler() {
            return completing == null;
        }

        boolean hasLeaks() {
            for (TransactionScope scope : scopes) {
                if (!scope.isCompleted() && (scope.transaction != null || scope.isLeftOpen())) {
                    return true;
                }
            }
            return false;
        }
    }

    /** A transaction that the handler began, or, at the bottom of the stack, the state before the handler. */
    private final class TransactionScope implements TransactionSynchronization {

        private final @Nullable TransactionExecution transaction;
        private final boolean isTransactional = TransactionSnapshot.isTransactional();

        /** The state of the thread when this scope was suspended. Set at once outside of transactions, where a change is not notified. */
        private @Nullable TransactionSnapshot suspended;

        /**
         * Observes the current transaction of the thread.
         *
         * @param transaction null for the state before the handler
         */
        TransactionScope(@Nullable TransactionExecution transaction) {
            this.transaction = transaction;
            if (!isTransactional) {
                suspended = TransactionSnapshot.capture(manager);
            } else if (TransactionSynchronizationManager.isSynchronizationActive()) {
                TransactionSynchronizationManager.registerSynchronization(this);
            }
        }

        boolean isCompleted() {
            return transaction != null && transaction.isCompleted();
        }

        boolean isLeftOpen() {
            return suspended != null && (isTransactional || TransactionSnapshot.isTransactional());
        }

        void restore() {
            TransactionSnapshot snapshot = suspended;
            if (snapshot != null) {
                snapshot.restore(manager);
                suspended = null;
            }
        }

        String describeLeak() {
            if (TransactionSynchronizationManager.isSynchronizationActive()
                    && TransactionSynchronizationManager.getSynchronizations().contains(this)) {
                return "suspended " + name()
                        + " in part, because a callback threw (TransactionSynchronization.suspend)";
            }
            return isTransactional
                    ? "suspended " + name() + " and did not resume it"
                    : "began a transaction and did not end it";
        }

        String name() {
            if (transaction == null) {
                return "AcidQ's transaction";
            }
            String name = transaction.getTransactionName();
            return name.isEmpty() ? "a transaction" : "the transaction '" + name + "'";
        }

        /** First, because other synchronizations unbind their resources from the thread. */
        @Override
        public int getOrder() {
            return Ordered.HIGHEST_PRECEDENCE;
        }

        @Override
        public void suspend() {
            suspended = TransactionSnapshot.capture(manager);
        }

        @Override
        public void resume() {
            suspended = null;
        }
    }
}
