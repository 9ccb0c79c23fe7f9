package io.acidq.benchmarks.candidate.namastack;

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
import io.namastack.outbox.Outbox;
import io.namastack.outbox.OutboxProcessingScheduler;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * Namastack Outbox over JDBC, 1.6.0, the newest that the registry has. The handler has no transaction; the record is deleted in another one
 * afterwards. Every process with its outbox takes a share of the partitions and works on them, so none can merely send.
 *
 * <ul>
 *   <li>As many threads as there are workers, and completed records are deleted (namastack-outbox-docs/docs/reference/processing.md,
 *       "Processing Configuration Options").
 *   <li>A batch of 2,000 keys every 10 ms instead of 10 every 2 s (docs/reference/polling.md): with the defaults it would not
 *       exceed 5 a second. It waits for that long after each batch, not from begin to begin, and each poll reads the whole backlog, so
 *       short waits and large batches pay.
 *   <li>Order by record key is what it promises; letters without a key have one of their own each.
 *   <li>It creates its tables itself.
 * </ul>
 */
public final class Namastack {

    private static final int AT_ONCE = 1000;

    private Namastack() {}

    public static Candidate candidate() {
        return new Peer(
                "namastack",
                false,
                EnumSet.of(Capability.BACKLOG, Capability.SENDING, Capability.LIVE, Capability.ORDERED),
                List.of("outbox_"),
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

        NamastackAdapter(CandidateDatabase candidateDatabase) {
            spring = SpringBasedApplication.tuned(candidateDatabase);
            context = BootApplications.open(
                    spring,
                    Application.class,
                    Map.of(
                            "namastack.outbox.polling.batch-size", "2000",
                            "namastack.outbox.polling.fixed.interval", "10ms",
                            "namastack.outbox.processing.delete-completed-records", "true",
                            "namastack.outbox.processing.executor-core-pool-size", candidateDatabase.workers(),
                            "namastack.outbox.processing.executor-max-pool-size", candidateDatabase.workers()),
                    Handler.class,
                    handler);
            outbox = context.getBean(Outbox.class);
            scheduler = context.getBean(OutboxProcessingScheduler.class);
            scheduler.stop(); // nothing is there yet; it is started with the workers
        }

        @Override
        public void send(SendBatch sendBatch) throws Exception {
            spring.place(sendBatch, benchmarkMessages -> benchmarkMessages.forEach(this::schedule));
        }

        private void schedule(BenchmarkMessage benchmarkMessage) {
            String key = benchmarkMessage.orderingKey();
            outbox.schedule(
                    new Handler.PostedMessage(benchmarkMessage.text()),
                    key == null ? "letter-" + benchmarkMessage.id() : key);
        }

        @Override
        public void fill(Backlog backlog) throws Exception {
            for (long first = 0; first < backlog.count(); first += AT_ONCE) {
                send(new SendBatch(backlog.part(first, AT_ONCE), false));
            }
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
        public void forEachRemaining(LongConsumer letters) throws SQLException {
            MessageRows.read(
                    spring.pool(),
                    MessageRows.after("\"text\":\"", "payload"),
                    "outbox_record WHERE status <> 'COMPLETED'",
                    letters);
        }

        @Override
        public void close() {
            context.close();
        }
    }
}
