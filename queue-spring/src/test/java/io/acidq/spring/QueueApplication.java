package io.acidq.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.MessageQueue;
import io.acidq.admin.DeadLetter;
import io.acidq.admin.DeadLetters;
import io.acidq.codec.Codec;
import io.acidq.codec.JacksonCodec;
import io.acidq.config.EngineConfig;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.spring.transaction.SpringTransactions;
import io.acidq.store.Store;
import io.acidq.testservers.ServerKind;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/** An application in plain Spring over a new database. */
final class QueueApplication implements AutoCloseable {

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private final TestPool pool;
    final JdbcTemplate jdbc;
    final TransactionTemplate transaction;

    QueueApplication(ServerKind kind, Class<?>... configuration) {
        this(created(kind), configuration);
    }

    private static TestPool created(ServerKind kind) {
        TestPool pool = TestPool.on(kind);
        Schema.create(pool);
        new JdbcTemplate(pool).execute("CREATE TABLE effect (id BIGINT NOT NULL, note VARCHAR(100))");
        return pool;
    }

    private QueueApplication(TestPool pool, Class<?>... configuration) {
        jdbc = new JdbcTemplate(pool);
        this.pool = pool;
        context.registerBean(DataSource.class, () -> pool);
        context.register(Base.class);
        context.register(configuration);
        context.refresh();
        transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    }

    /** Starts another application over the same database, with another pool. */
    QueueApplication beside(Class<?>... configuration) {
        return new QueueApplication(pool.another(), configuration);
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /** Returns the bean that starts and stops the engines. */
    SmartLifecycle lifecycle() {
        return context.getBean("acidqLifecycle", SmartLifecycle.class);
    }

    /** Enqueues messages in a transaction. */
    void enqueue(String queue, Object... payloads) {
        transaction.executeWithoutResult(status -> {
            for (Object payload : payloads) {
                bean(MessageQueue.class).enqueue(queue, payload);
            }
        });
    }

    /** Waits until the listeners have processed all messages. */
    void drained() {
        await().atMost(Duration.ofSeconds(30)).until(() -> messages() == 0);
    }

    DeadLetter onlyDeadLetter(String queue) {
        List<DeadLetter> dead = bean(DeadLetters.class).list(queue, 10);
        assertThat(dead).hasSize(1);
        return dead.get(0);
    }

    List<String> notes() {
        return jdbc.queryForList("SELECT note FROM effect ORDER BY id", String.class);
    }

    List<Long> effectIds() {
        return jdbc.queryForList("SELECT id FROM effect ORDER BY id", Long.class);
    }

    int effects() {
        return count("SELECT COUNT(*) FROM effect");
    }

    int messages() {
        return count("SELECT (SELECT COUNT(*) FROM acidq_message) + (SELECT COUNT(*) FROM acidq_scheduled)");
    }

    int count(String query) {
        Integer count = jdbc.queryForObject(query, Integer.class);
        return count == null ? 0 : count;
    }

    @Override
    public void close() {
        context.close();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAcidQ
    static class Base {

        @Bean
        @Primary
        PlatformTransactionManager transactionManager(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }

        @Bean
        Store store(DataSource dataSource, PlatformTransactionManager manager) {
            return MyBatisStore.over(dataSource, new SpringTransactions(manager, dataSource));
        }

        @Bean
        EngineConfig engineConfig() {
            return EngineConfig.defaults().withPolling(Duration.ofMillis(2), Duration.ofMillis(50));
        }

        @Bean
        Codec codec() {
            return new JacksonCodec(JsonMapper.builder().build());
        }

        @Bean
        JdbcTemplate jdbcTemplate(DataSource dataSource) {
            return new JdbcTemplate(dataSource);
        }
    }
}
