package io.acidq.benchmarks.candidate.peer;

import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.ThreadLocalContextTransactionManager;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.benchmarks.candidate.BenchmarkMessage;
import io.acidq.benchmarks.candidate.BenchmarkTables;
import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.CandidateAdapter;
import io.acidq.benchmarks.candidate.CandidateAdapter.SendBatch;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.candidate.HandlerWork;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * transaction-outbox 4.2.268, the newest version in the registry. It keeps no order, because its topics came later. It runs the handler in the
 * transaction that deletes the entry.
 *
 * <ul>
 *   <li>It uses its own transactions over a pool ("Basic configuration" of its README), the dialect that skips locked rows, and no copy of the
 *       logging context in each entry ({@code serializeMdc}).
 *   <li>A committed entry goes to the executor of the same process at once. Flushing finds all others ("Set up the background worker"), in the
 *       default batches of 4096 ("flushBatchSize … to achieve optimum throughput").
 *   <li>The executor's queue is as long as that of its default executor. If the queue is full, the flushing thread runs the entry itself.
 *       Otherwise the entry would be rejected and wait for {@code attemptFrequency}, 2 minutes.
 *   <li>Entries of a process without workers are dated back, so that the first flush of a process with workers finds them, not the first one
 *       after {@code attemptFrequency}.
 *   <li>It creates its tables itself.
 * </ul>
 */
public final class TransactionOutboxPeer {

    private static final Clock LONG_AGO = Clock.offset(Clock.systemUTC(), Duration.ofHours(-1));

    private TransactionOutboxPeer() {}

    public static Candidate candidate() {
        return Candidate.peer(
                "transaction-outbox",
                true,
                EnumSet.of(
                        Capability.BACKLOG,
                        Capability.SENDING,
                        Capability.LIVE,
                        Capability.OTHER_PROCESS,
                        Capability.KEYED,
                        Capability.BULK),
                "txno_",
                OutboxAdapter::new);
    }

    /** The interface that the outbox calls. */
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

        OutboxAdapter(CandidateDatabase database) {
            System.setProperty(
                    "org.jboss.logging.provider", "slf4j"); // its validator otherwise writes to standard error
            pool = database.tunedPool();
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
                    BenchmarkTables.insertBusinessRows(transaction.connection(), sendBatch.messages());
                }
                for (BenchmarkMessage message : sendBatch.messages()) {
                    schedule(message);
                }
            });
        }

        private void schedule(BenchmarkMessage message) throws Exception {
            String key = message.messageKey();
            Recipient recipient = key == null
                    ? outbox.schedule(Recipient.class)
                    : outbox.with().uniqueRequestId(key).schedule(Recipient.class);
            recipient.receive(message.text());
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
        public void forEachRemaining(LongConsumer ids) throws SQLException {
            BenchmarkTables.forEachId(
                    pool,
                    BenchmarkTables.idAfter("\"v\":\"", "invocation"),
                    "TXNO_OUTBOX WHERE processed = FALSE",
                    ids);
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

    /** The workers, and the thread that finds entries of other processes. */
    static final class Flusher {

        private static final int POLL_MILLIS = 100;
        private static final int QUEUE = 16_384;

        private final CountDownLatch stopping = new CountDownLatch(1);
        private final ThreadPoolExecutor workers;
        private @Nullable Thread thread;

        Flusher(int count) {
            workers = new ThreadPoolExecutor(
                    count,
                    count,
                    0,
                    TimeUnit.MILLISECONDS,
                    new ArrayBlockingQueue<>(QUEUE),
                    new ThreadPoolExecutor.CallerRunsPolicy());
        }

        Executor executor() {
            return workers;
        }

        void start(TransactionOutbox outbox) {
            Thread started = new Thread(() -> run(outbox), "outbox-flusher");
            started.setDaemon(true);
            started.start();
            thread = started;
        }

        private void run(TransactionOutbox outbox) {
            try {
                while (!stopping.await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                    flush(outbox);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void flush(TransactionOutbox outbox) {
            try {
                boolean more = true;
                while (more && stopping.getCount() > 0) {
                    more = outbox.flush();
                }
            } catch (RuntimeException e) { // a deadlock, for example; the next flush follows
                System.err.println("benchmarks: transaction-outbox could not flush: " + e);
            }
        }

        /** Finishes running entries. Waiting ones stay in the table. */
        void stop() throws InterruptedException {
            stopping.countDown();
            workers.getQueue().clear();
            Thread started = thread;
            if (started != null) {
                started.join();
            }
            workers.getQueue().clear();
            workers.shutdown();
            workers.awaitTermination(1, TimeUnit.MINUTES);
        }
    }
}
