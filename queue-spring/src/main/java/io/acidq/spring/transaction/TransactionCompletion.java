package io.acidq.spring.transaction;

import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import java.sql.Connection;
import java.sql.SQLException;
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

    private String who = "AcidQ's transaction";
    private @Nullable Connection unchecked;
    private boolean isAfterCallbacks;
    private boolean isCommitted;
    private @Nullable TransientQueueException loss;

    /** Whether the handler has returned, so that a failure is one of the acknowledgement. */
    private boolean isHandlerDone;

    /** Observes the transaction that has begun on this thread. */
    TransactionCompletion(
            TransactionStatus status,
            PlatformTransactionManager manager,
            DataSource dataSource,
            boolean detectLostTransaction) {
        this.status = status;
        this.manager = manager;
        this.detectLostTransaction = detectLostTransaction;
        this.isBoundByManager = TransactionSynchronizationManager.hasResource(dataSource);
    }

    /** Returns the handler whose call this transaction holds, for messages. */
    String user() {
        return who;
    }

    void handlerStarts(String handler) {
        who = handler;
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

    void begin(Connection connection) throws SQLException {
        if (detectLostTransaction) {
            LostTransactionDetector.begin(connection);
            unchecked = connection;
        }
    }

    /** Registers itself after all callbacks of the work, so that it is called last. */
    void afterWork() {
        boolean isSynchronized = TransactionSynchronizationManager.isSynchronizationActive();
        if (!isSynchronized || status.isRollbackOnly() || !(manager instanceof AbstractPlatformTransactionManager)) {
            check();
        }
        requireNotRollbackOnly(status);
        if (isSynchronized) {
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
        Connection connection = unchecked;
        if (connection != null) {
            unchecked = null;
            LostTransactionDetector.check(connection, who);
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
