package io.acidq.spring.transaction;

import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.store.DatabaseError;
import io.acidq.store.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.BeanWrapperImpl;
import org.springframework.context.i18n.LocaleContext;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Spring's transactions as the queue uses them: the transactions that one transaction manager begins on one {@code DataSource}. Works with the
 * managers of JDBC, JPA and Hibernate, and with JTA if the {@code DataSource} takes part in it and the manager allows custom isolation levels.
 * Ignores a transaction of another {@code DataSource} on the same thread. Thread-safe.
 */
public final class SpringTransactions implements Transactions {

    private static final Logger log = LoggerFactory.getLogger(SpringTransactions.class);

    /** The catalog of all tables where MariaDB's driver takes a database as a schema. */
    private static final String NO_CATALOG = "def";

    private static final TransactionDefinition NEW =
            definition(TransactionDefinition.PROPAGATION_REQUIRES_NEW, TransactionDefinition.ISOLATION_READ_COMMITTED);
    private static final TransactionDefinition NEW_ON_WORKER_CONNECTION =
            definition(TransactionDefinition.PROPAGATION_REQUIRES_NEW, TransactionDefinition.ISOLATION_DEFAULT);
    private static final TransactionDefinition EXISTING = existing();

    private final PlatformTransactionManager manager;
    private final DataSource dataSource;
    private final boolean detectLostTransaction;
    private final CompletingTransactions completing;
    private final TransactionLeakDetector leaks;
    private final ManagerListeners listeners;

    @SuppressWarnings("ThreadLocalUsage") // one per DataSource, and removed when the worker ends
    private final ThreadLocal<@Nullable WorkerConnection> workerConnections = new ThreadLocal<>();

    @SuppressWarnings("ThreadLocalUsage") // one per DataSource, and removed at the end of the transaction
    private final ThreadLocal<@Nullable TransactionCompletion> completions = new ThreadLocal<>();

    /** Creates the transactions of a manager, with detection of lost transactions. */
    public SpringTransactions(PlatformTransactionManager manager, DataSource dataSource) {
        this(manager, dataSource, true);
    }

    /**
     * Creates the transactions of a manager on a {@code DataSource}.
     *
     * @param manager               the manager of the application's {@code @Transactional}, which begins and ends the transactions of handlers
     * @param dataSource            the queue's database, with or without Spring's proxies
     * @param detectLostTransaction whether a savepoint guards the transactions of handlers. After a swallowed deadlock, or a commit or DDL in the
     *                              handler, the database has ended the transaction and silently begun another one; with the savepoint that one
     *                              is never committed. Costs two statements per message. If false, such a handler can lose effects
     * @throws QueueMisuseException if the transactions of the manager are those of another {@code DataSource}, or do not show on their thread
     */
    public SpringTransactions(
            PlatformTransactionManager manager, DataSource dataSource, boolean detectLostTransaction) {
        requireSynchronization(manager);
        this.manager = manager;
        this.dataSource = boundDataSource(manager, dataSource);
        this.detectLostTransaction = detectLostTransaction;
        this.completing = new CompletingTransactions(this.dataSource);
        this.leaks = new TransactionLeakDetector(manager, () -> abort(connection()));
        this.listeners = new ManagerListeners(manager, leaks, completing);
    }

    private static void requireSynchronization(PlatformTransactionManager manager) {
        if (manager instanceof ResourceTransactionManager // others may pass on to a manager that synchronizes
                && manager instanceof AbstractPlatformTransactionManager configured
                && configured.getTransactionSynchronization()
                        == AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER) {
            throw QueueMisuseException.withAction(
                    "the transaction manager (" + manager.getClass().getName()
                            + ") has SYNCHRONIZATION_NEVER, so nothing on a thread shows that a transaction is open",
                    "remove setTransactionSynchronization, or set SYNCHRONIZATION_ON_ACTUAL_TRANSACTION");
        }
    }

    /** Returns the {@code DataSource} under which the manager binds the connections of its transactions. */
    private static DataSource boundDataSource(PlatformTransactionManager manager, DataSource dataSource) {
        BeanWrapper properties = new BeanWrapperImpl(manager);
        if (!properties.isReadableProperty("dataSource")) {
            if (manager instanceof ResourceTransactionManager) {
                throw new QueueMisuseException(
                        "the transaction manager (" + manager.getClass().getName()
                                + ") is not that of a DataSource: use the transaction manager of the queue's database");
            }
            return withoutTransactionProxy(dataSource); // JTA: each connection joins the transaction
        }
        DataSource managed = (DataSource) properties.getPropertyValue("dataSource");
        if (managed == null || innermost(managed) != innermost(dataSource)) {
            throw new QueueMisuseException("the transaction manager ("
                    + manager.getClass().getName() + ") begins transactions on "
                    + (managed == null ? "no DataSource" : "the DataSource " + managed) + ", and the queue uses "
                    + dataSource
                    + ": use the same DataSource for both, so that a message commits with the data");
        }
        return managed;
    }

    private static DataSource withoutTransactionProxy(DataSource dataSource) {
        DataSource target =
                dataSource instanceof TransactionAwareDataSourceProxy proxy ? proxy.getTargetDataSource() : null;
        return target == null ? dataSource : withoutTransactionProxy(target);
    }

    private static DataSource innermost(DataSource dataSource) {
        @Nullable
        DataSource target = dataSource instanceof DelegatingDataSource proxy ? proxy.getTargetDataSource() : null;
        return target == null ? dataSource : innermost(target);
    }

    /** Returns the {@code DataSource} to which the connections of the transactions are bound. */
    public DataSource dataSource() {
        return dataSource;
    }

    /** Returns whether these are the transactions of this manager. */
    public boolean isOf(PlatformTransactionManager other) {
        return manager == other;
    }

    @Override
    public @Nullable Connection current() {
        if (!TransactionSynchronizationManager.isActualTransactionActive() || joined() == null) {
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
    public boolean isRollbackOnly() {
        TransactionStatus joined = TransactionSynchronizationManager.isActualTransactionActive() ? joined() : null;
        return joined != null && joined.isRollbackOnly();
    }

    @Override
    public DataSource ownConnections(DataSource dataSource) {
        return new OwnConnections(withoutTransactionProxy(dataSource));
    }

    @Override
    public void afterCommit(Runnable callback) {
        afterEnd(callback, () -> {});
    }

    @Override
    public void afterEnd(Runnable committed, Runnable otherwise) {
        // Without synchronization the callback is lost, which costs latency only.
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionSynchronizationManager.registerSynchronization(new AfterEnd(committed, otherwise));
        }
    }

    @Override
    public TransactionSavepoint savepoint(String name) {
        TransactionSavepoint savepoint = Transactions.super.savepoint(name);
        RegisteredCallbacks callbacks = registeredCallbacks();
        return () -> callbacks.rollback(savepoint::rollback);
    }

    @Override
    public RegisteredCallbacks registeredCallbacks() {
        return new SavepointCallbacks();
    }

    @Override
    public <T> T inNew(Callable<T> work) throws Exception {
        WorkerConnection connection =
                TransactionSynchronizationManager.hasResource(dataSource) ? null : workerConnections.get();
        return connection == null
                ? inTransaction(work, NEW)
                : connection.around(() -> inTransaction(work, NEW_ON_WORKER_CONNECTION));
    }

    private <T> T inTransaction(Callable<T> work, TransactionDefinition definition) throws Exception {
        Set<Object> bound = BoundResources.keys();
        LocaleContext locale = LocaleContextHolder.getLocaleContext();
        @Nullable TransactionCompletion outer = completions.get();
        try {
            listeners.keepLast();
            TransactionStatus status = manager.getTransaction(definition);
            TransactionCompletion completion =
                    new TransactionCompletion(status, manager, dataSource, this::connection, detectLostTransaction);
            completions.set(completion);
            T result;
            Connection connection = null;
            String database = null;
            try {
                connection = connection();
                requireTransaction(connection);
                database = database(connection);
                completion.begin(connection);
                result = work.call();
                completion.afterWork();
            } catch (Throwable thrown) {
                Throwable failure = thrown;
                Connection current = connection == null ? null : completion.connectionAfterFailure();
                if (current != null) {
                    completion.checkFailedWork(current, thrown);
                    if (LostTransactionDetector.isInOtherDatabase(current, database)) {
                        abort(current); // its next user would not find the tables
                        if (completion.isHandlerDone() && thrown instanceof QueueMisuseException) {
                            failure = completion.otherDatabase(thrown);
                        }
                    } else if (DatabaseError.of(thrown) == DatabaseError.READ_ONLY_TRANSACTION) {
                        abort(current); // its next user could not write
                    }
                }
                rollBack(status, failure);
                if (failure instanceof QueueMisuseException misuse) {
                    throw misuse;
                }
                throw thrown;
            }
            commit(status, completion);
            return result;
        } finally {
            endCompletion(outer);
            restore(locale); // a callback can change it too
            BoundResources.releaseAllBut(bound);
        }
    }

    private void endCompletion(@Nullable TransactionCompletion outer) {
        TransactionCompletion completion = completions.get();
        WorkerConnection connection = workerConnections.get();
        if (completion != null && connection != null) {
            connection.usedBy(completion.user());
        }
        if (outer == null) {
            completions.remove();
        } else {
            completions.set(outer);
        }
    }

    private static void restore(@Nullable LocaleContext locale) {
        if (LocaleContextHolder.getLocaleContext() != locale) {
            LocaleContextHolder.setLocaleContext(locale);
        }
    }

    private void commit(TransactionStatus status, TransactionCompletion completion) {
        try {
            leaks.complete(status, manager::commit, completion::beforeCommit);
        } catch (RuntimeException | Error e) {
            if (!completion.isCommitted()) {
                completion.reportLoss(e);
                throw e;
            }
            log.warn("a callback after the commit threw {}; the transaction stays committed", e.toString(), e);
        }
    }

    @Override
    public <T> T callHandler(String handler, Callable<T> call) throws Exception {
        LocaleContext locale = LocaleContextHolder.getLocaleContext();
        boolean isTransactional = TransactionSnapshot.isTransactional();
        boolean isActive = TransactionSynchronizationManager.isActualTransactionActive();
        Set<Object> bound = BoundResources.keys();
        Object connection = TransactionSynchronizationManager.getResource(dataSource);
        TransactionCompletion completion = completions.get();
        if (completion != null) {
            completion.handlerStarts(handler);
        }
        try {
            T result = leaks.call(handler, call);
            if (connection != null && TransactionSynchronizationManager.getResource(dataSource) != connection) {
                throw QueueMisuseException.withAction(
                        handler
                                + " has unbound the connection of AcidQ's transaction from its thread, so what follows would be"
                                + " committed apart from it; the transaction is rolled back",
                        "remove the calls of TransactionSynchronizationManager");
            }
            if (isActive && !TransactionSynchronizationManager.isActualTransactionActive()) {
                throw QueueMisuseException.withAction(
                        handler
                                + " has cleared Spring's state of AcidQ's transaction on its thread, so the message cannot be"
                                + " acknowledged in it; the transaction is rolled back",
                        "remove the calls of TransactionSynchronizationManager");
            }
            if (connection != null && isClosed(connection())) {
                throw QueueMisuseException.withAction(
                        handler
                                + " has closed the connection of AcidQ's transaction, or has given it back to its pool; the transaction"
                                + " is rolled back if that pool does so",
                        "release the connections of DataSourceUtils.getConnection with DataSourceUtils.releaseConnection");
            }
            if (isActive && connection != null && commitsEachStatement(connection())) {
                throw QueueMisuseException.withAction(
                        handler
                                + " has switched on autocommit on the connection of AcidQ's transaction, or has ended the transaction by"
                                + " the API of JPA or Hibernate, so the message cannot be acknowledged in it. What it wrote before may"
                                + " be committed",
                        "remove setAutoCommit, and the calls that begin or end the transaction of the EntityManager or Session");
            }
            if (completion != null) {
                completion.handlerReturned();
            }
            return result;
        } finally {
            if (connection != null && TransactionSynchronizationManager.getResource(dataSource) == null) {
                TransactionSynchronizationManager.bindResource(dataSource, connection); // for the rollback
            }
            restore(locale);
            if (!isTransactional) {
                BoundResources.releaseAllBut(bound);
            }
        }
    }

    /** Keeps a connection only for managers that use a bound connection. A JPA manager would refuse one. */
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

    /** Aborts the connection, and returns it to the pool, which discards it. */
    static void abort(Connection current) {
        try {
            current.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            log.debug("the connection could not be aborted", e);
        }
        try (Connection closed = current) { // frees the place in the pool even if the handler never returns
            closed.rollback(); // a pool discards the connection because of this error; abort() alone is not enough
        } catch (SQLException | RuntimeException e) {
            log.debug("the connection is aborted", e);
        }
    }

    private void rollBack(TransactionStatus status, Throwable failure) {
        try {
            leaks.complete(status, manager::rollback, () -> {});
        } catch (RuntimeException e) {
            // The connection is lost, and with it the transaction; the first failure has the cause.
            failure.addSuppressed(e);
        }
    }

    /**
     * Joins the manager's transaction on this thread, or returns null if there is none. Only the manager knows: the connection bound to the thread can
     * be a borrowed one, kept for the duration of another database's transaction. To join changes nothing, and needs no completion.
     */
    private @Nullable TransactionStatus joined() {
        try {
            return manager.getTransaction(EXISTING);
        } catch (IllegalTransactionStateException none) {
            return null;
        }
    }

    /** Returns the connection of the transaction. Releasing it at once only decrements its user count; the transaction keeps it. */
    private Connection connection() {
        Connection connection = DataSourceUtils.getConnection(dataSource);
        DataSourceUtils.releaseConnection(connection, dataSource);
        return SessionChangeDetector.target(connection);
    }

    /** Returns the current database without a statement: the drivers track it. Options of both drivers make it a schema in place of a catalog. */
    private static @Nullable String database(Connection connection) throws SQLException {
        String catalog = connection.getCatalog();
        return catalog == null || catalog.equals(NO_CATALOG) ? connection.getSchema() : catalog;
    }

    private void requireTransaction(Connection connection) {
        if (commitsEachStatement(connection)) {
            throw new QueueMisuseException(
                    "transactions of " + manager.getClass().getName() + " do not reach the DataSource " + dataSource
                            + ", whose connection commits each statement: use the transaction manager of that DataSource");
        }
    }

    private static boolean isClosed(Connection connection) {
        try {
            return connection.isClosed(); // without a statement
        } catch (SQLException e) { // the connection is lost, which the next statement shows
            return false;
        }
    }

    /** Returns whether the connection is in autocommit mode, so the manager has begun no transaction on it. */
    private static boolean commitsEachStatement(Connection connection) {
        try {
            return connection.getAutoCommit();
        } catch (SQLException e) {
            throw new TransientQueueException(
                    "the connection of the transaction is not usable: " + e.getMessage()
                            + ". Roll the transaction back and run it again as a whole",
                    e);
        }
    }

    /** Joins each existing transaction. Read-only, because a manager that validates existing transactions lets only such a one join a read-only transaction. */
    private static TransactionDefinition existing() {
        DefaultTransactionDefinition definition =
                definition(TransactionDefinition.PROPAGATION_MANDATORY, TransactionDefinition.ISOLATION_DEFAULT);
        definition.setReadOnly(true);
        return definition;
    }

    private static DefaultTransactionDefinition definition(int propagation, int isolation) {
        DefaultTransactionDefinition definition = new DefaultTransactionDefinition(propagation);
        definition.setIsolationLevel(isolation);
        definition.setName("AcidQ");
        return definition;
    }

    /**
     * Runs one of two callbacks after the end of a transaction. If another synchronization throws after the commit, Spring skips {@link
     * #afterCommit} and still calls {@link #afterCompletion}.
     */
    static final class AfterEnd implements TransactionSynchronization {

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

        private void notifyOnce(Runnable callback) {
            if (notified) {
                return;
            }
            notified = true;
            try {
                callback.run();
            } catch (Throwable e) { // an Error too: it must not look like a failed commit
                log.warn("a callback after the end of a transaction threw; the transaction is not affected", e);
            }
        }
    }
}
