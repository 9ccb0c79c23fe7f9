package io.acidq.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.MessageQueue;
import io.acidq.boot.AcidqDoctorAutoConfiguration.AcidqDoctorEndpoint;
import io.acidq.boot.AcidqViews.Overview;
import io.acidq.doctor.Check;
import io.acidq.doctor.Doctor;
import io.acidq.doctor.Report;
import io.acidq.doctor.Report.Finding;
import io.acidq.engine.Engine;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.spring.QueueEngine;
import io.acidq.spring.QueueListener;
import io.acidq.spring.transaction.SpringTransactions;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.search.MeterNotFoundException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.mybatis.spring.boot.autoconfigure.MybatisAutoConfiguration;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The endpoints, meters and doctors of an application with two databases and two engines. */
@ParameterizedClass
@EnumSource(ServerKind.class)
@TestInstance(Lifecycle.PER_CLASS)
class SeveralEnginesIT {

    record Order(long id) {}

    static class Work {

        @QueueListener(id = "shipping", queue = "orders")
        void main(Order order) {}

        /** Its id is also the name of a queue. */
        @QueueListener(id = "orders", queue = "orders", transactionManager = "billingManager")
        void billing(Order order) {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = MybatisAutoConfiguration.class)
    static class Application {

        private static ServerKind kind = ServerKind.MYSQL;

        static HikariDataSource database(int connections) {
            TestDatabase database = TestServers.get(kind).createDatabase();
            HikariDataSource pool = new HikariDataSource();
            pool.setJdbcUrl(database.jdbcUrl());
            pool.setUsername(database.username());
            pool.setPassword(database.password());
            pool.setMaximumPoolSize(connections);
            Schema.create(pool);
            return pool;
        }

        @Bean
        @Primary
        HikariDataSource mainPool() {
            return database(20);
        }

        @Bean(defaultCandidate = false)
        HikariDataSource billingPool() {
            return database(6);
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
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }

        @Bean
        Work work() {
            return new Work();
        }
    }

    @Parameter
    private ServerKind kind;

    private ConfigurableApplicationContext context;

    @BeforeParameterizedClassInvocation
    void start() {
        Application.kind = kind;
        context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(Map.of(
                        "acidq.heartbeat-interval", "100ms",
                        "acidq.observability.gauge-period", "200ms",
                        "spring.jmx.enabled", "true",
                        "management.endpoints.jmx.exposure.include", "acidq,acidqlisteners,acidqdoctor"))
                .run();
    }

    @AfterParameterizedClassInvocation
    void close() {
        context.close();
    }

    @Test
    void countsSeparatelyForEachEngine() {
        new TransactionTemplate(context.getBean("billingManager", PlatformTransactionManager.class))
                .executeWithoutResult(s -> context.getBean("billingMessageQueue", MessageQueue.class)
                        .enqueue("orders", new Order(1)));

        MeterRegistry meters = context.getBean(MeterRegistry.class);
        await().ignoreException(MeterNotFoundException.class)
                .untilAsserted(() -> assertThat(meters.get("acidq.handler")
                                .tags("engine", "billing", "queue", "orders", "outcome", "done")
                                .timer()
                                .count())
                        .isEqualTo(1));
        assertThat(meters.find("acidq.handler").tags("engine", "main").timers())
                .allSatisfy(timer -> assertThat(timer.count()).isZero());
        for (String engine : new String[] {"main", "billing"}) {
            await().ignoreException(MeterNotFoundException.class)
                    .untilAsserted(() -> assertThat(meters.get("acidq.workers")
                                    .tags("engine", engine, "queue", "orders")
                                    .gauge()
                                    .value())
                            .isPositive());
        }
    }

    @Test
    void showsTheHealthOfEachEngineByName() {
        CompositeHealthContributor health = context.getBean("acidqHealthIndicator", CompositeHealthContributor.class);

        for (String engine : new String[] {"main", "billing"}) {
            HealthIndicator one = (HealthIndicator) health.getContributor(engine);
            await().untilAsserted(() ->
                    assertThat(one.health().getStatus().getCode()).as(engine).isEqualTo("UP"));
        }
    }

    @Test
    void showsAndPausesTheQueuesOfEachEngine() {
        AcidqEndpoint endpoint = context.getBean(AcidqEndpoint.class);
        Map<String, Overview> engines = endpoint.overview().get("engines");
        assertThat(engines).containsOnlyKeys("main", "billing");
        assertThat(engines.get("billing").nodes())
                .extracting(AcidqViews.NodeView::node)
                .contains(engines.get("billing").node());

        assertThat(endpoint.act(
                                path("orders", "pause"),
                                "billing",
                                "ann",
                                "stocktaking",
                                null,
                                null,
                                null,
                                null,
                                null,
                                null,
                                null,
                                null,
                                null,
                                null,
                                null,
                                null)
                        .getStatus())
                .isEqualTo(200);
        Map<String, Overview> paused = endpoint.overview().get("engines");
        assertThat(paused.get("billing").queues().get(0).paused()).isTrue();
        assertThat(paused.get("main").queues().get(0).paused()).isFalse();
        endpoint.act(
                path("orders", "resume"),
                "billing",
                "ann",
                "done",
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
        assertThat(endpoint.queue(path("orders"), "shop", null, null).getStatus())
                .isEqualTo(400);
    }

    @Test
    void pausesAListenerByItsIdAndNotTheQueue() {
        AcidqListenersEndpoint listeners = context.getBean(AcidqListenersEndpoint.class);

        assertThat(listeners.act("orders", "pause").getBody())
                .hasToString("RegisteredListener[id=orders, queues=[orders], running=true, paused=true]");
        assertThat(listeners.listeners().get("listeners"))
                .filteredOn(AcidqListenersEndpoint.RegisteredListener::paused)
                .extracting(AcidqListenersEndpoint.RegisteredListener::id)
                .containsExactly("orders");
        Map<String, Overview> engines =
                context.getBean(AcidqEndpoint.class).overview().get("engines");
        assertThat(engines.get("billing").queues().get(0).paused()).isFalse();

        listeners.act("orders", "resume");
        assertThat(listeners.act("orders", "fly").getStatus()).isEqualTo(400);
        assertThat(listeners.act("nobody", "pause").getStatus()).isEqualTo(400);
    }

    @Test
    void examinesThePoolAndTheNodeOfEachEngine() {
        AcidqDoctorEndpoint doctor = context.getBean(AcidqDoctorEndpoint.class);

        Report report = context.getBean(Doctor.class).examine();
        int node = context.getBean(Engine.class).node();
        assertThat(report.of(Check.POOL).get(0).found()).contains("the pool has 20 connections, and node " + node);
        assertThat(report.of(Check.NODES)).allSatisfy(f -> assertThat(f.level()).isEqualTo(Finding.Level.OK));
        assertThat(doctor.examine(null).getBody())
                .containsOnlyKeys("worst", "findings")
                .asString()
                .contains("the pool has 20 connections");
        assertThat(doctor.examine("billing").getBody()).asString().contains("the pool has 6 connections");
        WebEndpointResponse<Map<String, Object>> refused = doctor.examine("shop");
        assertThat(refused.getStatus()).isEqualTo(400);
        assertThat(refused.getBody()).asString().contains("there is no engine 'shop'");
    }

    private static String[] path(String... parts) {
        return parts;
    }
}
