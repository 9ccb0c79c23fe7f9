package io.acidq.benchmarks.candidate.handwritten;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.benchmarks.candidate.Bench;
import io.acidq.benchmarks.candidate.BusinessRows;
import io.acidq.benchmarks.candidate.Parcel;
import io.acidq.benchmarks.candidate.Site;
import io.acidq.benchmarks.candidate.Stock;
import io.acidq.benchmarks.candidate.Work;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** An application that sends nothing: what its transaction costs without a message. */
final class RowsOnlyBench implements Bench {

    private final HikariDataSource pool;

    RowsOnlyBench(Site site) {
        this.pool = JdbcBench.readCommitted(site);
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

    /** The rows, as if each were a message: so that what was placed can be counted. */
    @Override
    public long left() throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM bench_business")) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public void close() {}
}
