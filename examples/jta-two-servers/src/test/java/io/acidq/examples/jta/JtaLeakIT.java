package io.acidq.examples.jta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.arjuna.ats.internal.jta.transaction.arjunacore.BaseTransaction;
import com.mysql.cj.jdbc.MysqlXADataSource;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.Delivery;
import io.acidq.MessageQueue;
import io.acidq.admin.DeadLetters;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.resilience.RetryPolicy;
import io.acidq.spring.EnableAcidQ;
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
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.jta.JtaTransactionManager;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Handlers that begin a JTA transaction, or suspend AcidQ's, and do not end it. */
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

    private void enqueue(String queue, long... ids) {
        new TransactionTemplate(coordinator.transactions())
                .executeWithoutResult(status -> List.of(ids).forEach(each -> {
                    for (long id : each) {
                        context.getBean(MessageQueue.class).enqueue(queue, new Step(id));
                    }
                }));
    }
}
