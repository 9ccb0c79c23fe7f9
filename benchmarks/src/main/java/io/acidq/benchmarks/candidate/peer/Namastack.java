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
import io.namastack.outbox.Outbox;
import io.namastack.outbox.OutboxProcessingScheduler;
import io.namastack.outbox.handler.OutboxRecordMetadata;
import io.namastack.outbox.handler.OutboxTypedHandler;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * Namastack Outbox over JDBC, 1.6.0, the newest version in the registry. The handler has no transaction. The record is deleted afterwards, in a
 * transaction of its own. Each process with an outbox takes a share of the partitions and runs their records, so no process can only send.
 *
 * <ul>
 *   <li>It has one thread for each worker and deletes completed records (namastack-outbox-docs/docs/reference/processing.md, "Processing
 *       Configuration Options").
 *   <li>A batch has 2,000 keys every 10 ms instead of 10 every 2 s (docs/reference/polling.md), because the defaults allow at most 5 messages
 *       a second. The interval starts at the end of a batch and each poll reads the whole backlog, so short intervals and large batches are
 *       faster.
 *   <li>It guarantees order by record key. A message without an ordering key gets a record key of its own.
 *   <li>It creates its tables itself.
 * </ul>
 */
public final class Namastack {

    private Namastack() {}

    public static Candidate candidate() {
        return Candidate.peer(
                "namastack",
                false,
                EnumSet.of(Capability.BACKLOG, Capability.SENDING, Capability.LIVE, Capability.ORDERED),
                "outbox_",
                NamastackAdapter::new);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            excludeName = {
                "org.springframework.modulith.events.config.EventPublicationAutoConfiguration",
                "org.springframework.modulith.events.config.EventExternalizationAutoConfiguration",
                "org.springframework.modulith.events.jackson.JacksonEventSerializationConfiguration",
                "org.springframework.modulith.events.jdbc.JdbcEventPublicationAutoConfiguration"
            })
    static class Application {}

    private static final class NamastackAdapter implements CandidateAdapter {

        private final SpringBasedApplication spring;
        private final Handler handler = new Handler();
        private final ConfigurableApplicationContext context;
        private final Outbox outbox;
        private final OutboxProcessingScheduler scheduler;

        NamastackAdapter(CandidateDatabase database) {
            spring = SpringBasedApplication.tuned(database);
            context = spring.startBoot(
                    Application.class,
                    Map.of(
                            "namastack.outbox.polling.batch-size", "2000",
                            "namastack.outbox.polling.fixed.interval", "10ms",
                            "namastack.outbox.processing.delete-completed-records", "true",
                            "namastack.outbox.processing.executor-core-pool-size", database.workers(),
                            "namastack.outbox.processing.executor-max-pool-size", database.workers()),
                    Handler.class,
                    handler);
            outbox = context.getBean(Outbox.class);
            scheduler = context.getBean(OutboxProcessingScheduler.class);
            scheduler.stop(); // until the workers start
        }

        @Override
        public void send(SendBatch sendBatch) throws Exception {
            spring.send(sendBatch, messages -> messages.forEach(this::schedule));
        }

        private void schedule(BenchmarkMessage message) {
            String key = message.orderingKey();
            outbox.schedule(new Handler.PostedMessage(message.text()), key == null ? "letter-" + message.id() : key);
        }

        @Override
        public void start(int workers, HandlerWork handlerWork) {
            handler.use(handlerWork);
            scheduler.start();
        }

        @Override
        public void stop() {
            scheduler.stop();
        }

        @Override
        public void forEachRemaining(LongConsumer ids) throws SQLException {
            BenchmarkTables.forEachId(
                    spring.pool(),
                    BenchmarkTables.idAfter("\"text\":\"", "payload"),
                    "outbox_record WHERE status <> 'COMPLETED'",
                    ids);
        }

        @Override
        public void close() {
            context.close();
        }
    }

    /** Receives each message outside of any transaction. */
    static final class Handler implements OutboxTypedHandler<Handler.PostedMessage> {

        private volatile @Nullable HandlerWork handlerWork;

        /** The payload of a record. */
        record PostedMessage(String text) {}

        void use(HandlerWork value) {
            handlerWork = value;
        }

        @Override
        public void handle(PostedMessage message, OutboxRecordMetadata metadata) {
            HandlerWork running = handlerWork;
            if (running == null) {
                throw new IllegalStateException("no workers are started");
            }
            try {
                running.run(message.text());
            } catch (Exception e) {
                throw new IllegalStateException("the handler failed", e);
            }
        }
    }
}
