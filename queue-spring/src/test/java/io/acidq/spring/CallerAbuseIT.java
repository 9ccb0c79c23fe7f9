package io.acidq.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.MessageQueue;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.admin.Operator;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.engine.Engine;
import io.acidq.engine.EngineBuilder;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.resilience.RetryPolicy;
import io.acidq.spring.transaction.SpringTransactions;
import io.acidq.testservers.ServerKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Cases 51 to 53 of docs/en/proof.md with Spring: enqueues around the end of a transaction, and handlers that change their session. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class CallerAbuseIT {

    private final ServerKind kind;
    private TestPool pool;
    private JdbcTemplate jdbc;
    private JdbcTransactionManager manager;
    private TransactionTemplate transaction;
    private Engine engine;
    private MessageQueue queue;

    CallerAbuseIT(ServerKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        open(TestPool.on(kind));
    }

    private void open(TestPool opened) {
        pool = opened;
        Schema.create(pool);
        jdbc = new JdbcTemplate(pool);
        manager = new JdbcTransactionManager(pool);
        transaction = new TransactionTemplate(manager);
        engine = engine(builder -> {});
        queue = engine.queue();
    }

    private Engine engine(Consumer<EngineBuilder> with) {
        EngineBuilder builder = Engine.builder(MyBatisStore.over(pool, new SpringTransactions(manager, pool)))
                .config(EngineConfig.defaults().withPolling(Duration.ofMillis(2), Duration.ofMillis(50)));
        with.accept(builder);
        return builder.build();
    }

    @AfterEach
    void close() {
        pool.close();
    }

    /** Case 52: the enqueue returned normally, but the message committed alone or, with a pool without autocommit, was lost. */
    @Test
    void refusesInACallbackAfterTheCommit() {
        for (boolean autoCommit : List.of(true, false)) {
            pool.close();
            open(autoCommit ? TestPool.on(kind) : TestPool.withoutAutoCommit(kind));
            Queue<Throwable> refusals = new ConcurrentLinkedQueue<>();
            transaction.executeWithoutResult(status -> {
                queue.enqueue("q", "before");
                inCallbacks(refusals, () -> queue.enqueue("q", "after"));
            });
            assertThat(refusals)
                    .as("afterCommit and afterCompletion, autocommit %s", autoCommit)
                    .hasSize(2);
            assertThat(refusals)
                    .allSatisfy(refusal -> assertThat(refusal)
                            .isInstanceOf(QueueMisuseException.class)
                            .hasMessageContainingAll("callback", "REQUIRES_NEW"));
            assertThat(payloads()).containsExactly("\"before\"");
        }
    }

    /** Case 52: the callback makes the first call to AcidQ on that transaction. */
    @Test
    void refusesInACallbackOfATransactionWithoutAnEarlierEnqueue() {
        Queue<Throwable> refusals = new ConcurrentLinkedQueue<>();
        transaction.executeWithoutResult(status -> inCallbacks(refusals, () -> queue.enqueue("q", "after")));
        assertThat(refusals).hasSize(2).allMatch(QueueMisuseException.class::isInstance);
        assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM acidq_message", Integer.class))
                .isZero();
    }

    /** Case 52. */
    @Test
    void refusesInACallbackAfterARollback() {
        Queue<Throwable> refusals = new ConcurrentLinkedQueue<>();
        transaction.executeWithoutResult(status -> {
            inCallbacks(refusals, () -> queue.enqueue("q", "after"));
            status.setRollbackOnly();
        });
        assertThat(refusals).as("afterCompletion").hasSize(1).allMatch(QueueMisuseException.class::isInstance);
        assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM acidq_message", Integer.class))
                .isZero();
    }

    /** Case 52: also for the inbox. */
    @Test
    void refusesTheInboxInACallbackAfterTheCommit() {
        Queue<Throwable> refusals = new ConcurrentLinkedQueue<>();
        transaction.executeWithoutResult(
                status -> inCallbacks(refusals, () -> engine.inbox().once("hooks", "k", () -> {})));
        assertThat(refusals).hasSize(2).allMatch(QueueMisuseException.class::isInstance);
    }

    /** Case 52: as the error message advises. */
    @Test
    void enqueuesInANewTransactionThatACallbackBegins() {
        TransactionTemplate another = new TransactionTemplate(manager);
        another.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        Queue<Throwable> refusals = new ConcurrentLinkedQueue<>();
        transaction.executeWithoutResult(status -> inCallbacks(refusals, () -> {
            another.executeWithoutResult(inner -> queue.enqueue("q", "in its own"));
            assertThatThrownBy(() -> queue.enqueue("q", "in the old one")).isInstanceOf(QueueMisuseException.class);
        }));
        assertThat(refusals).isEmpty();
        assertThat(payloads()).containsExactly("\"in its own\"", "\"in its own\"");
        transaction.executeWithoutResult(status -> queue.enqueue("q", "the next"));
        assertThat(payloads()).hasSize(3);
    }

    /** Case 52: a callback before the commit belongs to the transaction. */
    @Test
    void enqueuesInACallbackBeforeTheCommit() {
        transaction.executeWithoutResult(
                status -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void beforeCommit(boolean readOnly) {
                        queue.enqueue("q", "at the last moment");
                    }
                }));
        assertThat(payloads()).containsExactly("\"at the last moment\"");
    }

    /** Case 51: with PROPAGATION_NESTED, whose end is not the end of the transaction. */
    @Test
    void showsNothingOfANestedTransactionThatRolledBackAndGoesOnAfterIt() {
        TransactionTemplate nested = new TransactionTemplate(manager);
        nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
        transaction.executeWithoutResult(status -> {
            nested.executeWithoutResult(inner -> queue.enqueue("q", "kept"));
            nested.executeWithoutResult(inner -> {
                queue.enqueue("q", "undone");
                inner.setRollbackOnly();
            });
            queue.enqueue("q", "afterwards");
        });
        assertThat(payloads()).containsExactly("\"kept\"", "\"afterwards\"");
    }

    /** Case 53: a connection returned to the pool with another current database, and all later messages failed. */
    @Test
    void returnsNoConnectionThatAHandlerLeftInAnotherDatabase() {
        pool.close();
        open(TestPool.on(kind, 6));
        jdbc.execute("CREATE TABLE effect (id BIGINT NOT NULL)");
        transaction.executeWithoutResult(status -> {
            for (long i = 1; i <= 20; i++) {
                queue.enqueue("q", i);
            }
        });
        Engine worker = engine(builder -> builder.listen(Listener.on("q", Long.class, (number, delivery) -> {
                    jdbc.update("INSERT INTO effect VALUES (?)", number);
                    if (number % 7 == 0 && delivery.attempt() == 1) {
                        jdbc.execute("USE information_schema");
                    }
                    return Outcome.done();
                })
                .withConcurrency(1)
                .withRetry(RetryPolicy.defaults().withMaxAttempts(2).withFixedBackoff(Duration.ZERO))));
        try (worker) {
            worker.start();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> payloads().isEmpty());
        }
        assertThat(worker.deadLetters().list("q", 10)).isEmpty();
        assertThat(jdbc.queryForList("SELECT id FROM effect", Long.class))
                .hasSize(20)
                .doesNotHaveDuplicates();
    }

    /** It went to the replica, because the routing {@code DataSource} saw the read-only transaction of the caller. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void sendsCallsOfOperatorsInAReadOnlyTransactionToThePrimary(boolean lazy) {
        AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
            @Override
            protected Object determineCurrentLookupKey() {
                return TransactionSynchronizationManager.isCurrentTransactionReadOnly()
                                || TransactionSynchronizationManager.getCurrentTransactionIsolationLevel() != null
                                || "report".equals(TransactionSynchronizationManager.getCurrentTransactionName())
                        ? "replica"
                        : "primary";
            }
        };
        TestPool replica = TestPool.on(kind); // without tables
        routing.setTargetDataSources(Map.of("primary", pool, "replica", replica));
        routing.afterPropertiesSet();
        DataSource routed = lazy ? new LazyConnectionDataSourceProxy(routing) : routing;
        manager = new JdbcTransactionManager(routed);
        Engine routedEngine = Engine.builder(MyBatisStore.over(routed, new SpringTransactions(manager, routed)))
                .build();
        transaction.executeWithoutResult(status -> queue.enqueue("q", "order"));
        TransactionTemplate readOnly = new TransactionTemplate(manager);
        readOnly.setReadOnly(true);
        readOnly.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        readOnly.setName("report");

        readOnly.executeWithoutResult(status -> {
            routedEngine.control().pause("q", new Operator("ann", "a report"));
            assertThat(routedEngine.control().isPaused("q")).isTrue();
            assertThat(routedEngine.deadLetters().list("q", 10)).isEmpty();
            assertThat(TransactionSynchronizationManager.isCurrentTransactionReadOnly())
                    .isTrue();
            assertThat(TransactionSynchronizationManager.getCurrentTransactionName())
                    .isEqualTo("report");
        });

        assertThat(engine.control().isPaused("q")).isTrue();
        replica.close();
    }

    private static void inCallbacks(Queue<Throwable> refusals, Runnable work) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                attempt();
            }

            @Override
            public void afterCompletion(int status) {
                attempt();
            }

            private void attempt() {
                try {
                    work.run();
                } catch (RuntimeException e) {
                    refusals.add(e);
                }
            }
        });
    }

    private List<String> payloads() {
        return jdbc.queryForList("SELECT CONVERT(payload USING utf8mb4) FROM acidq_message ORDER BY id", String.class);
    }
}
