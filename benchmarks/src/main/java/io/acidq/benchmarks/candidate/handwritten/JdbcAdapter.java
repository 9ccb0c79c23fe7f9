package io.acidq.benchmarks.candidate.handwritten;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.benchmarks.candidate.Backlog;
import io.acidq.benchmarks.candidate.BusinessRows;
import io.acidq.benchmarks.candidate.CandidateAdapter;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.candidate.Failures;
import io.acidq.benchmarks.candidate.HandlerWork;
import io.acidq.benchmarks.candidate.SendBatch;
import io.acidq.benchmarks.candidate.TableFill;
import io.acidq.benchmarks.candidate.handwritten.MessageTable.Row;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/** Locks the next messages, handles and deletes them, and commits; looks every 100 ms when there was none. */
final class JdbcAdapter implements CandidateAdapter {

    private static final int POLL_MILLIS = 100;

    private final MessageTable table;
    private final int transactionSize;
    private final HikariDataSource pool;
    private final WorkerThreads workers = new WorkerThreads();
    private final Failures failures = new Failures();

    JdbcAdapter(CandidateDatabase candidateDatabase, int transactionSize, boolean status) throws SQLException {
        this.table = new MessageTable(status);
        this.transactionSize = transactionSize;
        this.pool = candidateDatabase.tunedPool();
        table.create(pool);
    }

    @Override
    public void send(SendBatch sendBatch) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            if (sendBatch.business()) {
                BusinessRows.insert(connection, sendBatch.messages());
            }
            table.insert(connection, sendBatch.messages());
            connection.commit();
        }
    }

    @Override
    public void fill(Backlog backlog) throws SQLException {
        table.fill(pool, backlog);
    }

    @Override
    public void fillTables(TableFill tableFill) throws SQLException {
        table.fillTables(pool, tableFill);
    }

    @Override
    public void start(int count, HandlerWork handlerWork) {
        workers.start(count, number -> () -> {
            while (!workers.stopping()) {
                if (!runNext(handlerWork)) {
                    workers.pause(POLL_MILLIS);
                }
            }
        });
    }

    /** False when there was nothing to do, or it has failed and is to be tried again later; what met a deadlock is tried again at once. */
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
            } catch (Exception e) { // a deadlock, or what the handler throws
                boolean atOnce = failures.add(e);
                connection.rollback();
                return atOnce;
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
