package io.acidq.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.spring.transaction.SpringTransactions;
import io.acidq.store.Transactions;
import io.acidq.testservers.ServerKind;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

@ParameterizedClass
@EnumSource(ServerKind.class)
class SpringTransactionsIT {

    private final ServerKind kind;
    private final TestPool pool;
    private final JdbcTemplate jdbc;
    private final JdbcTransactionManager manager;
    private final TransactionTemplate transaction;
    private final SpringTransactions transactions;

    SpringTransactionsIT(ServerKind kind) {
        this.kind = kind;
        this.pool = TestPool.on(kind, 4);
        this.jdbc = new JdbcTemplate(pool);
        this.manager = new JdbcTransactionManager(pool);
        this.transaction = new TransactionTemplate(manager);
        this.transactions = new SpringTransactions(manager, pool);
    }

    @BeforeEach
    void createTables() {
        jdbc.execute("CREATE TABLE effect (id INT NOT NULL)");
        pool.createStock();
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void seesNoTransactionOutsideOfOne() {
        assertThat(transactions.current()).isNull();
        assertThat(transactions.isReadOnly()).isFalse();
    }

    @Test
    void joinsTheCallersTransaction() {
        transaction.executeWithoutResult(status -> {
            assertThat(transactions.current()).isSameAs(DataSourceUtils.getConnection(pool));
            insert(1);
        });

        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void seesNoTransactionOfAnotherDataSource() {
        try (TestPool foreign = TestPool.on(kind)) {
            new TransactionTemplate(new DataSourceTransactionManager(foreign)).executeWithoutResult(status -> {
                assertThat(transactions.current()).isNull();
                effects(); // binds a connection of ours to the thread, in no transaction
                assertThat(transactions.current()).isNull();
            });
        }
    }

    @Test
    void seesNoTransactionOfAnotherDataSourceInAPoolWithoutAutoCommit() {
        try (TestPool ours = TestPool.withoutAutoCommit(kind)) {
            SpringTransactions port = new SpringTransactions(new JdbcTransactionManager(ours), ours);
            transaction.executeWithoutResult(foreign -> {
                new JdbcTemplate(ours)
                        .queryForObject("SELECT 1", Integer.class); // a borrowed connection, rolled back later
                assertThat(port.current()).isNull();
            });
        }
    }

    @Test
    void seesItsOwnTransactionAroundOneOfAnotherDataSource() {
        try (TestPool foreign = TestPool.on(kind)) {
            transaction.executeWithoutResult(outer -> new TransactionTemplate(new DataSourceTransactionManager(foreign))
                    .executeWithoutResult(
                            inner -> assertThat(transactions.current()).isSameAs(DataSourceUtils.getConnection(pool))));
        }
    }

    @Test
    void seesNoTransactionInSynchronizationAlone() {
        TransactionTemplate supports = template(TransactionDefinition.PROPAGATION_SUPPORTS);
        supports.executeWithoutResult(status -> {
            effects();
            assertThat(transactions.current()).isNull();
        });
    }

    @Test
    void seesNoTransactionThatIsSuspended() {
        TransactionTemplate outside = template(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
        transaction.executeWithoutResult(outer -> outside.executeWithoutResult(
                inner -> assertThat(transactions.current()).isNull()));
    }

    /** Left by a handler of JPA, whose statements AcidQ does not see. */
    @Test
    void closesAConnectionWhoseSessionMayOnlyRead() throws Exception {
        try (TestPool single = TestPool.on(kind, 1)) {
            JdbcTemplate own = new JdbcTemplate(single);
            SpringTransactions onSingle = new SpringTransactions(new JdbcTransactionManager(single), single);
            own.execute("CREATE TABLE written (id INT NOT NULL)");
            own.execute("SET SESSION TRANSACTION READ ONLY");

            assertThatThrownBy(() -> onSingle.inNew(() -> own.update("INSERT INTO written VALUES (1)")))
                    .hasMessageContaining("READ ONLY");
            assertThat(onSingle.inNew(() -> own.update("INSERT INTO written VALUES (1)")))
                    .isEqualTo(1);
        }
    }

    @Test
    void recognizesAReadOnlyTransaction() {
        TransactionTemplate readOnly = new TransactionTemplate(manager);
        readOnly.setReadOnly(true);
        readOnly.executeWithoutResult(status -> {
            assertThat(transactions.current()).isNotNull();
            assertThat(transactions.isReadOnly()).isTrue();
        });
    }

    @Test
    void seesTheTransactionBehindSpringsProxies() {
        DataSource lazy = new LazyConnectionDataSourceProxy(pool);
        assertJoins(pool, new TransactionAwareDataSourceProxy(pool));
        assertJoins(new TransactionAwareDataSourceProxy(pool), pool);
        assertJoins(lazy, lazy);
        assertJoins(lazy, pool);
        assertJoins(pool, lazy);
        assertJoins(lazy, new TransactionAwareDataSourceProxy(lazy));
    }

    private void assertJoins(DataSource managed, DataSource queues) {
        DataSourceTransactionManager other = new DataSourceTransactionManager(managed);
        SpringTransactions port = new SpringTransactions(other, queues);
        int before = effects();
        new TransactionTemplate(other).executeWithoutResult(status -> {
            Connection connection = port.current();
            assertThat(connection).isNotNull();
            try (Statement statement = connection.createStatement()) {
                statement.execute("INSERT INTO effect VALUES (9)");
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
            status.setRollbackOnly();
        });
        assertThat(effects()).isEqualTo(before);
    }

    /** A bug: no transaction seemed to be open, so an enqueue asked for {@code @Transactional}, which was there. */
    @Test
    void seesAReadOnlyTransactionOfAManagerThatValidatesExistingTransactions() {
        manager.setValidateExistingTransaction(true);
        transaction.setReadOnly(true);
        transaction.executeWithoutResult(status -> {
            assertThat(transactions.current()).isNotNull();
            assertThat(transactions.isReadOnly()).isTrue();
        });
        transaction.setReadOnly(false);
        transaction.executeWithoutResult(status -> {
            assertThat(transactions.current()).isNotNull();
            assertThat(transactions.isReadOnly()).isFalse();
        });
    }

    /** Each enqueue and each acknowledgement failed, because no transaction seemed to be open. */
    @Test
    void refusesAManagerWhoseTransactionsDoNotShowOnTheirThread() {
        manager.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);

        assertThatThrownBy(() -> new SpringTransactions(manager, pool))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("SYNCHRONIZATION_NEVER", "SYNCHRONIZATION_ON_ACTUAL_TRANSACTION");
    }

    @Test
    void refusesAManagerOfAnotherDataSource() {
        try (TestPool foreign = TestPool.on(kind)) {
            assertThatThrownBy(() -> new SpringTransactions(manager, foreign))
                    .isInstanceOf(QueueMisuseException.class)
                    .hasMessageContaining("same DataSource");
        }
    }

    /** A manager of transactions that are not those of a DataSource, such as those of a broker. */
    private static class ForeignManager extends AbstractPlatformTransactionManager {

        private static final long serialVersionUID = 1L;
        private static final ThreadLocal<Boolean> ACTIVE = ThreadLocal.withInitial(() -> false);

        @Override
        protected Object doGetTransaction() {
            return "transaction";
        }

        @Override
        protected boolean isExistingTransaction(Object begun) {
            return ACTIVE.get();
        }

        @Override
        protected void doBegin(Object begun, TransactionDefinition definition) {
            ACTIVE.set(true);
        }

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}

        @Override
        protected void doCleanupAfterCompletion(Object begun) {
            ACTIVE.remove();
        }
    }

    private static final class ForeignResourceManager extends ForeignManager implements ResourceTransactionManager {

        private static final long serialVersionUID = 1L;

        @Override
        public Object getResourceFactory() {
            return "broker";
        }
    }

    @Test
    void refusesAManagerWithoutADataSource() {
        assertThatThrownBy(() -> new SpringTransactions(new ForeignResourceManager(), pool))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("ForeignResourceManager");
    }

    @Test
    void ignoresTransactionsThatDoNotReachItsDataSource() {
        ForeignManager foreign = new ForeignManager();
        SpringTransactions port = new SpringTransactions(foreign, pool);

        new TransactionTemplate(foreign)
                .executeWithoutResult(status -> assertThat(port.current()).isNull());
        assertThatThrownBy(() -> port.inNew(() -> {
                    insert(1);
                    return "done";
                }))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("commits each statement");
        assertThat(effects()).isZero();
    }

    @Test
    void callsTheCallbackAfterTheCommit() {
        AtomicInteger seenFromOutside = new AtomicInteger();
        transaction.executeWithoutResult(status -> {
            insert(1);
            transactions.afterCommit(() -> seenFromOutside.set(effectsFromOutside()));
            assertThat(effectsFromOutside()).isZero();
        });

        assertThat(seenFromOutside).hasValue(1);
    }

    @Test
    void callsOneOfTwoCallbacksAfterTheEnd() {
        List<String> ends = new ArrayList<>();
        transaction.executeWithoutResult(
                status -> transactions.afterEnd(() -> ends.add("committed"), () -> ends.add("not committed")));
        transaction.executeWithoutResult(status -> {
            transactions.afterEnd(() -> ends.add("committed"), () -> ends.add("rolled back"));
            status.setRollbackOnly();
        });

        assertThat(ends).containsExactly("committed", "rolled back");
    }

    @Test
    void callsTheCallbackOfTheCommitAlsoIfAnotherCallbackThrows() {
        List<String> ends = new ArrayList<>();
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                        @Override
                        public void afterCommit() {
                            throw new IllegalStateException("the application's");
                        }
                    });
                    transactions.afterEnd(() -> ends.add("committed"), () -> ends.add("not committed"));
                }))
                .hasMessage("the application's");

        assertThat(ends).containsExactly("committed");
    }

    @Test
    void keepsTheCommitWhenACallbackThrows() {
        assertThatCode(() -> transaction.executeWithoutResult(status -> {
                    insert(1);
                    transactions.afterCommit(() -> {
                        throw new IllegalStateException("hint");
                    });
                }))
                .doesNotThrowAnyException();

        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void commitsANewTransactionSeparatelyFromTheCallers() throws Exception {
        transaction.execute(outer -> {
            insert(1);
            assertThatCode(() -> transactions.inNew(() -> {
                        assertThat(transactions.current()).isNotNull();
                        insert(2);
                        return "done";
                    }))
                    .doesNotThrowAnyException();
            outer.setRollbackOnly();
            return null;
        });

        assertThat(jdbc.queryForList("SELECT id FROM effect", Integer.class)).containsExactly(2);
    }

    @Test
    void runsWorkAtReadCommittedAndResetsTheConnection() throws Exception {
        try (TestPool one = TestPool.on(kind, 1)) {
            SpringTransactions port = new SpringTransactions(new JdbcTransactionManager(one), one);
            int before = isolation(one);
            int inside = port.inNew(() -> isolation(one));

            assertThat(before).isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
            assertThat(inside).isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
            assertThat(isolation(one)).isEqualTo(before);
        }
    }

    @Test
    void rethrowsTheExceptionOfTheWorkAndRollsBack() {
        for (Throwable failure : new Throwable[] {
            new IOException("checked"), new IllegalStateException("unchecked"), new AssertionError("error")
        }) {
            assertThatThrownBy(() -> transactions.inNew(() -> {
                        insert(1);
                        throw sneaky(failure);
                    }))
                    .isSameAs(failure);
        }
        assertThat(effects()).isZero();
    }

    @Test
    void doesNotCommitWorkThatIsMarkedForRollback() {
        assertThatThrownBy(() -> transactions.inNew(() -> {
                    insert(1);
                    transaction.executeWithoutResult(inner -> inner.setRollbackOnly());
                    return "done";
                }))
                .isInstanceOf(UnexpectedRollbackException.class);

        assertThat(effects()).isZero();
    }

    @Test
    void neverCommitsAfterASwallowedDeadlock() {
        assertThatThrownBy(() -> transactions.inNew(this::swallowADeadlock))
                .isInstanceOf(TransientQueueException.class)
                .hasMessageContaining("swallowed a deadlock")
                .cause()
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1305));

        assertThat(effects()).isZero();
    }

    /** The reason for the detection: without it, the same work commits its second half alone. */
    @Test
    void commitsHalfOfTheWorkAfterASwallowedDeadlockWithoutDetection() throws Exception {
        new SpringTransactions(manager, pool, false).inNew(this::swallowADeadlock);

        assertThat(jdbc.queryForList("SELECT id FROM effect", Integer.class)).containsExactly(2);
    }

    private String swallowADeadlock() {
        insert(1);
        pool.becomeDeadlockVictim();
        insert(2);
        return "done";
    }

    /** The message counted as done, and its effect and its acknowledgement were rolled back. Spring swallows what beforeCompletion throws. */
    @ParameterizedTest
    @ValueSource(strings = {"beforeCommit", "beforeCompletion"})
    void neverCommitsAfterADeadlockInACallbackBeforeTheCommit(String callback) {
        assertThatThrownBy(() -> transactions.inNew(() -> {
                    insert(1);
                    inCallback(callback, () -> {
                        pool.becomeDeadlockVictim();
                        insert(2);
                    });
                    return null;
                }))
                .isInstanceOf(TransientQueueException.class)
                .hasMessageContaining("beforeCompletion");

        assertThat(effects()).isZero();
    }

    /** The acknowledgement was undone with the effect, and the message counted as done. */
    @Test
    void failsWhenACallbackRollsBackToASavepointOfTheWork() {
        assertThatThrownBy(() -> transactions.inNew(() -> workWithANestedTransaction("beforeCommit")))
                .hasMessageContainingAll("a callback before the commit", "Could not roll back to JDBC savepoint")
                .hasRootCauseInstanceOf(SQLException.class);

        assertThat(effects()).isZero();
    }

    /** Spring logs what beforeCompletion throws. */
    @Test
    void commitsAllWhenACallbackBeforeTheCompletionFailsToRollBackToASavepointOfTheWork() throws Exception {
        transactions.inNew(() -> workWithANestedTransaction("beforeCompletion"));

        assertThat(effects()).isEqualTo(2);
    }

    private Object workWithANestedTransaction(String callback) {
        TransactionStatus nested =
                manager.getTransaction(new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_NESTED));
        insert(1);
        inCallback(callback, () -> manager.rollback(nested));
        insert(2);
        return "done";
    }

    /** It was called after the check. */
    @Test
    void neverCommitsAfterADeadlockInAListenerThatWasAddedLater() {
        manager.addListener(new TransactionExecutionListener() {
            @Override
            public void beforeCommit(TransactionExecution ended) {
                if (ended.getTransactionName().equals("AcidQ")) {
                    pool.becomeDeadlockVictim();
                    insert(2);
                }
            }
        });
        SpringTransactions others = new SpringTransactions(manager, pool);

        for (SpringTransactions each : List.of(transactions, others)) {
            assertThatThrownBy(() -> each.inNew(() -> {
                        insert(1);
                        return null;
                    }))
                    .isInstanceOf(TransientQueueException.class);
        }
        assertThat(effects()).isZero();
    }

    /** Nothing told that the effects of the attempt were committed. */
    @Test
    void tellsThatFailedWorkHadSwitchedOnAutocommit() {
        assertThatThrownBy(() -> transactions.inNew(() -> transactions.callHandler("the handler", () -> {
                    jdbc.execute("SET autocommit = 1");
                    insert(1);
                    throw new IllegalStateException("no stock");
                })))
                .hasMessage("no stock")
                .satisfies(thrown -> assertThat(thrown.getSuppressed())
                        .singleElement()
                        .isInstanceOf(QueueMisuseException.class)
                        .asString()
                        .contains("the handler has lost AcidQ's transaction before it failed", "SET autocommit"));

        assertThat(effects()).as("as the text says").isEqualTo(1);
    }

    /** What the callback wrote after the DDL was lost, and its exception was told nowhere. */
    @Test
    void tellsThatACallbackWhichThrewHadLostTheTransactionByDdl() {
        assertThatThrownBy(() -> transactions.inNew(() -> {
                    insert(1);
                    inCallback("beforeCommit", () -> {
                        jdbc.execute("CREATE TABLE other (id INT)");
                        insert(2);
                        throw new IllegalStateException("no stock");
                    });
                    return null;
                }))
                .hasMessage("no stock")
                .satisfies(thrown ->
                        assertThat(thrown.getSuppressed()).singleElement().isInstanceOf(TransientQueueException.class));

        assertThat(effects()).isEqualTo(1);
    }

    /** Spring's manager for JDBC commits such a transaction, and throws after it. */
    @Test
    void rollsBackATransactionThatACallbackHasMarkedRollbackOnly() {
        assertThatThrownBy(() -> transactions.inNew(() -> {
                    insert(1);
                    inCallback(
                            "beforeCommit", () -> transaction.executeWithoutResult(joined -> joined.setRollbackOnly()));
                    return null;
                }))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("rollback-only");

        assertThat(effects()).isZero();
    }

    /** They ran at the commit of the rest, as if the work before them were there. */
    @Test
    void removesTheCallbacksThatWereRegisteredAfterASavepointWithARollbackToIt() throws Exception {
        List<Integer> completions = new ArrayList<>();
        transactions.inNew(() -> {
            inCallback("beforeCommit", () -> insert(1));
            Transactions.TransactionSavepoint before = transactions.savepoint("part");
            insert(2);
            inCallback("beforeCommit", () -> insert(3));
            inCallback("beforeCompletion", () -> insert(4));
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int status) {
                    completions.add(status);
                }
            });
            before.rollback();
            assertThat(completions).containsExactly(TransactionSynchronization.STATUS_ROLLED_BACK);
            inCallback("beforeCommit", () -> insert(5));
            return null;
        });

        assertThat(jdbc.queryForList("SELECT id FROM effect ORDER BY id", Integer.class))
                .containsExactly(1, 5);
        assertThat(completions).hasSize(1);
    }

    private static void inCallback(String name, Runnable callback) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void beforeCommit(boolean readOnly) {
                runIf("beforeCommit");
            }

            @Override
            public void beforeCompletion() {
                runIf("beforeCompletion");
            }

            private void runIf(String current) {
                if (name.equals(current)) {
                    callback.run();
                }
            }
        });
    }

    @Test
    void noticesDdlInTheWork() {
        assertNoticed("CREATE TABLE implicit_commit (id INT)", "DDL");
    }

    @Test
    void noticesACommitInTheWork() {
        assertNoticed("COMMIT", "COMMIT");
    }

    /** With these options of the drivers a database is a schema and no catalog: each failure closed a connection. */
    @Test
    void keepsTheConnectionOfFailedWorkWhereADatabaseIsNoCatalog() {
        try (TestPool schemas = pool.another("databaseTerm=SCHEMA&useCatalogTerm=SCHEMA")) {
            SpringTransactions ofSchemas = new SpringTransactions(new JdbcTransactionManager(schemas), schemas);
            String id = "SELECT CONNECTION_ID()";
            JdbcTemplate one = new JdbcTemplate(schemas);
            Long before = one.queryForObject(id, Long.class);

            assertThatThrownBy(() -> ofSchemas.inNew(() -> {
                        throw new IllegalStateException("failed");
                    }))
                    .hasMessage("failed");

            assertThat(one.queryForObject(id, Long.class)).isEqualTo(before);
        }
    }

    private void assertNoticed(String statement, String text) {
        assertThatThrownBy(() -> transactions.inNew(() -> {
                    jdbc.execute(statement);
                    insert(1);
                    return "done";
                }))
                .isInstanceOf(TransientQueueException.class)
                .hasMessageContaining(text);

        assertThat(effects()).isZero();
    }

    private void insert(int id) {
        jdbc.update("INSERT INTO effect VALUES (?)", id);
    }

    private int effects() {
        return jdbc.queryForObject("SELECT COUNT(*) FROM effect", Integer.class);
    }

    private int effectsFromOutside() {
        return CompletableFuture.supplyAsync(this::effects).join();
    }

    private static int isolation(DataSource dataSource) {
        return new JdbcTemplate(dataSource).execute(Connection::getTransactionIsolation);
    }

    private TransactionTemplate template(int propagation) {
        TransactionTemplate template = new TransactionTemplate(manager);
        template.setPropagationBehavior(propagation);
        return template;
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> RuntimeException sneaky(Throwable failure) throws X {
        throw (X) failure;
    }
}
