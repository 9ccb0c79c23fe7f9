package io.acidq.examples.jta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.arjuna.ats.internal.jta.transaction.arjunacore.BaseTransaction;
import com.mysql.cj.jdbc.MysqlXADataSource;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.Delivery;
import io.acidq.MessageQueue;
import io.acidq.Outcome;
import io.acidq.admin.DeadLetters;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.resilience.RetryPolicy;
import io.acidq.spring.EnableAcidQ;
import io.acidq.spring.QueueErrorHandler;
import io.acidq.spring.QueueListener;
import io.acidq.spring.transaction.SpringTransactions;
import io.acidq.store.Store;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import io.agroal.api.AgroalDataSource;
import jakarta.transaction.TransactionManager;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.jta.JtaTransactionManager;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Handlers that begin a JTA transaction, or suspend AcidQ's, and do not end it; inner transactions, savepoints and callbacks in AcidQ's. */
class JtaLeakIT {

    record Step(long id) {}

    static class Leaks {

        final List<Integer> timeouts = new CopyOnWriteArrayList<>();
        private final JdbcTemplate jdbc;
        private final PlatformTransactionManager manager;

        Leaks(JdbcTemplate jdbc, PlatformTransactionManager manager) {
            this.jdbc = jdbc;
            this.manager = manager;
        }

        @QueueListener(queue = "leaks", concurrency = "1")
        void leak(Step step, Delivery delivery) {
            insert(step.id() * 10 + delivery.attempt());
            if (delivery.attempt() == 1) {
                begin(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
                insert(step.id() * 10);
            }
        }

        @QueueListener(queue = "always", concurrency = "1")
        void alwaysSuspends(Step step) {
            insert(step.id());
            begin(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
        }

        /** By JTA itself, so Spring still takes AcidQ's transaction for the current one. */
        @QueueListener(queue = "jta", concurrency = "1")
        void suspendsByJta(Step step, Delivery delivery) throws Exception {
            insert(step.id() * 10 + delivery.attempt());
            if (delivery.attempt() == 1) {
                TransactionManager jta = ((JtaTransactionManager) manager).getTransactionManager();
                jta.suspend();
                jta.begin();
                insert(step.id() * 10);
            }
        }

        @QueueListener(queue = "timeouts", concurrency = "1")
        void leavesATimeout(Step step) throws Exception {
            TransactionManager jta = ((JtaTransactionManager) manager).getTransactionManager();
            timeouts.add(((BaseTransaction) jta).getTimeout());
            jta.setTransactionTimeout(77);
            insert(step.id());
        }

        @QueueListener(queue = "inner", concurrency = "1")
        void endsAnInnerTransaction(Step step) {
            insert(step.id());
            TransactionTemplate inner = new TransactionTemplate(manager);
            inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
            inner.executeWithoutResult(status -> insert(step.id() * 10));
        }

        @QueueListener(queue = "recovered", concurrency = "1", errorHandler = "recovery")
        void failsAtOddSteps(Step step) {
            endsAnInnerTransaction(step);
            if (step.id() % 2 == 1) {
                throw new IllegalStateException("odd");
            }
        }

        @QueueListener(queue = "shared", concurrency = "1", transactionSize = "10")
        void sharesItsTransaction(Step step) {
            insert(step.id());
            if (step.id() == 3) {
                throw new IllegalStateException("three");
            }
        }

        /** As a callback that begins an inner transaction while the pool is empty. */
        @QueueListener(queue = "callbacks", concurrency = "1")
        void registersACallback(Step step) {
            insert(step.id());
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    throw new CannotCreateTransactionException("the pool is empty");
                }
            });
        }

        private void begin(int propagation) {
            manager.getTransaction(new DefaultTransactionDefinition(propagation));
        }

        private void insert(long id) {
            jdbc.update("INSERT INTO effect VALUES (?)", id);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAcidQ
    static class Application {}

    @TempDir
    private Path log;

    private final TestDatabase database = TestServers.get(ServerKind.MYSQL).createDatabase();
    private final HikariDataSource own = new HikariDataSource();
    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private Coordinator coordinator;
    private AgroalDataSource effects;

    @BeforeEach
    void start() throws Exception {
        Server server =
                new Server(database.jdbcUrl(), database.username(), database.password(), MysqlXADataSource.class);
        coordinator = new Coordinator(log, "leaks", server);
        effects = coordinator.enlisted(server);
        own.setJdbcUrl(server.url());
        own.setUsername(server.user());
        own.setPassword(server.password());
        Schema.create(own);
        new JdbcTemplate(own).execute("CREATE TABLE effect (id BIGINT NOT NULL)");
        PlatformTransactionManager manager = coordinator.transactions();
        context.registerBean(Store.class, () -> MyBatisStore.over(own, new SpringTransactions(manager, effects)));
        context.registerBean(Leaks.class, () -> new Leaks(new JdbcTemplate(effects), manager));
        context.registerBean(
                "default",
                RetryPolicy.class,
                () -> RetryPolicy.defaults().withMaxAttempts(2).withBackoff(Duration.ZERO, 1, Duration.ZERO));
        context.registerBean("recovery", QueueErrorHandler.class, () -> (message, delivery, thrown) -> {
            new JdbcTemplate(effects).update("INSERT INTO effect VALUES (?)", ((Step) message.getPayload()).id() * 100);
            return Outcome.done();
        });
        context.register(Application.class);
        context.refresh();
    }

    @AfterEach
    void close() {
        context.close();
        effects.close();
        coordinator.close();
        own.close();
        database.drop();
    }

    @Test
    void rollsBackATransactionThatAHandlerBeganOrSuspendedAndDidNotEnd() {
        enqueue("leaks", 1, 2);
        enqueue("always", 3);

        JdbcTemplate outside = new JdbcTemplate(own);
        await().untilAsserted(() -> {
            assertThat(outside.queryForObject("SELECT COUNT(*) FROM acidq_message", Integer.class))
                    .isZero();
            assertThat(outside.queryForObject("SELECT COUNT(*) FROM acidq_dead", Integer.class))
                    .isOne();
        });
        assertThat(outside.queryForList("SELECT id FROM effect", Long.class)).containsExactlyInAnyOrder(12L, 22L);
        assertThat(context.getBean(DeadLetters.class).list("always", 10))
                .singleElement()
                .satisfies(dead -> assertThat(dead.error())
                        .contains("Leaks.alwaysSuspends(Step)", "suspended AcidQ's transaction and did not resume it"));
        await().untilAsserted(
                        () -> assertThat(effects.getMetrics().activeCount()).isZero());
    }

    @Test
    void rollsBackATransactionThatAHandlerSuspendedByJta() {
        enqueue("jta", 1, 2);

        JdbcTemplate outside = new JdbcTemplate(own);
        await().untilAsserted(() -> assertThat(outside.queryForList("SELECT id FROM effect", Long.class))
                .containsExactlyInAnyOrder(12L, 22L));
        await().untilAsserted(
                        () -> assertThat(effects.getMetrics().activeCount()).isZero());
    }

    @Test
    void doesNotPassTheTimeoutOfOneHandlerToTheNext() {
        enqueue("timeouts", 1, 2);

        JdbcTemplate outside = new JdbcTemplate(own);
        await().untilAsserted(() -> assertThat(outside.queryForList("SELECT id FROM effect", Long.class))
                .hasSize(2));
        assertThat(context.getBean(Leaks.class).timeouts).hasSize(2).doesNotContain(77);
    }

    /** None could be acknowledged: the check used a handle of the connection that Spring had released. */
    @Test
    void acknowledgesAHandlerThatEndedAnInnerTransaction() {
        enqueue("inner", 1, 2);

        awaitEnd("inner", 0);
        assertThat(effects()).containsExactlyInAnyOrder(1L, 10L, 2L, 20L);
    }

    /** Connector/J refuses the savepoints of JDBC in a transaction of JTA, and each message was dead. */
    @Test
    void rollsTheHandlerBackToASavepointBeforeItsErrorHandlerIsCalled() {
        enqueue("recovered", 1, 2);

        awaitEnd("recovered", 0);
        assertThat(effects()).containsExactlyInAnyOrder(10L, 100L, 2L, 20L);
    }

    @Test
    void rollsOneMessageOfASharedTransactionBackToASavepoint() {
        enqueue("shared", 1, 2, 3, 4, 5);

        awaitEnd("shared", 1);
        assertThat(effects()).containsExactlyInAnyOrder(1L, 2L, 4L, 5L);
    }

    /** The transaction stayed open with its locks until the timeout of JTA, so the failure could not be recorded. */
    @Test
    void rollsBackWhenACallbackBeforeTheCommitThrowsAnExceptionOfSpringsTransactions() {
        enqueue("callbacks", 1);

        awaitEnd("callbacks", 1);
        assertThat(context.getBean(DeadLetters.class).list("callbacks", 10))
                .singleElement()
                .satisfies(dead -> assertThat(dead.error())
                        .contains("Leaks.registersACallback(Step)", "beforeCommit", "the pool is empty"));
        assertThat(effects()).isEmpty();
        await().untilAsserted(
                        () -> assertThat(effects.getMetrics().activeCount()).isZero());
    }

    private void awaitEnd(String queue, int dead) {
        await().untilAsserted(() -> {
            assertThat(new JdbcTemplate(own).queryForObject("SELECT COUNT(*) FROM acidq_message", Integer.class))
                    .isZero();
            assertThat(context.getBean(DeadLetters.class).list(queue, 10)).hasSize(dead);
        });
    }

    private List<Long> effects() {
        return new JdbcTemplate(own).queryForList("SELECT id FROM effect", Long.class);
    }

    private void enqueue(String queue, long... ids) {
        new TransactionTemplate(coordinator.transactions())
                .executeWithoutResult(status -> List.of(ids).forEach(each -> {
                    for (long id : each) {
                        context.getBean(MessageQueue.class).enqueue(queue, new Step(id));
                    }
                }));
    }
}
