package io.acidq.benchmarks.candidate.handwritten;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.benchmarks.candidate.Backlog;
import io.acidq.benchmarks.candidate.BusinessRows;
import io.acidq.benchmarks.candidate.CandidateAdapter;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.candidate.HandlerWork;
import io.acidq.benchmarks.candidate.MessageRows;
import io.acidq.benchmarks.candidate.SendBatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.LongConsumer;

/** An application that sends nothing: what its transaction costs without a message. */
final class RowsOnlyAdapter implements CandidateAdapter {

    private final HikariDataSource pool;

    RowsOnlyAdapter(CandidateDatabase candidateDatabase) {
        this.pool = candidateDatabase.tunedPool();
    }

    @Override
    public void send(SendBatch sendBatch) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            BusinessRows.insert(connection, sendBatch.messages());
            connection.commit();
        }
    }

    @Override
    public void fill(Backlog backlog) {
        throw new UnsupportedOperationException("rows-only has no messages");
    }

    @Override
    public void start(int workers, HandlerWork handlerWork) {
        throw new UnsupportedOperationException("rows-only has no messages");
    }

    @Override
    public void stop() {}

    /** The rows, as if each were a message: so that the roll of what was placed can be called. */
    @Override
    public void forEachRemaining(LongConsumer letters) throws SQLException {
        MessageRows.read(pool, "letter", "bench_business", letters);
    }

    @Override
    public void close() {}
}
