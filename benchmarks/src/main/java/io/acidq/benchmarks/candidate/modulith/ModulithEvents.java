package io.acidq.benchmarks.candidate.modulith;

import io.acidq.benchmarks.candidate.Backlog;
import io.acidq.benchmarks.candidate.BenchmarkMessage;
import io.acidq.benchmarks.candidate.BootApplications;
import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.CandidateAdapter;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.candidate.HandlerWork;
import io.acidq.benchmarks.candidate.MessageRows;
import io.acidq.benchmarks.candidate.Peer;
import io.acidq.benchmarks.candidate.SendBatch;
import io.acidq.benchmarks.candidate.SpringBasedApplication;
import io.acidq.benchmarks.candidate.modulith.Listener.MessagePosted;
import java.sql.SQLException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.modulith.events.IncompleteEventPublications;

/**
 * Spring Modulith's event publications over JDBC. The publication is completed after the listener's transaction, in another one. Nothing looks
 * for publications of other processes.
 *
 * <ul>
 *   <li>{@code @ApplicationModuleListener}, and an executor with as many threads as there are workers
 *       (docs.spring.io/spring-modulith/reference/events.html).
 *   <li>Completed publications are deleted ({@code completion-mode=delete}), the least work of the three modes (the same page, "Event
 *       Publication Completion").
 *   <li>A backlog is worked off as after a restart with {@code republish-outstanding-events-on-restart}: all incomplete publications are
 *       submitted again, one after the other; here, as in an application that begins its work after that, only those of before. A restart
 *       beside a process that works would double what that one has in hand.
 *   <li>It creates its table itself ({@code schema-initialization.enabled}).
 * </ul>
 */
public final class ModulithEvents {

    private static final int AT_ONCE = 1000;

    private ModulithEvents() {}

    public static Candidate candidate() {
        return new Peer(
                "modulith",
                false,
                EnumSet.of(Capability.BACKLOG, Capability.SENDING, Capability.LIVE),
                List.of("event_publication"),
                ModulithAdapter::new);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean("applicationTaskExecutor")
        ListenerExecutor hands() {
            return new ListenerExecutor();
        }
    }

    private static final class ModulithAdapter implements CandidateAdapter {

        private final SpringBasedApplication spring;
        private final Listener listener;
        private final ConfigurableApplicationContext context;
        private final ListenerExecutor listenerExecutor;
        private volatile boolean stopping;
        private @Nullable Thread restart;

        ModulithAdapter(CandidateDatabase candidateDatabase) {
            spring = SpringBasedApplication.tuned(candidateDatabase);
            listener = new Listener(spring);
            context = BootApplications.open(
                    spring,
                    Application.class,
                    Map.of(
                            "namastack.outbox.enabled", "false",
                            "spring.modulith.events.completion-mode", "delete",
                            "spring.modulith.events.jdbc.schema-initialization.enabled", "true"),
                    Listener.class,
                    listener);
            listenerExecutor = context.getBean(ListenerExecutor.class);
        }

        @Override
        public void send(SendBatch sendBatch) throws Exception {
            spring.place(sendBatch, this::publish);
        }

        private void publish(List<BenchmarkMessage> benchmarkMessages) {
            benchmarkMessages.forEach(
                    benchmarkMessage -> context.publishEvent(new MessagePosted(benchmarkMessage.text())));
        }

        @Override
        public void fill(Backlog backlog) throws Exception {
            for (long first = 0; first < backlog.count(); first += AT_ONCE) {
                send(new SendBatch(backlog.part(first, AT_ONCE), false));
            }
        }

        @Override
        public void start(int workers, HandlerWork handlerWork) {
            listener.use(handlerWork);
            listenerExecutor.start(workers);
            IncompleteEventPublications incomplete = context.getBean(IncompleteEventPublications.class);
            Instant now = Instant.now();
            // what comes from now on has been handed to a thread already, and would be handled twice
            restart = new Thread(
                    () -> incomplete.resubmitIncompletePublications(publication ->
                            !stopping && publication.getPublicationDate().isBefore(now)),
                    "modulith-restart");
            restart.start();
        }

        @Override
        public void stop() throws InterruptedException {
            stopping = true;
            if (restart != null) {
                restart.join();
            }
            listenerExecutor.stop();
        }

        @Override
        public void forEachRemaining(LongConsumer letters) throws SQLException {
            MessageRows.read(
                    spring.pool(),
                    MessageRows.after("\"text\":\"", "SERIALIZED_EVENT"),
                    "EVENT_PUBLICATION WHERE COMPLETION_DATE IS NULL",
                    letters);
        }

        @Override
        public void close() {
            try {
                stop();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            context.close();
        }
    }
}
