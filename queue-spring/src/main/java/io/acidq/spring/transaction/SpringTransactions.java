package io.acidq.spring.transaction;

import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.store.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Spring's transactions as the queue sees them: the transactions that one transaction manager begins on one {@code DataSource}. Works with the
 * managers of JDBC, JPA and Hibernate, and with JTA when the {@code DataSource} takes part in it and the manager allows custom isolation
 * levels. A transaction of another {@code DataSource} on the same thread is none for the queue. Thread-safe.
 */
public final class SpringTransactions implements Transactions {

    private static final Logger log = LoggerFactory.getLogger(SpringTransactions.class);
    private static final TransactionDefinition NEW =
            definition(TransactionDefinition.PROPAGATION_REQUIRES_NEW, TransactionDefinition.ISOLATION_READ_COMMITTED);
    private static final TransactionDefinition NEW_ON_WORKER_CONNECTION =
            definition(TransactionDefinition.PROPAGATION_REQUIRES_NEW, TransactionDefinition.ISOLATION_DEFAULT);
    private static final TransactionDefinition EXISTING =
            definition(TransactionDefinition.PROPAGATION_MANDATORY, TransactionDefinition.ISOLATION_DEFAULT);

    private final PlatformTransactionManager manager;
    private final DataSource dataSource;
    private final boolean detectLostTransaction;
    private final CompletingTransactions completing;
    private final TransactionLeakGuard leaks;

    @SuppressWarnings("ThreadLocalUsage") // one per DataSource, and removed when the worker ends
    private final ThreadLocal<@Nullable WorkerConnection> workerConnections = new ThreadLocal<>();

    /** The same with lost transaction detection. */
    public SpringTransactions(PlatformTransactionManager manager, DataSource dataSource) {
        this(manager, dataSource, true);
    }

    /**
     * The transactions of a manager on a {@code DataSource}.
     *
     * @param manager    begins and ends the transactions of handlers; the one behind the application's {@code @Transactional}
     * @param dataSource the queue's database, in any proxy of Spring's
     * @param detectLostTransaction whether handlers' transactions are guarded by a savepoint, so that one which the database rolled back and silently
     *                   began anew (a swallowed deadlock, a commit or DDL in the handler) is never committed. Costs two statements a
     *                   message; off, such a handler can lose effects
     * @throws QueueMisuseException when the manager's transactions are of another {@code DataSource}
     */
    public SpringTransactions(
            PlatformTransactionManager manager, DataSource dataSource, boolean detectLostTransaction) {
        this.manager = manager;
        this.dataSource = BoundDataSource.of(manager, dataSource);
        this.detectLostTransaction = detectLostTransaction;
        this.completing = new CompletingTransactions(this.dataSource);
        this.leaks = new TransactionLeakGuard(manager, () -> abort(connection()));
        if (manager instanceof ConfigurableTransactionManager configurable) {
            configurable.addListener(completing);
            configurable.addListener(leaks);
        }
    }

    /** The {@code DataSource} of the connections of its transactions. */
    public DataSource dataSource() {
        return dataSource;
    }

    /** Whether these are the transactions of this manager. */
    public boolean isOf(PlatformTransactionManager other) {
        return manager == other;
    }

    @Override
    public @Nullable Connection current() {
        if (!TransactionSynchronizationManager.isActualTransactionActive() || !isOfManager()) {
            return null;
        }
        completing.refuseIfCompleting();
        Connection connection = connection();
        return commitsEachStatement(connection) ? null : connection;
    }

    @Override
    public boolean isReadOnly() {
        return TransactionSynchronizationManager.isCurrentTransactionReadOnly();
    }

    @Override
    public void afterCommit(Runnable hint) {
        afterEnd(hint, () -> {});
    }

    @Override
    public void afterEnd(Runnable committed, Runnable otherwise) {
        // Without synchronization the hint is lost, which costs latency only.
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionSynchronizationManager.registerSynchronization(new AfterEnd(committed, otherwise));
        }
    }

    @Override
    public <T> T inNew(Callable<T> work) throws Exception {
        WorkerConnection connection =
                TransactionSynchronizationManager.hasResource(dataSource) ? null : workerConnections.get();
        return connection == null ? inNew(work, NEW) : connection.around(() -> inNew(work, NEW_ON_WORKER_CONNECTION));
    }

    private <T> T inNew(Callable<T> work, TransactionDefinition definition) throws Exception {
        TransactionStatus status = manager.getTransaction(definition);
        Completion completion = Completion.ofCurrent();
        T result;
        Connection connection = null;
        String home = null;
        try {
            connection = connection();
            requireTransaction(connection);
            home = connection.getCatalog(); // the drivers know it
            result = detectLostTransaction ? LostTransactionDetector.runChecked(connection, work) : work.call();
        } catch (Throwable failure) {
            if (connection != null && LostTransactionDetector.isInOtherDatabase(connection, home)) {
                abort(connection); // the next user of the connection would not find its tables
            }
            rollBack(status, failure);
            throw failure;
        }
        try {
            manager.commit(status);
        } catch (RuntimeException | Error e) {
            if (!completion.isCommitted) {
                throw e;
            }
            log.warn(
                    "a callback after the commit threw ({}); the transaction is committed, and this changes nothing",
                    e.toString(),
                    e);
        }
        return result;
    }

    @Override
    public <T> T guard(String handler, Callable<T> call) throws Exception {
        return leaks.call(handler, call);
    }

    /** Keeps a connection for managers that take a bound one; a manager of JPA would refuse it. */
    @Override
    public WorkerSession workerSession() {
        if (!(manager instanceof DataSourceTransactionManager)) {
            return WorkerSession.NONE;
        }
        WorkerConnection connection = new WorkerConnection(dataSource, workerConnections::remove);
        workerConnections.set(connection);
        return connection;
    }

    @Override
    public Runnable connectionAborter() {
        Connection connection = connection();
        return () -> abort(connection);
    }

    /** Ends the connection for good, and frees its place in the pool. */
    static void abort(Connection current) {
        try {
            current.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            log.debug("the connection could not be aborted", e);
        }
        try (Connection closed = current) { // the pool's place is free even if the handler never comes back
            closed.rollback(); // pools drop a connection for the error, not for abort alone
        } catch (SQLException | RuntimeException e) {
            log.debug("the connection is gone, as intended", e);
        }
    }

    private void rollBack(TransactionStatus status, Throwable failure) {
        try {
            manager.rollback(status);
        } catch (RuntimeException e) {
            // The connection is gone, and the transaction with it: the first failure says why.
            failure.addSuppressed(e);
        }
    }

    /**
     * Asks the manager, which alone knows: a connection bound to the thread may be one that was only borrowed, for the length of a transaction
     * of another database. Joining an existing transaction changes nothing, and a joined one need not be completed.
     */
    private boolean isOfManager() {
        try {
            manager.getTransaction(EXISTING);
            return true;
        } catch (IllegalTransactionStateException none) {
            return false;
        }
    }

    /** The transaction keeps the connection; releasing it at once only keeps the count of its users right. */
    private Connection connection() {
        Connection connection = DataSourceUtils.getConnection(dataSource);
        DataSourceUtils.releaseConnection(connection, dataSource);
        return connection;
    }

    private void requireTransaction(Connection connection) {
        if (commitsEachStatement(connection)) {
            throw new QueueMisuseException(
                    "transactions of " + manager.getClass().getName() + " do not reach the DataSource " + dataSource
                            + ", whose connection commits each statement: use the transaction manager of that DataSource");
        }
    }

    /** The last guard against a manager whose transactions are of something else. */
    private static boolean commitsEachStatement(Connection connection) {
        try {
            return connection.getAutoCommit();
        } catch (SQLException e) {
            throw new TransientQueueException("the connection of the transaction is not usable", e);
        }
    }

    private static TransactionDefinition definition(int propagation, int isolation) {
        DefaultTransactionDefinition definition = new DefaultTransactionDefinition(propagation);
        definition.setIsolationLevel(isolation);
        definition.setName("AcidQ");
        return definition;
    }

    /** Tells a commit that failed from one after which a callback has thrown. */
    private static final class Completion implements TransactionSynchronization {

        private boolean isCommitted;

        /** Of the transaction on this thread. */
        static Completion ofCurrent() {
            Completion completion = new Completion();
            if (TransactionSynchronizationManager.isSynchronizationActive()) {
                TransactionSynchronizationManager.registerSynchronization(completion);
            }
            return completion;
        }

        @Override
        public void afterCompletion(int status) {
            isCommitted = status == STATUS_COMMITTED;
        }
    }

    /**
     * Runs one of two hints after the end of a transaction. When another synchronization throws after the commit, Spring skips {@link
     * #afterCommit} and still calls {@link #afterCompletion}.
     */
    private static final class AfterEnd implements TransactionSynchronization {

        private final Runnable committed;
        private final Runnable otherwise;
        private boolean notified;

        AfterEnd(Runnable committed, Runnable otherwise) {
            this.committed = committed;
            this.otherwise = otherwise;
        }

        @Override
        public void afterCommit() {
            notifyOnce(committed);
        }

        @Override
        public void afterCompletion(int status) {
            notifyOnce(status == STATUS_COMMITTED ? committed : otherwise);
        }

        private void notifyOnce(Runnable hint) {
            if (notified) {
                return;
            }
            notified = true;
            try {
                hint.run();
            } catch (Throwable e) { // an Error too: it would look as if the transaction had ended otherwise
                log.warn("a hint after the end of a transaction threw; the end stands", e);
            }
        }
    }
}
