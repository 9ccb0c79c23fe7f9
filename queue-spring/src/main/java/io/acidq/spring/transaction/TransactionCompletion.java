package io.acidq.spring.transaction;

import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.spring.transaction.LostTransactionDetector.Guard;
import io.acidq.store.DatabaseError;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The end of one transaction. Checks that the transaction was not lost, as the last statement before its COMMIT: a callback before the commit
 * can lose it as well as the work. Distinguishes a failed commit from a callback that threw after the commit.
 */
final class TransactionCompletion implements TransactionSynchronization {

    private static final Logger log = LoggerFactory.getLogger(SpringTransactions.class);

    private final TransactionStatus status;
    private final PlatformTransactionManager manager;
    private final boolean detectLostTransaction;

    /** Whether the manager has bound the connection, and not Spring's access to it, which releases it before the completion. */
    private final boolean isBoundByManager;

    /** Returns the connection of the transaction. If the manager does not bind it, Spring provides another handle after an inner transaction. */
    private Supplier<Connection> connection;

    private String who = "AcidQ's transaction";

    /** The savepoint that is set and not yet released, or null. */
    private @Nullable Guard unchecked;

    private boolean isAfterCallbacks;
    private boolean isCommitted;
    private @Nullable TransientQueueException loss;

    private boolean isHandlerCalled;

    /** Whether the handler has returned, so that a failure is one of the acknowledgement. */
    private boolean isHandlerDone;

    /** Observes the transaction that has begun on this thread. */
    TransactionCompletion(
            TransactionStatus status,
            PlatformTransactionManager manager,
            DataSource dataSource,
            Supplier<Connection> connection,
            boolean detectLostTransaction) {
        this.status = status;
        this.manager = manager;
        this.connection = connection;
        this.detectLostTransaction = detectLostTransaction;
        this.isBoundByManager = TransactionSynchronizationManager.hasResource(dataSource);
    }

    /** Returns the handler whose call this transaction holds, for messages. */
    String user() {
        return who;
    }

    void handlerStarts(String handler) {
        who = handler;
        isHandlerCalled = true;
        isHandlerDone = false;
    }

    void handlerReturned() {
        isHandlerDone = true;
    }

    boolean isHandlerDone() {
        return isHandlerDone;
    }

    boolean isCommitted() {
        return isCommitted;
    }

    void begin(Connection begun) throws SQLException {
        if (isBoundByManager) {
            connection = () -> begun;
        }
        if (detectLostTransaction) {
            set(Guard.WORK);
        }
    }

    private void set(Guard guard) throws SQLException {
        LostTransactionDetector.begin(connection.get(), guard);
        unchecked = guard;
    }

    /** Registers itself after all callbacks of the work, so that it is called last. Called after the acknowledgement. */
    void afterWork() throws SQLException {
        boolean isSynchronized = TransactionSynchronizationManager.isSynchronizationActive();
        if (!isSynchronized || status.isRollbackOnly() || !(manager instanceof AbstractPlatformTransactionManager)) {
            check();
        }
        requireNotRollbackOnly(status);
        if (isSynchronized) {
            if (ApplicationCallback.replaceAll(this::user) && unchecked != null) {
                check();
                set(Guard.CALLBACKS);
            }
            TransactionSynchronizationManager.registerSynchronization(this);
        }
    }

    /** Called after the callbacks of the others. Only JTA checks here; its connection is released in the next phase. */
    @Override
    public void beforeCommit(boolean readOnly) {
        isAfterCallbacks = true;
        if (!isBoundByManager) {
            check();
        }
    }

    /** A callback before the commit has thrown if {@link #beforeCommit} was not called. It may have lost the transaction before. */
    @Override
    public void beforeCompletion() {
        if (!isAfterCallbacks && isBoundByManager) {
            try {
                check();
            } catch (TransientQueueException e) { // told by reportLoss
                loss = e;
            }
        }
    }

    /** Called by the manager after the callbacks of both phases. An exception of Spring's transactions would not roll back. */
    void beforeCommit() {
        if (isBoundByManager) {
            check();
        }
        if (status.isRollbackOnly()) {
            throw new QueueMisuseException("a callback before the commit (TransactionSynchronization.beforeCommit or"
                    + " beforeCompletion) of " + who
                    + " has marked the transaction rollback-only, and everything is rolled back: an"
                    + " exception left an inner @Transactional method and was caught. Do not catch that exception, or give the"
                    + " inner method noRollbackFor, NESTED or REQUIRES_NEW");
        }
    }

    private void check() {
        Guard guard = unchecked;
        if (guard != null) {
            unchecked = null;
            LostTransactionDetector.check(connection.get(), guard, who);
        }
    }

    /** Returns the connection of the transaction after work that has failed; null if there is none. */
    @Nullable
    Connection connectionAfterFailure() {
        try {
            return connection.get();
        } catch (RuntimeException e) {
            log.debug("the connection of a failed transaction is not available", e);
            return null;
        }
    }

    /**
     * Checks, before the rollback, whether a handler had ended the transaction before it failed. The rollback does not undo what was written until then, and the
     * next attempt writes it again.
     */
    void checkFailedWork(Connection current, Throwable failure) {
        Guard guard = unchecked;
        DatabaseError error = DatabaseError.of(failure);
        if (guard == null
                || !isHandlerCalled
                || error == DatabaseError.ROLLED_BACK
                || error == DatabaseError.CONNECTION) {
            return;
        }
        unchecked = null;
        SQLException loss = LostTransactionDetector.loss(current, guard);
        if (loss != null) {
            QueueMisuseException told = QueueMisuseException.withAction(
                    who
                            + " has lost AcidQ's transaction before it failed. If it ran COMMIT, DDL or SET autocommit = 1, what was written"
                            + " before is committed, after SET autocommit = 1 also what was written later, and the next attempt writes it again."
                            + " If it swallowed a deadlock, that is rolled back",
                    "run COMMIT and DDL in another transaction, remove SET autocommit, and do not catch a deadlock",
                    loss);
            failure.addSuppressed(told);
            log.warn("{}. It failed with {}", told.problem(), failure.toString(), told);
        }
    }

    /** Returns the cause of an acknowledgement that did not find the tables. */
    QueueMisuseException otherDatabase(Throwable failure) {
        QueueMisuseException cause = QueueMisuseException.withAction(
                who
                        + " has changed the current database of AcidQ's connection (USE, setCatalog or setSchema), so the message cannot be"
                        + " acknowledged; the transaction is rolled back",
                "put the name of the database before that of the table, or use another DataSource for it");
        cause.addSuppressed(failure);
        return cause;
    }

    /** Tells of a callback that threw in another transaction than that of the work, which may be committed, and the message with it. */
    void reportLoss(Throwable thrown) {
        TransientQueueException lost = loss;
        if (lost != null) {
            thrown.addSuppressed(lost);
            log.warn(
                    "a callback before the commit of {} threw {}, after the transaction was lost. If COMMIT or DDL has ended it, what"
                            + " was done before is committed, also the acknowledgement of the message; what was written after it is"
                            + " rolled back",
                    who,
                    thrown.toString(),
                    thrown);
        }
    }

    @Override
    public void afterCompletion(int status) {
        isCommitted = status == STATUS_COMMITTED;
    }

    private static void requireNotRollbackOnly(TransactionStatus status) {
        if (status.isRollbackOnly()) {
            throw new UnexpectedRollbackException(
                    "the transaction is marked rollback-only although the work returned normally: everything is rolled back. An"
                            + " exception left an inner @Transactional method and was caught, or setRollbackOnly was called. Do not catch"
                            + " that exception, or give the inner method noRollbackFor, NESTED or REQUIRES_NEW");
        }
    }
}
