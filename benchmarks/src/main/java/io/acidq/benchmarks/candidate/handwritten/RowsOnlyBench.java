package io.acidq.benchmarks.candidate.handwritten;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.benchmarks.candidate.Bench;
import io.acidq.benchmarks.candidate.BusinessRows;
import io.acidq.benchmarks.candidate.LetterRows;
import io.acidq.benchmarks.candidate.Parcel;
import io.acidq.benchmarks.candidate.Site;
import io.acidq.benchmarks.candidate.Stock;
import io.acidq.benchmarks.candidate.Work;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.LongConsumer;

/** An application that sends nothing: what its transaction costs without a message. */
final class RowsOnlyBench implements Bench {

    private final HikariDataSource pool;

    RowsOnlyBench(Site site) {
        this.pool = site.tunedPool();
    }

    @Override
    public void place(Parcel parcel) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            BusinessRows.insert(connection, parcel.letters());
            connection.commit();
        }
    }

    @Override
    public void fill(Stock stock) {
        throw new UnsupportedOperationException("rows-only has no messages");
    }

    @Override
    public void start(int workers, Work work) {
        throw new UnsupportedOperationException("rows-only has no messages");
    }

    @Override
    public void stop() {}

    /** The rows, as if each were a message: so that the roll of what was placed can be called. */
    @Override
    public void left(LongConsumer letters) throws SQLException {
        LetterRows.read(pool, "letter", "bench_business", letters);
    }

    @Override
    public void close() {}
}
