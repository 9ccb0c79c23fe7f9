package io.acidq.test.boot;

import static io.acidq.test.QueueAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.MessageQueue;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.spring.QueueEngine;
import io.acidq.spring.QueueEngines;
import io.acidq.spring.QueueListener;
import io.acidq.spring.transaction.SpringTransactions;
import io.acidq.test.TestQueue;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** An application with two engines. Regression: threads of the second engine took its messages from the test. */
class TwoDatabasesIT {

    record Order(long id) {}

    /** The beans that a test needs of each database. */
    record Both(
            TestQueue main,
            @Qualifier("billing") TestQueue billing,
            @Qualifier("billing") MessageQueue queue) {}

    static class Work {

        final List<String> seen = new CopyOnWriteArrayList<>();

        @QueueListener(queue = "orders")
        void main(Order order) {
            seen.add("main " + order.id());
        }

        @QueueListener(queue = "orders", transactionManager = "billingManager")
        void billing(Order order) {
            seen.add("billing " + order.id());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @AutoConfigureTestQueue
    static class Application {

        private static ServerKind kind = ServerKind.MYSQL;

        static HikariDataSource database() {
            TestDatabase database = TestServers.get(kind).createDatabase();
            HikariDataSource pool = new HikariDataSource();
            pool.setJdbcUrl(database.jdbcUrl());
            pool.setUsername(database.username());
            pool.setPassword(database.password());
            pool.setMaximumPoolSize(4);
            Schema.create(pool);
            return pool;
        }

        @Bean
        @Primary
        HikariDataSource mainPool() {
            return database();
        }

        @Bean(defaultCandidate = false)
        HikariDataSource billingPool() {
            return database();
        }

        @Bean
        @Primary
        PlatformTransactionManager mainManager(HikariDataSource pool) {
            return new JdbcTransactionManager(pool);
        }

        @Bean(defaultCandidate = false)
        PlatformTransactionManager billingManager(@Qualifier("billingPool") HikariDataSource pool) {
            return new JdbcTransactionManager(pool);
        }

        @Bean
        QueueEngine billing(
                @Qualifier("billingPool") HikariDataSource pool,
                @Qualifier("billingManager") PlatformTransactionManager manager) {
            return QueueEngine.over(MyBatisStore.over(pool, new SpringTransactions(manager, pool)));
        }

        @Bean
        Work work() {
            return new Work();
        }

        @Bean
        Both both(TestQueue main, @Qualifier("billing") TestQueue billing, @Qualifier("billing") MessageQueue queue) {
            return new Both(main, billing, queue);
        }
    }

    @ParameterizedTest
    @EnumSource(ServerKind.class)
    void givesATestTheQueueOfEachDatabase(ServerKind kind) {
        Application.kind = kind;
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class).run()) {
            assertThat(context.getBean(QueueEngines.class).all().values())
                    .hasSize(2)
                    .noneMatch(engine -> engine.isRunning());
            Both both = context.getBean(Both.class);
            TransactionTemplate billing =
                    new TransactionTemplate(context.getBean("billingManager", PlatformTransactionManager.class));
            billing.executeWithoutResult(s -> both.queue().enqueue("orders", new Order(7)));

            assertThat(both.main()).isEmpty();
            assertThat(both.billing()).enqueued(Order.class).inQueue("orders").once();
            both.main().drain();
            assertThat(context.getBean(Work.class).seen).isEmpty();
            both.billing().drain().allDone();
            assertThat(context.getBean(Work.class).seen).containsExactly("billing 7");
        }
    }
}
