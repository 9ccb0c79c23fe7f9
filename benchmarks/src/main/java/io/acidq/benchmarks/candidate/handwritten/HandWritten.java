package io.acidq.benchmarks.candidate.handwritten;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.benchmarks.candidate.BenchmarkTables;
import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.CandidateAdapter;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.candidate.HandlerWork;
import io.acidq.benchmarks.candidate.RetriedFailures;
import io.acidq.benchmarks.candidate.handwritten.MessageTable.Row;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The hand-written queues and ceilings. */
public final class HandWritten {
    private static final int PAUSE_MILLIS = 100;
    private static final Set<Capability> QUEUE = EnumSet.of(
            Capability.BACKLOG,
            Capability.SENDING,
            Capability.LIVE,
            Capability.OTHER_PROCESS,
            Capability.PROCESSES,
            Capability.KEYED,
            Capability.BULK);

    private HandWritten() {}

    /**
     * The candidates:
     *
     * <ul>
     *   <li>{@code jdbc-N}: SELECT … FOR UPDATE SKIP LOCKED LIMIT N over an index of the status, the handlers, DELETE, COMMIT
     *   <li>{@code jdbc-N-bare}: the same without a status, in the order of the primary key
     *   <li>{@code no-claim}, {@code no-claim-50}: the workers divide the ids in memory and claim nothing: handlers, DELETE by primary key, COMMIT
     *   <li>{@code one-connection}: the same with one worker, so in order
     *   <li>{@code rows-only}: inserts business rows and no messages
     * </ul>
     */
    public static List<Candidate> all() {
        return List.of(
                jdbc("jdbc-1", 1, true),
                jdbc("jdbc-50", 50, true),
                jdbc("jdbc-1-bare", 1, false),
                jdbc("jdbc-50-bare", 50, false),
                candidate("no-claim", EnumSet.of(Capability.BACKLOG), db -> new NoClaimAdapter(db, db.workers(), 1)),
                candidate(
                        "no-claim-50", EnumSet.of(Capability.BACKLOG), db -> new NoClaimAdapter(db, db.workers(), 50)),
                candidate(
                        "one-connection",
                        EnumSet.of(Capability.BACKLOG, Capability.ORDERED),
                        db -> new NoClaimAdapter(db, 1, 1)),
                candidate("rows-only", EnumSet.of(Capability.SENDING), RowsOnlyAdapter::new));
    }

    private static Candidate jdbc(String name, int transactionSize, boolean status) {
        EnumSet<Capability> capabilities = EnumSet.copyOf(QUEUE);
        if (status) {
            capabilities.add(Capability.FILLED_TABLES);
        }
        return candidate(name, capabilities, db -> new JdbcAdapter(db, transactionSize, status));
    }

    private static Candidate candidate(
            String name, Set<Capability> capabilities, Candidate.AdapterFactory adapterFactory) {
        return new Candidate(
                name, Candidate.CandidateKind.HAND_WRITTEN, true, capabilities, List.of("hand_"), adapterFactory);
    }

    /** A queue in a {@link MessageTable}, and its worker threads. */
    private abstract static class TableAdapter implements CandidateAdapter {
        final MessageTable table;
        final int transactionSize;
        final HikariDataSource pool;
        final RetriedFailures failures = new RetriedFailures();
        private final CountDownLatch stopping = new CountDownLatch(1);
        private final List<Thread> threads = new ArrayList<>();

        TableAdapter(CandidateDatabase database, int transactionSize, boolean status) throws SQLException {
            this.table = new MessageTable(status);
            this.transactionSize = transactionSize;
            this.pool = database.tunedPool();
            table.create(pool);
        }

        @Override
        public void fill(Backlog backlog) throws SQLException {
            table.fill(pool, backlog);
        }

        /** Starts the threads. Each stays alive until the stop, because the meter cannot read the allocation of a thread that has ended. */
        void startThreads(int count, Runnable work) {
            for (int number = 0; number < count; number++) {
                Thread thread = new Thread(
                        () -> {
                            work.run();
                            pause(Long.MAX_VALUE);
                        },
                        "hand-" + number);
                thread.setDaemon(true);
                threads.add(thread);
                thread.start();
            }
        }

        boolean isStopping() {
            return stopping.getCount() == 0;
        }

        /** Waits for the time or the stop. */
        void pause(long millis) {
            try {
                stopping.await(millis, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void stop() throws InterruptedException {
            stopping.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
        }

        @Override
        public void forEachRemaining(LongConsumer ids) throws SQLException {
            table.forEachRemaining(pool, ids);
        }

        @Override
        public Map<String, Double> failures() {
            return failures.figures();
        }

        @Override
        public void close() {}
    }

    /** Locks the next messages, handles and deletes them, and commits. Polls every 100 ms while there are none. */
    private static final class JdbcAdapter extends TableAdapter {
        JdbcAdapter(CandidateDatabase database, int transactionSize, boolean status) throws SQLException {
            super(database, transactionSize, status);
        }

        @Override
        public void send(SendBatch sendBatch) throws SQLException {
            try (Connection connection = pool.getConnection()) {
                if (sendBatch.business()) {
                    BenchmarkTables.insertBusinessRows(connection, sendBatch.messages());
                }
                table.insert(connection, sendBatch.messages());
                connection.commit();
            }
        }

        @Override
        public void fillTables(TableFill tableFill) throws SQLException {
            table.fillTables(pool, tableFill);
        }

        @Override
        public void start(int workers, HandlerWork handlerWork) {
            startThreads(workers, () -> {
                while (!isStopping()) {
                    if (!runNext(handlerWork)) {
                        pause(PAUSE_MILLIS);
                    }
                }
            });
        }

        /** Returns false if there was no message, or if a failed one must be retried later. After a deadlock the worker retries at once. */
        private boolean runNext(HandlerWork handlerWork) {
            try (Connection connection = pool.getConnection()) {
                try {
                    List<Row> rows = claim(connection);
                    for (Row row : rows) {
                        handlerWork.run(connection, row.body());
                    }
                    if (!rows.isEmpty()) {
                        table.delete(connection, rows);
                    }
                    connection.commit();
                    return !rows.isEmpty();
                } catch (Exception e) { // a deadlock, or an exception of the handler
                    boolean isDeadlock = failures.add(e);
                    connection.rollback();
                    return isDeadlock;
                }
            } catch (SQLException e) {
                failures.add(e);
                return false;
            }
        }

        private List<Row> claim(Connection connection) throws SQLException {
            try (PreparedStatement claim = connection.prepareStatement(table.claim(transactionSize))) {
                return MessageTable.read(claim);
            }
        }
    }

    /** A ceiling: the workers divide the ids in memory, each reads its share ahead, and nothing is claimed in the database. */
    private static final class NoClaimAdapter extends TableAdapter {
        private final int maxWorkers;

        NoClaimAdapter(CandidateDatabase database, int maxWorkers, int transactionSize) throws SQLException {
            super(database, transactionSize, false);
            this.maxWorkers = maxWorkers;
        }

        @Override
        public void send(SendBatch sendBatch) {
            throw new UnsupportedOperationException("a ceiling takes no new messages");
        }

        @Override
        public void start(int workers, HandlerWork handlerWork) throws SQLException {
            int count = Math.min(workers, maxWorkers);
            IdShares idShares;
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(
                            "SELECT COALESCE(MIN(id), 0), COALESCE(MAX(id), -1) + 1 FROM hand_message")) {
                row.next();
                idShares = new IdShares(row.getLong(1), row.getLong(2), count, transactionSize);
            }
            startThreads(count, () -> {
                for (IdShares.Share share = idShares.take(); share != null && !isStopping(); share = idShares.take()) {
                    runShare(share, handlerWork);
                }
            });
        }

        private void runShare(IdShares.Share share, HandlerWork handlerWork) {
            long next = share.first();
            while (next < share.end() && !isStopping()) {
                try (Connection connection = pool.getConnection()) {
                    List<Row> rows = read(connection, next, share.end());
                    for (int i = 0; i < rows.size() && !isStopping(); i += transactionSize) {
                        List<Row> batch = rows.subList(i, Math.min(rows.size(), i + transactionSize));
                        run(connection, batch, handlerWork);
                        next = batch.get(batch.size() - 1).id() + 1;
                    }
                    next = share.end();
                } catch (SQLException e) {
                    failures.add(e);
                    pause(PAUSE_MILLIS);
                }
            }
        }

        private static List<Row> read(Connection connection, long from, long end) throws SQLException {
            try (PreparedStatement select = connection.prepareStatement(
                    "SELECT id, body FROM hand_message WHERE id >= ? AND id < ? ORDER BY id")) {
                select.setLong(1, from);
                select.setLong(2, end);
                return MessageTable.read(select);
            }
        }

        /** Retries until it succeeds, because the next message must not overtake this one. */
        private void run(Connection connection, List<Row> rows, HandlerWork handlerWork) throws SQLException {
            while (!isStopping()) {
                try {
                    for (Row row : rows) {
                        handlerWork.run(connection, row.body());
                    }
                    table.delete(connection, rows);
                    connection.commit();
                    return;
                } catch (Exception e) {
                    boolean isDeadlock = failures.add(e);
                    connection.rollback();
                    if (!isDeadlock) {
                        pause(PAUSE_MILLIS);
                    }
                }
            }
        }
    }

    /**
     * The ids of a backlog, divided in memory: a worker that is done takes the next share. Shares shrink towards the end, so that no worker waits
     * long for the one with the last share. Thread-safe.
     */
    static final class IdShares {
        private static final int MAX_SHARE = 500;

        private final AtomicLong next;
        private final long end;
        private final int workers;
        private final int unit;

        /** A range of ids, without its end. */
        record Share(long first, long end) {}

        /**
         * Divides the ids from {@code first} to below {@code end}.
         *
         * @param unit the size of each share but the last is a multiple of it
         */
        IdShares(long first, long end, int workers, int unit) {
            this.next = new AtomicLong(first);
            this.end = end;
            this.workers = workers;
            this.unit = unit;
        }

        /** The next share; null if none is left. */
        @Nullable
        Share take() {
            long first = next.getAndUpdate(this::after);
            return first < end ? new Share(first, after(first)) : null;
        }

        private long after(long first) {
            long size = Math.min(MAX_SHARE, (end - first) / (2L * workers));
            return Math.min(end, first + Math.max(unit, size - size % unit));
        }
    }

    /** An application that sends no messages: shows the cost of its transaction alone. */
    private static final class RowsOnlyAdapter implements CandidateAdapter {
        private final HikariDataSource pool;

        RowsOnlyAdapter(CandidateDatabase database) {
            this.pool = database.tunedPool();
        }

        @Override
        public void send(SendBatch sendBatch) throws SQLException {
            try (Connection connection = pool.getConnection()) {
                BenchmarkTables.insertBusinessRows(connection, sendBatch.messages());
                connection.commit();
            }
        }

        @Override
        public void start(int workers, HandlerWork handlerWork) {
            throw new UnsupportedOperationException("rows-only has no messages");
        }

        @Override
        public void stop() {}

        /** Passes on the ids of the business rows, as if each were a message, so that the run can be audited. */
        @Override
        public void forEachRemaining(LongConsumer ids) throws SQLException {
            BenchmarkTables.forEachId(pool, "letter", "bench_business", ids);
        }

        @Override
        public void close() {}
    }
}
