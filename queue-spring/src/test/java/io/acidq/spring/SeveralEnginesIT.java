package io.acidq.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.acidq.MessageQueue;
import io.acidq.QueueMisuseException;
import io.acidq.engine.Engine;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.spring.transaction.SpringTransactions;
import io.acidq.testservers.ServerKind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Two databases with one engine each. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class SeveralEnginesIT {

    record Order(long id) {}

    /** The other database, with its pool. */
    static class Billing implements AutoCloseable {

        static ServerKind kind = ServerKind.MYSQL;

        final TestPool pool = TestPool.on(kind);
        final JdbcTransactionManager manager = new JdbcTransactionManager(pool);
        final JdbcTemplate jdbc = new JdbcTemplate(pool);

        Billing() {
            Schema.create(pool);
            jdbc.execute("CREATE TABLE effect (id BIGINT NOT NULL, note VARCHAR(100))");
        }

        @Override
        public void close() {
            pool.close();
        }
    }

    static class Work {

        private final JdbcTemplate main;
        private final Billing billing;

        Work(JdbcTemplate main, Billing billing) {
            this.main = main;
            this.billing = billing;
        }

        @QueueListener(queue = "orders")
        void inMain(Order order) {
            main.update("INSERT INTO effect VALUES (?, 'main')", order.id());
        }

        /** The same queue, in another database. */
        @QueueListener(queue = "orders", transactionManager = "${billing.manager:billingTransactionManager}")
        void inBilling(Order order) {
            billing.jdbc.update("INSERT INTO effect VALUES (?, 'billing')", order.id());
        }
    }

    /** Publishes into either database. */
    static class Placing {

        @Publish(queue = "orders")
        public Order inMain(Order order) {
            return order;
        }

        @Publish(queue = "orders", transactionManager = "billingTransactionManager")
        public Order inBilling(Order order) {
            return order;
        }
    }

    /** Injects the main queue without a qualifier, and the other by the name of its engine. */
    record Shop(MessageQueue main, @Qualifier("billing") MessageQueue billing) {}

    @Configuration(proxyBeanMethods = false)
    static class TwoDatabases {

        @Bean
        Billing billingDatabase() {
            return new Billing();
        }

        @Bean
        PlatformTransactionManager billingTransactionManager(Billing database) {
            return database.manager;
        }

        // snippet:engine
        @Bean
        QueueEngine billing(
                Billing database, @Qualifier("billingTransactionManager") PlatformTransactionManager manager) {
            return QueueEngine.over(MyBatisStore.over(database.pool, new SpringTransactions(manager, database.pool)));
        }
        // /snippet

        @Bean
        Work work(JdbcTemplate main, Billing billing) {
            return new Work(main, billing);
        }

        @Bean
        Placing placing() {
            return new Placing();
        }

        @Bean
        Shop shop(MessageQueue main, @Qualifier("billing") MessageQueue billing) {
            return new Shop(main, billing);
        }
    }

    private final QueueApplication application;

    SeveralEnginesIT(ServerKind kind) {
        Billing.kind = kind;
        this.application = new QueueApplication(kind, TwoDatabases.class);
    }

    @AfterEach
    void close() {
        application.close();
    }

    @Test
    void runsEachListenerInTheEngineOfItsTransactionManager() {
        Shop shop = application.bean(Shop.class);
        Billing billing = application.bean(Billing.class);
        application.transaction.executeWithoutResult(s -> shop.main().enqueue("orders", new Order(1)));
        new TransactionTemplate(billing.manager)
                .executeWithoutResult(s -> shop.billing().enqueue("orders", new Order(2)));

        await().atMost(Duration.ofSeconds(30))
                .until(() -> application.notes().equals(List.of("main"))
                        && billing.jdbc
                                .queryForList("SELECT CONCAT(id, note) FROM effect", String.class)
                                .equals(List.of("2billing")));
        assertThat(application.effectIds()).containsExactly(1L);
        application.drained();
    }

    @Test
    void refusesToEnqueueInTheTransactionOfAnotherDatabase() {
        Shop shop = application.bean(Shop.class);
        assertThatThrownBy(() -> application.transaction.executeWithoutResult(
                        s -> shop.billing().enqueue("orders", new Order(1))))
                .isInstanceOf(QueueMisuseException.class);
    }

    @Test
    void routesByTransactionManagerAndNamesTheKnownOnes() {
        QueueEngines engines = application.bean(QueueEngines.class);

        assertThat(engines.nameOf("transactionManager")).isEqualTo(QueueEngines.MAIN);
        assertThat(engines.nameOf("billingTransactionManager")).isEqualTo("billing");
        assertThatThrownBy(() -> engines.nameOf("none"))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("billingTransactionManager, transactionManager");
    }

    @Test
    void publishesIntoTheDatabaseOfTheTransactionManager() {
        Placing placing = application.bean(Placing.class);
        Billing billing = application.bean(Billing.class);
        application.transaction.executeWithoutResult(s -> placing.inMain(new Order(1)));
        new TransactionTemplate(billing.manager).executeWithoutResult(s -> placing.inBilling(new Order(2)));

        await().until(() -> application.effectIds().equals(List.of(1L))
                && billing.jdbc
                        .queryForList("SELECT id FROM effect", Long.class)
                        .equals(List.of(2L)));
        assertThatThrownBy(() -> application.transaction.executeWithoutResult(s -> placing.inBilling(new Order(3))))
                .isInstanceOf(QueueMisuseException.class);
    }

    @Test
    void stopsAndStartsAllEngines() {
        Engine main = application.bean(Engine.class);
        Engine billing = application.bean(QueueEngine.class).engine();
        assertThat(billing).isNotSameAs(main);
        assertThat(billing.isRunning()).isTrue();
        SmartLifecycle lifecycle = application.lifecycle();

        lifecycle.stop();
        assertThat(List.of(main.isRunning(), billing.isRunning())).containsOnly(false);
        lifecycle.start();
        assertThat(List.of(main.isRunning(), billing.isRunning())).containsOnly(true);
    }

    /** An engine continued its heartbeat when another engine could not start, and its node looked alive. */
    @Test
    void stopsTheStartedEnginesWhenOneFailsToStart() {
        Engine main = application.bean(Engine.class);
        SmartLifecycle lifecycle = application.lifecycle();
        lifecycle.stop();
        application.bean(Billing.class).jdbc.execute("DROP TABLE acidq_message");

        assertThatThrownBy(lifecycle::start).isInstanceOf(QueueMisuseException.class);

        assertThat(main.isRunning()).isFalse();
        assertThat(lifecycle.isRunning()).isFalse();
        assertThat(AcidqThreads.alive()).isEmpty();
    }
}
