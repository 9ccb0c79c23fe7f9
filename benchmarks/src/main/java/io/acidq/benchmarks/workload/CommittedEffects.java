package io.acidq.benchmarks.workload;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The effects that are committed. Looks often while there are too few, so that look costs a row; rows are counted only when there may be enough. */
final class CommittedEffects {

    /** Runs whose end is taken from here last for seconds. */
    private static final int BETWEEN_CHECKS_MILLIS = 100;

    private final Connection connection;

    CommittedEffects(Connection look) {
        this.connection = look;
    }

    /** Waits until so many messages have an effect; false when none is added for as long as patience lasts. */
    boolean await(long wanted, Duration patience) throws SQLException, InterruptedException {
        long seen = -1;
        long since = System.nanoTime();
        while (true) {
            long most = most(wanted);
            if (most >= wanted && messages() >= wanted) {
                return true;
            }
            if (most != seen) {
                seen = most;
                since = System.nanoTime();
            }
            if (System.nanoTime() - since > patience.toNanos()) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(BETWEEN_CHECKS_MILLIS);
        }
    }

    /** Whether so many messages have an effect now. */
    boolean has(long wanted) throws SQLException {
        return most(wanted) >= wanted && messages() >= wanted;
    }

    /** There are no more rows than this: the highest id, which a rollback may leave too high, and when that suffices their number. */
    private long most(long wanted) throws SQLException {
        long highest = number("COALESCE(MAX(id), 0)");
        return highest < wanted ? highest : number("COUNT(*)");
    }

    private long messages() throws SQLException {
        return number("COUNT(DISTINCT letter)");
    }

    private long number(String what) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT " + what + " FROM bench_effect")) {
            row.next();
            return row.getLong(1);
        }
    }
}
