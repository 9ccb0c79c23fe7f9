package io.acidq.benchmarks.candidate.acidq;

import io.acidq.MessageQueue;
import io.acidq.admin.Subscriptions;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.candidate.HandlerWork;
import io.acidq.benchmarks.candidate.RetriedFailures;
import io.acidq.benchmarks.candidate.SpringBasedApplication;
import io.acidq.benchmarks.candidate.acidq.AcidQ.FailureCount;
import io.acidq.benchmarks.candidate.acidq.BenchmarkApplication.SpringManagedApplication;
import io.acidq.engine.Engine;
import io.acidq.spring.QueueListener;
import io.acidq.spring.QueueListenerRegistry;
import java.sql.Connection;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceUtils;

/**
 * An application with Spring Boot and AcidQ's starter. Boot creates the pool and the transaction manager, and the starter creates the rest. Only
 * the database and the numbers of connections and workers are configured.
 */
final class BootAdapter extends EnqueueingAdapter {

    private final ConfigurableApplicationContext context;
    private final QueueListenerRegistry listeners;
    private volatile boolean isStarted;

    private BootAdapter(ConfigurableApplicationContext context) {
        super(SpringManagedApplication.of(context));
        this.context = context;
        this.listeners = context.getBean(QueueListenerRegistry.class);
    }

    static BootAdapter open(CandidateDatabase database) {
        return new BootAdapter(SpringBasedApplication.bootApplication(
                        Application.class,
                        Map.of(
                                "spring.datasource.url",
                                database.login().url(),
                                "spring.datasource.username",
                                database.login().user(),
                                "spring.datasource.password",
                                database.login().password(),
                                "spring.datasource.hikari.maximum-pool-size",
                                database.poolSize(),
                                "acidq.initialize-schema",
                                "always",
                                "namastack.outbox.enabled",
                                "false",
                                BenchmarkListener.WORKERS,
                                Math.max(1, database.workers() / database.queues()),
                                BenchmarkListener.QUEUES,
                                IntStream.range(0, database.queues())
                                        .mapToObj(EnqueueingAdapter::name)
                                        .collect(Collectors.joining(","))))
                .run());
    }

    @Override
    MessageQueue queue() {
        return context.getBean(MessageQueue.class);
    }

    @Override
    Subscriptions subscriptions() {
        return context.getBean(Subscriptions.class);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            excludeName = {
                "org.springframework.modulith.events.config.EventPublicationAutoConfiguration",
                "org.springframework.modulith.events.config.EventExternalizationAutoConfiguration",
                "org.springframework.modulith.events.jackson.JacksonEventSerializationConfiguration",
                "org.springframework.modulith.events.jdbc.JdbcEventPublicationAutoConfiguration"
            })
    static class Application {

        @Bean
        BenchmarkListener listener(DataSource pool) {
            return new BenchmarkListener(pool);
        }

        @Bean
        RetriedFailures failures() {
            return new RetriedFailures();
        }

        @Bean
        FailureCount failureCount(RetriedFailures failures) {
            return new FailureCount(failures);
        }
    }

    @Override
    public void start(int workers, HandlerWork handlerWork) {
        context.getBean(BenchmarkListener.class).use(handlerWork);
        listeners.start(BenchmarkListener.ID);
        isStarted = true;
    }

    @Override
    public void stop() {
        if (!listeners.stop(BenchmarkListener.ID)) {
            System.err.println("benchmarks: AcidQ did not stop cleanly; see the audit for the result");
        }
    }

    @Override
    public int node() {
        return context.getBean(Engine.class).node();
    }

    @Override
    public Map<String, Double> failures() {
        return isStarted ? context.getBean(RetriedFailures.class).figures() : Map.of();
    }

    @Override
    public void close() {
        context.close();
    }

    /** A bean with a listener method. */
    static class BenchmarkListener {

        /** The id that starts and stops the listener. */
        static final String ID = "letters";

        /** The property for the number of handlers of each queue. */
        static final String WORKERS = "bench.workers";

        /** The property for the names of the queues, separated by commas. */
        static final String QUEUES = "bench.queues";

        private final DataSource pool;
        private volatile @Nullable HandlerWork handlerWork;

        BenchmarkListener(DataSource pool) {
            this.pool = pool;
        }

        void use(HandlerWork value) {
            handlerWork = value;
        }

        @QueueListener(
                id = ID,
                queues = "#{'${" + QUEUES + "}'.split(',')}",
                concurrency = "${" + WORKERS + "}",
                autoStartup = "false")
        void on(String text) throws Exception {
            HandlerWork running = handlerWork;
            if (running == null) {
                throw new IllegalStateException("no workers are started");
            }
            Connection connection = DataSourceUtils.getConnection(pool);
            DataSourceUtils.releaseConnection(connection, pool); // the transaction keeps it
            running.run(connection, text);
        }
    }
}
