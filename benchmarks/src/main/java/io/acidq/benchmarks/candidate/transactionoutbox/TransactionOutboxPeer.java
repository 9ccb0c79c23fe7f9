package io.acidq.benchmarks.candidate.transactionoutbox;

import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.ThreadLocalContextTransactionManager;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.benchmarks.candidate.Backlog;
import io.acidq.benchmarks.candidate.BenchmarkMessage;
import io.acidq.benchmarks.candidate.BusinessRows;
import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.CandidateAdapter;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.candidate.HandlerWork;
import io.acidq.benchmarks.candidate.MessageRows;
import io.acidq.benchmarks.candidate.Peer;
import io.acidq.benchmarks.candidate.SendBatch;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * transaction-outbox, 4.2.268, the newest that the registry has; its topics are younger, thus no order. It runs the handler in the
 * transaction in which it deletes the entry.
 *
 * <ul>
 *   <li>Its own transactions over a pool ("Basic configuration" of its README), the dialect that skips locked rows, and no copy of the
 *       logging context in each entry ({@code serializeMdc}).
 *   <li>A committed entry goes to the executor of the same process at once; others are found by flushing, as often as wanted ("Set up the
 *       background worker"), in the default batches of 4096 ("flushBatchSize … to achieve optimum throughput").
 *   <li>The executor's queue is as long as that of its default executor. When it is full the flushing thread runs the entry itself:
 *       otherwise the entry would be turned away and wait for {@code attemptFrequency}, 2 minutes.
 *   <li>What is placed where no workers run is dated back, so that the first flush of those who have workers finds it, instead of the
 *       first one after {@code attemptFrequency}.
 *   <li>It creates its tables itself.
 * </ul>
 */
public final class TransactionOutboxPeer {

    private static final int AT_ONCE = 1000;
    private static final Clock LONG_AGO = Clock.offset(Clock.systemUTC(), Duration.ofHours(-1));

    private TransactionOutboxPeer() {}

    public static Candidate candidate() {
        return new Peer(
                "transaction-outbox",
                true,
                EnumSet.of(
                        Capability.BACKLOG,
                        Capability.SENDING,
                        Capability.LIVE,
                        Capability.OTHER_PROCESS,
                        Capability.KEYED,
                        Capability.BULK),
                List.of("txno_"),
                OutboxAdapter::new);
    }

    /** What is called by way of the outbox. */
    interface Recipient {
        void receive(String text) throws Exception;
    }

    private record Handler(ThreadLocalContextTransactionManager transactions, HandlerWork work) implements Recipient {

        @Override
        public void receive(String text) throws Exception {
            transactions.<Exception>requireTransaction(transaction -> work.run(transaction.connection(), text));
        }
    }

    private static final class OutboxAdapter implements CandidateAdapter {

        private final HikariDataSource pool;
        private final ThreadLocalContextTransactionManager transactions;
        private volatile TransactionOutbox outbox;
        private @Nullable Flusher flusher;

        OutboxAdapter(CandidateDatabase candidateDatabase) {
            System.setProperty(
                    "org.jboss.logging.provider", "slf4j"); // its validator greets on standard error otherwise
            pool = candidateDatabase.tunedPool();
            transactions = TransactionManager.fromDataSource(pool);
            outbox = builder()
                    .submitter((entry, ignored) -> {})
                    .clockProvider(() -> LONG_AGO)
                    .build();
        }

        private TransactionOutbox.TransactionOutboxBuilder builder() {
            return TransactionOutbox.builder()
                    .transactionManager(transactions)
                    .persistor(Persistor.forDialect(Dialect.MY_SQL_8))
                    .serializeMdc(false);
        }

        @Override
        public void send(SendBatch sendBatch) throws Exception {
            transactions.<Exception>inTransactionThrows(transaction -> {
                if (sendBatch.business()) {
                    BusinessRows.insert(transaction.connection(), sendBatch.messages());
                }
                for (BenchmarkMessage benchmarkMessage : sendBatch.messages()) {
                    schedule(benchmarkMessage);
                }
            });
        }

        private void schedule(BenchmarkMessage benchmarkMessage) throws Exception {
            String key = benchmarkMessage.messageKey();
            Recipient recipient = key == null
                    ? outbox.schedule(Recipient.class)
                    : outbox.with().uniqueRequestId(key).schedule(Recipient.class);
            recipient.receive(benchmarkMessage.text());
        }

        @Override
        public void fill(Backlog backlog) throws Exception {
            for (long first = 0; first < backlog.count(); first += AT_ONCE) {
                send(new SendBatch(backlog.part(first, AT_ONCE), false));
            }
        }

        @Override
        public void start(int workers, HandlerWork handlerWork) {
            Flusher started = new Flusher(workers);
            flusher = started;
            Handler handler = new Handler(transactions, handlerWork);
            outbox = builder()
                    .submitter(Submitter.withExecutor(started.executor()))
                    .instantiator(Instantiator.using(type -> handler))
                    .build();
            started.start(outbox);
        }

        @Override
        public void stop() throws InterruptedException {
            if (flusher != null) {
                flusher.stop();
                flusher = null;
            }
        }

        @Override
        public void forEachRemaining(LongConsumer letters) throws SQLException {
            MessageRows.read(
                    pool, MessageRows.after("\"v\":\"", "invocation"), "TXNO_OUTBOX WHERE processed = FALSE", letters);
        }

        @Override
        public void close() {
            try {
                stop();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
