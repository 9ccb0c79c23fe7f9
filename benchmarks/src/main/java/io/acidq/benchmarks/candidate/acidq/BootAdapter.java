package io.acidq.benchmarks.candidate.acidq;

import io.acidq.MessageQueue;
import io.acidq.benchmarks.candidate.BootApplications;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.candidate.Failures;
import io.acidq.benchmarks.candidate.HandlerWork;
import io.acidq.engine.Engine;
import io.acidq.spring.QueueListenerRegistry;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An application with Spring Boot and AcidQ's starter. Boot makes the pool and the transaction manager, the starter makes the rest, each as it
 * does by itself; only where the database is and how many connections and workers there are is set.
 */
final class BootAdapter extends EnqueueingAdapter {

    private final ConfigurableApplicationContext context;
    private final QueueListenerRegistry listeners;
    private volatile boolean isStarted;

    private BootAdapter(ConfigurableApplicationContext context) {
        super(SpringHost.of(context));
        this.context = context;
        this.listeners = context.getBean(QueueListenerRegistry.class);
    }

    static BootAdapter open(CandidateDatabase candidateDatabase) {
        return new BootAdapter(BootApplications.open(
                Application.class,
                Map.of(
                        "spring.datasource.url",
                        candidateDatabase.login().url(),
                        "spring.datasource.username",
                        candidateDatabase.login().user(),
                        "spring.datasource.password",
                        candidateDatabase.login().password(),
                        "spring.datasource.hikari.maximum-pool-size",
                        candidateDatabase.poolSize(),
                        "acidq.initialize-schema",
                        "always",
                        "namastack.outbox.enabled",
                        "false",
                        BenchmarkListener.WORKERS,
                        Math.max(1, candidateDatabase.workers() / candidateDatabase.queues()),
                        BenchmarkListener.QUEUES,
                        queues(candidateDatabase.queues()))));
    }

    @Override
    MessageQueue queue() {
        return context.getBean(MessageQueue.class);
    }

    private static String queues(int count) {
        return IntStream.range(0, count).mapToObj(EnqueueingAdapter::name).collect(Collectors.joining(","));
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
        Failures failures() {
            return new Failures();
        }

        @Bean
        FailureCount failureCount(Failures failures) {
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
            System.err.println("benchmarks: AcidQ did not stop in good order; the audit tells what came of it");
        }
    }

    @Override
    public int node() {
        return context.getBean(Engine.class).node();
    }

    /** Of this process. */
    @Override
    public Map<String, Double> failures() {
        return isStarted ? context.getBean(Failures.class).figures() : Map.of();
    }

    @Override
    public void close() {
        context.close();
    }
}
