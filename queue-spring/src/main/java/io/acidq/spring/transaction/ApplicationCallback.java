package io.acidq.spring.transaction;

import java.util.List;
import java.util.function.Supplier;
import org.springframework.core.PriorityOrdered;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A callback that the application has registered in AcidQ's transaction. Passes each call on. A {@link TransactionException} from {@link #beforeCommit}
 * reaches the manager as another exception: Spring takes it for one of the commit itself and does not roll back, so that the transaction would stay open.
 */
class ApplicationCallback implements TransactionSynchronization {

    /** Synchronizations that release resources and send statements that were held back. They neither lose the transaction nor roll back to a savepoint. */
    private static final List<String> RESOURCE_PACKAGES =
            List.of("org.springframework.jdbc.", "org.springframework.orm.", "org.mybatis.spring.");

    private final TransactionSynchronization callback;
    private final Supplier<String> who;

    private ApplicationCallback(TransactionSynchronization callback, Supplier<String> who) {
        this.callback = callback;
        this.who = who;
    }

    /**
     * Puts one of these in place of each callback of the application that is registered on the calling thread, in the same order.
     *
     * @param who returns whose work has registered them, for messages
     * @return whether there is one
     */
    static boolean replaceAll(Supplier<String> who) {
        List<TransactionSynchronization> registered = TransactionSynchronizationManager.getSynchronizations();
        if (registered.stream().noneMatch(ApplicationCallback::isOfApplication)) {
            return false;
        }
        TransactionSynchronizationManager.clearSynchronization();
        TransactionSynchronizationManager.initSynchronization();
        registered.forEach(each -> TransactionSynchronizationManager.registerSynchronization(
                isOfApplication(each) ? around(each, who) : each));
        return true;
    }

    private static ApplicationCallback around(TransactionSynchronization callback, Supplier<String> who) {
        return callback instanceof PriorityOrdered
                ? new OfPriority(callback, who)
                : new ApplicationCallback(callback, who);
    }

    private static boolean isOfApplication(TransactionSynchronization callback) {
        if (callback instanceof SpringTransactions.AfterEnd || TransactionLeakDetector.isObserver(callback)) {
            return false;
        }
        String name = callback.getClass().getName();
        return RESOURCE_PACKAGES.stream().noneMatch(name::startsWith);
    }

    @Override
    public int getOrder() {
        return callback.getOrder();
    }

    @Override
    public void suspend() {
        callback.suspend();
    }

    @Override
    public void resume() {
        callback.resume();
    }

    @Override
    public void flush() {
        callback.flush();
    }

    @Override
    public void savepoint(Object savepoint) {
        callback.savepoint(savepoint);
    }

    @Override
    public void savepointRollback(Object savepoint) {
        callback.savepointRollback(savepoint);
    }

    @Override
    public void beforeCommit(boolean readOnly) {
        try {
            callback.beforeCommit(readOnly);
        } catch (TransactionException e) {
            throw new IllegalStateException(
                    "a callback before the commit of " + who.get() + " ("
                            + callback.getClass().getName() + ".beforeCommit) threw " + e
                            + "; the transaction is rolled back",
                    e);
        }
    }

    @Override
    public void beforeCompletion() {
        callback.beforeCompletion();
    }

    @Override
    public void afterCommit() {
        callback.afterCommit();
    }

    @Override
    public void afterCompletion(int status) {
        callback.afterCompletion(status);
    }

    /** Spring calls these before the others. */
    private static final class OfPriority extends ApplicationCallback implements PriorityOrdered {

        OfPriority(TransactionSynchronization callback, Supplier<String> who) {
            super(callback, who);
        }
    }
}
