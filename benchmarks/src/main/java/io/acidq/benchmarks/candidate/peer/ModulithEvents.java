package io.acidq.benchmarks.candidate.peer;

import io.acidq.benchmarks.candidate.BenchmarkMessage;
import io.acidq.benchmarks.candidate.BenchmarkTables;
import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.CandidateAdapter;
import io.acidq.benchmarks.candidate.CandidateAdapter.SendBatch;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.candidate.HandlerWork;
import io.acidq.benchmarks.candidate.SpringBasedApplication;
import io.acidq.benchmarks.candidate.peer.ModulithEvents.Listener.MessagePosted;
import java.sql.SQLException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.TaskExecutor;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.modulith.events.IncompleteEventPublications;

/**
 * Spring Modulith's event publications over JDBC. A publication is completed in a transaction of its own after the listener's. A process does
 * not look for publications of other processes.
 *
 * <ul>
 *   <li>It uses {@code @ApplicationModuleListener} and an executor with one thread for each worker
 *       (docs.spring.io/spring-modulith/reference/events.html).
 *   <li>Completed publications are deleted ({@code completion-mode=delete}), which is the least work of the three modes (same page, "Event
 *       Publication Completion").
 *   <li>A backlog runs as after a restart with {@code republish-outstanding-events-on-restart}: all earlier incomplete publications are
 *       submitted again, one after the other. With a second process at work, a restart would duplicate what that process is running.
 *   <li>It creates its table itself ({@code schema-initialization.enabled}).
 * </ul>
 */
public final class ModulithEvents {

    private ModulithEvents() {}

    public static Candidate candidate() {
        return Candidate.peer(
                "modulith",
                false,
                EnumSet.of(Capability.BACKLOG, Capability.SENDING, Capability.LIVE),
                "event_publication",
                ModulithAdapter::new);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean("applicationTaskExecutor")
        ListenerExecutor listenerExecutor() {
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

        ModulithAdapter(CandidateDatabase database) {
            spring = SpringBasedApplication.tuned(database);
            listener = new Listener(spring);
            context = spring.startBoot(
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
            spring.send(sendBatch, this::publish);
        }

        private void publish(List<BenchmarkMessage> messages) {
            messages.forEach(message -> context.publishEvent(new MessagePosted(message.text())));
        }

        @Override
        public void start(int workers, HandlerWork handlerWork) {
            listener.use(handlerWork);
            listenerExecutor.start(workers);
            IncompleteEventPublications incomplete = context.getBean(IncompleteEventPublications.class);
            Instant now = Instant.now();
            // A later publication already has a thread, and would be handled twice.
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
        public void forEachRemaining(LongConsumer ids) throws SQLException {
            BenchmarkTables.forEachId(
                    spring.pool(),
                    BenchmarkTables.idAfter("\"text\":\"", "SERIALIZED_EVENT"),
                    "EVENT_PUBLICATION WHERE COMPLETION_DATE IS NULL",
                    ids);
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

    /** Receives each message after the commit, asynchronously and in a transaction of its own. */
    static class Listener {

        private final SpringBasedApplication spring;
        private volatile @Nullable HandlerWork handlerWork;

        Listener(SpringBasedApplication spring) {
            this.spring = spring;
        }

        /** The event. */
        record MessagePosted(String text) {}

        void use(HandlerWork value) {
            handlerWork = value;
        }

        @ApplicationModuleListener
        void on(MessagePosted event) throws Exception {
            HandlerWork running = handlerWork;
            if (running == null) {
                throw new IllegalStateException("no workers are started");
            }
            running.run(spring.connection(), event.text());
        }
    }

    /** The executor of asynchronous listeners. Without workers it drops its tasks, as if the process had died after the commit. */
    static final class ListenerExecutor implements TaskExecutor {

        private volatile @Nullable ThreadPoolExecutor workers;

        void start(int count) {
            workers = new ThreadPoolExecutor(count, count, 0, TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>());
        }

        @Override
        public void execute(Runnable task) {
            ThreadPoolExecutor running = workers;
            if (running != null) {
                running.execute(task);
            }
        }

        /** Drops waiting tasks and finishes running ones. */
        void stop() throws InterruptedException {
            ThreadPoolExecutor running = workers;
            workers = null;
            if (running != null) {
                running.getQueue().clear();
                running.shutdown();
                running.awaitTermination(1, TimeUnit.MINUTES);
            }
        }
    }
}
