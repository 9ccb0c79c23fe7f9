package io.acidq.mybatis.session;

import io.acidq.AcidqException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.apache.ibatis.mapping.BoundSql;
import org.apache.ibatis.mapping.ParameterMapping;
import org.jspecify.annotations.Nullable;

/**
 * A statement of a mapper file without conditions in it, run by JDBC alone: for what every message goes through, where session, mapper and parameter
 * mappings cost twice as much CPU as the driver (measured). Thread-safe.
 */
public final class PlainStatement {

    private static final String[] ID = {"id"};

    private final Sessions sessions;
    private final String verb;
    private final String id;
    private volatile @Nullable Text text;

    /**
     * One statement.
     *
     * @param verb the name of the port's method, for errors
     * @param id   the statement, with its namespace
     */
    public PlainStatement(Sessions sessions, String verb, String id) {
        this.sessions = sessions;
        this.verb = verb;
        this.id = id;
    }

    /** Reads the row at which a result stands. */
    @FunctionalInterface
    public interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** Gives the parameters, in the order of the statement. */
    @FunctionalInterface
    public interface Binder {

        /**
         * Gives one.
         *
         * @param name of the parameter in the mapper file
         */
        void bind(Parameters to, String name) throws SQLException;
    }

    /**
     * Runs it on a connection, without ending its transaction; returns how many rows it found.
     *
     * @throws AcidqException as {@link Sessions#on}
     */
    public int run(Connection connection, Binder binder) {
        return run(connection, List.of(binder));
    }

    /**
     * Runs an INSERT with as many rows as there are binders, where the mapper file has one behind VALUES.
     *
     * @throws AcidqException as {@link Sessions#on}
     */
    public int run(Connection connection, List<? extends Binder> rows) {
        try {
            Text known = text(connection);
            try (PreparedStatement statement = connection.prepareStatement(known.sql(rows.size()))) {
                Parameters to = new BoundParameters(statement);
                for (Binder row : rows) {
                    known.bind(row, to);
                }
                return statement.executeUpdate();
            }
        } catch (RuntimeException | SQLException e) {
            throw Failures.of(verb, e, connection);
        }
    }

    /**
     * The same with all parameters in the text, on MySQL and MariaDB.
     *
     * @param length of the text, about
     * @throws AcidqException as {@link Sessions#on}
     */
    public int runAsText(Connection connection, List<? extends Binder> rows, int length) {
        try {
            Text known = text(connection);
            LiteralParameters to = known.literals(length);
            for (Binder row : rows) {
                known.bind(row, to);
                to.endRow();
            }
            try (Statement statement = connection.createStatement()) {
                statement.setEscapeProcessing(false);
                return statement.executeUpdate(to.sql());
            }
        } catch (RuntimeException | SQLException e) {
            throw Failures.of(verb, e, connection);
        }
    }

    /**
     * Runs an INSERT of one row and returns the {@code id} that the server gave it.
     *
     * @throws AcidqException as {@link Sessions#on}
     */
    public long insert(Connection connection, Binder row) {
        try {
            Text known = text(connection);
            try (PreparedStatement statement = connection.prepareStatement(known.sql(), ID)) {
                known.bind(row, new BoundParameters(statement));
                statement.executeUpdate();
                return id(statement);
            }
        } catch (RuntimeException | SQLException e) {
            throw Failures.of(verb, e, connection);
        }
    }

    /**
     * The same with all parameters in the text, on MySQL and MariaDB.
     *
     * @param length of the text, about
     * @throws AcidqException as {@link Sessions#on}
     */
    public long insertAsText(Connection connection, Binder row, int length) {
        try {
            Text known = text(connection);
            LiteralParameters to = known.literals(length);
            known.bind(row, to);
            to.endRow();
            try (Statement statement = connection.createStatement()) {
                statement.setEscapeProcessing(false);
                statement.executeUpdate(to.sql(), ID);
                return id(statement);
            }
        } catch (RuntimeException | SQLException e) {
            throw Failures.of(verb, e, connection);
        }
    }

    private static long id(Statement statement) throws SQLException {
        try (ResultSet keys = statement.getGeneratedKeys()) {
            if (!keys.next()) {
                throw new SQLException("the DataSource gives no generated keys: switch off what needs them (direct)");
            }
            return keys.getLong(1);
        }
    }

    /**
     * Reads the first row that a query finds; null when there is none.
     *
     * @throws AcidqException as {@link Sessions#on}
     */
    public <T> @Nullable T first(Connection connection, Binder binder, Reader<T> reader) {
        try {
            Text known = text(connection);
            try (PreparedStatement statement = connection.prepareStatement(known.sql())) {
                known.bind(binder, new BoundParameters(statement));
                try (ResultSet row = statement.executeQuery()) {
                    return row.next() ? reader.read(row) : null;
                }
            }
        } catch (RuntimeException | SQLException e) {
            throw Failures.of(verb, e, connection);
        }
    }

    private Text text(Connection connection) throws SQLException {
        Text known = text;
        if (known == null) {
            BoundSql sql =
                    sessions.configuration(connection).getMappedStatement(id).getBoundSql(Map.of());
            known = new Text(
                    sql.getSql(),
                    sql.getParameterMappings().stream()
                            .map(ParameterMapping::getProperty)
                            .toList());
            text = known;
        }
        return known;
    }

    private record Text(String sql, List<String> names) {

        private static final String VALUES = "VALUES";

        String sql(int rows) {
            return rows == 1 ? sql : before() + row() + ("," + row()).repeat(rows - 1);
        }

        LiteralParameters literals(int length) {
            return new LiteralParameters(before(), List.of(row().split("\\?", -1)), length);
        }

        void bind(Binder binder, Parameters to) throws SQLException {
            for (String name : names) {
                binder.bind(to, name);
            }
        }

        private String before() {
            return sql.substring(0, afterValues());
        }

        private String row() {
            return sql.substring(afterValues());
        }

        private int afterValues() {
            return sql.lastIndexOf(VALUES) + VALUES.length();
        }
    }
}
