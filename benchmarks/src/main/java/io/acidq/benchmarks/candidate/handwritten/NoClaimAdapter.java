package io.acidq.benchmarks.candidate.handwritten;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.benchmarks.candidate.Backlog;
import io.acidq.benchmarks.candidate.CandidateAdapter;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.candidate.Failures;
import io.acidq.benchmarks.candidate.HandlerWork;
import io.acidq.benchmarks.candidate.SendBatch;
import io.acidq.benchmarks.candidate.handwritten.IdShares.Share;
import io.acidq.benchmarks.candidate.handwritten.MessageTable.Row;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/** A ceiling: workers share out the ids among themselves in memory, each reads its share ahead, and nothing is claimed in the database. */
final class NoClaimAdapter implements CandidateAdapter {

    private static final int AFTER_FAILURE_MILLIS = 100;

    private final MessageTable table = new MessageTable(false);
    private final int workersAtMost;
    private final int transactionSize;
    private final HikariDataSource pool;
    private final WorkerThreads workers = new WorkerThreads();
    private final Failures failures = new Failures();

    NoClaimAdapter(CandidateDatabase candidateDatabase, int workersAtMost, int transactionSize) throws SQLException {
        this.workersAtMost = workersAtMost;
        this.transactionSize = transactionSize;
        this.pool = candidateDatabase.tunedPool();
        table.create(pool);
    }

    @Override
    public void send(SendBatch sendBatch) {
        throw new UnsupportedOperationException("a ceiling takes no new messages");
    }

    @Override
    public void fill(Backlog backlog) throws SQLException {
        table.fill(pool, backlog);
    }

    @Override
    public void start(int count, HandlerWork handlerWork) throws SQLException {
        int many = Math.min(count, workersAtMost);
        IdShares idShares;
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT COALESCE(MIN(id), 0), COALESCE(MAX(id), -1) + 1 FROM hand_message")) {
            row.next();
            idShares = new IdShares(row.getLong(1), row.getLong(2), many, transactionSize);
        }
        workers.start(many, number -> () -> {
            for (Share share = idShares.take(); share != null && !workers.stopping(); share = idShares.take()) {
                workOff(share, handlerWork);
            }
        });
    }

    private void workOff(Share share, HandlerWork handlerWork) {
        long next = share.first();
        while (next < share.end() && !workers.stopping()) {
            try (Connection connection = pool.getConnection()) {
                List<Row> rows = read(connection, next, share.end());
                for (int i = 0; i < rows.size() && !workers.stopping(); i += transactionSize) {
                    List<Row> some = rows.subList(i, Math.min(rows.size(), i + transactionSize));
                    run(connection, some, handlerWork);
                    next = some.get(some.size() - 1).id() + 1;
                }
                next = share.end();
            } catch (SQLException e) {
                failures.add(e);
                workers.pause(AFTER_FAILURE_MILLIS);
            }
        }
    }

    private static List<Row> read(Connection connection, long from, long end) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("SELECT id, body FROM hand_message WHERE id >= ? AND id < ? ORDER BY id")) {
            select.setLong(1, from);
            select.setLong(2, end);
            return MessageTable.read(select);
        }
    }

    /** Until it succeeds: the next one must not overtake it. */
    private void run(Connection connection, List<Row> rows, HandlerWork handlerWork) throws SQLException {
        while (!workers.stopping()) {
            try {
                for (Row row : rows) {
                    handlerWork.run(connection, row.body());
                }
                table.delete(connection, rows);
                connection.commit();
                return;
            } catch (Exception e) {
                boolean atOnce = failures.add(e);
                connection.rollback();
                if (!atOnce) {
                    workers.pause(AFTER_FAILURE_MILLIS);
                }
            }
        }
    }

    @Override
    public void stop() throws InterruptedException {
        workers.stop();
    }

    @Override
    public void forEachRemaining(LongConsumer letters) throws SQLException {
        table.forEachRemaining(pool, letters);
    }

    @Override
    public Map<String, Double> failures() {
        return failures.figures();
    }

    @Override
    public void close() {}
}
