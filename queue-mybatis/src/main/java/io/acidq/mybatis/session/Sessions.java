package io.acidq.mybatis.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.Function;
import javax.sql.DataSource;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.ExecutorType;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.jspecify.annotations.Nullable;

/**
 * Mapper sessions over connections that somebody else opened and ends. The MyBatis configuration knows nothing of the application's; it is
 * chosen when the first connection tells which vendor it leads to. Thread-safe.
 */
public final class Sessions {

    private static final String MARIADB_DRIVER = "org.mariadb.jdbc.";

    private final DataSource dataSource;
    private final List<RowHandler<?>> rows;
    private volatile List<String> mappers;
    private volatile @Nullable SqlSessionFactory factory;
    private volatile @Nullable Vendor vendor;

    /**
     * Sessions of some mappers.
     *
     * @param mappers names of the mapper files beside this module's resources, in the order they refer to each other
     */
    public Sessions(DataSource dataSource, List<String> mappers) {
        this(dataSource, mappers, List.of());
    }

    /**
     * Sessions of some mappers.
     *
     * @param mappers names of the mapper files beside this module's resources, in the order they refer to each other
     * @param rows    readers of whole rows, for results that are read too often for MyBatis' own way
     */
    public Sessions(DataSource dataSource, List<String> mappers, List<RowHandler<?>> rows) {
        this.dataSource = dataSource;
        this.mappers = List.copyOf(mappers);
        this.rows = List.copyOf(rows);
    }

    /** From now on statements wait for locked rows instead of skipping them: for servers that do not know SKIP LOCKED. */
    public void waitForLocks() {
        mappers = mappers.stream()
                .map(m -> m.equals("Locks.xml") ? "WaitingLocks.xml" : m)
                .toList();
        factory = null;
    }

    public DataSource dataSource() {
        return dataSource;
    }

    /** Runs statements on a connection, without ending its transaction. */
    public <T extends @Nullable Object> T on(Connection connection, String what, Function<SqlSession, T> work) {
        try (SqlSession session = open(connection)) {
            return work.apply(session);
        } catch (RuntimeException | SQLException e) {
            throw Failures.of(what, e, connection);
        }
    }

    /** What the connections lead to. */
    public Vendor vendor(Connection connection) throws SQLException {
        Vendor known = vendor;
        if (known == null) {
            known = Vendor.of(connection);
            vendor = known;
        }
        return known;
    }

    /** A session over a connection; closing it leaves the connection as it is. */
    public SqlSession open(Connection connection) throws SQLException {
        return factory(connection).openSession(connection);
    }

    SqlSession openBatch(Connection connection) {
        try {
            return factory(connection).openSession(ExecutorType.BATCH, connection);
        } catch (SQLException e) {
            throw Failures.of("batch", e);
        }
    }

    /** The configuration, for tests that look at the statements. */
    public Configuration configuration(Connection connection) throws SQLException {
        return factory(connection).getConfiguration();
    }

    /**
     * Ends the session for certain, and lets the pool see an error on it: pools drop a connection for that, but not for abort alone. The error is
     * that of a statement: a driver that knows of no transaction does nothing for a rollback.
     */
    public static void evict(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            // it is to be gone, and it is
        }
        closeForGood(connection);
        try (Connection closed = connection;
                Statement statement = closed.createStatement()) {
            statement.execute("ROLLBACK");
        } catch (SQLException | RuntimeException e) {
            // expected: this is the error for the pool
        }
    }

    /** MariaDB's driver, where the URL has several addresses, makes of an aborted connection a new one when it is used, and tries for half a minute. */
    private static void closeForGood(Connection aborted) {
        try {
            Connection inside = aborted.unwrap(Connection.class);
            if (inside.getClass().getName().startsWith(MARIADB_DRIVER)) {
                inside.close();
            }
        } catch (SQLException | RuntimeException e) {
            // a proxy that shows nothing of what is inside
        }
    }

    private SqlSessionFactory factory(Connection connection) throws SQLException {
        SqlSessionFactory built = factory;
        if (built == null) {
            built = Configurations.of(new Configurations.Key(vendor(connection), mappers, rows));
            factory = built;
        }
        return built;
    }
}
