package io.acidq.mybatis.session;

import io.acidq.AcidqException;
import io.acidq.mybatis.transaction.GuardedConnection;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.ibatis.mapping.BoundSql;
import org.apache.ibatis.mapping.ParameterMapping;
import org.jspecify.annotations.Nullable;

/**
 * A statement of a mapper file without conditions, executed with plain JDBC. It is used on the path of every message, where the session, the mapper and
 * the parameter mappings of MyBatis cost twice as much CPU as the driver (measured). On MySQL the {@linkplain LiteralParameters parameters are part of
 * the text}: Connector/J parses the whole text of a prepared statement each time and is slow with bytes, which together took a quarter of the CPU time
 * of an enqueue (measured). The driver of MariaDB is slow only with the parameters of many rows. Thread-safe.
 */
public final class RawStatement {

    private static final String[] ID = {"id"};

    private final MyBatisSessions sessions;
    private final String verb;
    private final String id;
    private volatile @Nullable StatementText statementText;

    /**
     * Creates a statement.
     *
     * @param verb the name of the store's method, for error messages
     * @param id   the id of the mapped statement with its namespace
     */
    public RawStatement(MyBatisSessions sessions, String verb, String id) {
        this.sessions = sessions;
        this.verb = verb;
        this.id = id;
    }

    /** Reads the current row of a result, or the whole result. */
    @FunctionalInterface
    public interface Reader<T> {
        T read(ResultSet rows) throws SQLException;
    }

    /** Receives the parameters of a statement in their order. */
    public interface Parameters {

        void number(long number) throws SQLException;

        /** Sets a parameter for a binary column; null means NULL. */
        void bytes(byte @Nullable [] bytes) throws SQLException;

        /** Sets a parameter for a character column. */
        void text(String text) throws SQLException;
    }

    /** Supplies the parameters of a row by their names. */
    @FunctionalInterface
    public interface Binder {

        /**
         * Supplies one parameter.
         *
         * @param name the name of the parameter in the mapper file
         */
        void bind(Parameters to, String name) throws SQLException;

        /** The approximate number of characters of all parameters. */
        default int length() {
            return 256;
        }
    }

    /**
     * Runs the statement on a connection without ending its transaction, and returns the update count.
     *
     * @throws AcidqException as {@link MyBatisSessions#withSession}
     */
    public int update(Connection connection, Binder binder) {
        return update(connection, List.of(binder));
    }

    /**
     * Runs an INSERT with one row per binder. The mapper file has one row after VALUES.
     *
     * @throws AcidqException as {@link MyBatisSessions#withSession}
     */
    public int update(Connection connection, List<? extends Binder> rows) {
        return run(connection, (unguarded, known) -> {
            if (known.takesLiterals(rows)) {
                try (Statement statement = statement(unguarded)) {
                    return statement.executeUpdate(known.literal(rows));
                }
            }
            try (PreparedStatement statement = unguarded.prepareStatement(known.sql(rows.size()))) {
                known.bind(rows, new BoundParameters(statement));
                return statement.executeUpdate();
            }
        });
    }

    /**
     * Runs an INSERT of one row and returns the generated {@code id}.
     *
     * @throws AcidqException as {@link MyBatisSessions#withSession}
     */
    public long insertAndGetId(Connection connection, Binder row) {
        List<Binder> rows = List.of(row);
        return run(connection, (unguarded, known) -> {
            if (known.takesLiterals(rows)) {
                try (Statement statement = statement(unguarded)) {
                    statement.executeUpdate(known.literal(rows), ID);
                    return id(statement);
                }
            }
            try (PreparedStatement statement = unguarded.prepareStatement(known.sql(1), ID)) {
                known.bind(rows, new BoundParameters(statement));
                statement.executeUpdate();
                return id(statement);
            }
        });
    }

    private static long id(Statement statement) throws SQLException {
        try (ResultSet keys = statement.getGeneratedKeys()) {
            if (!keys.next()) {
                throw new SQLException(
                        "the DataSource returns no generated keys, which direct handoff needs:"
                                + " set directHandoff (acidq.queues[…].direct-handoff) to false, or use a DataSource that returns them");
            }
            return keys.getLong(1);
        }
    }

    /**
     * Reads the first row of a query, or returns null if there is none.
     *
     * @throws AcidqException as {@link MyBatisSessions#withSession}
     */
    public <T> @Nullable T queryFirst(Connection connection, Binder binder, Reader<T> reader) {
        Optional<T> first =
                query(connection, binder, rows -> rows.next() ? Optional.of(reader.read(rows)) : Optional.<T>empty());
        return first.orElse(null);
    }

    /**
     * Reads all rows of a query.
     *
     * @throws AcidqException as {@link MyBatisSessions#withSession}
     */
    public <T> List<T> queryAll(Connection connection, Binder binder, Reader<T> reader) {
        return query(connection, binder, rows -> {
            List<T> all = new ArrayList<>();
            while (rows.next()) {
                all.add(reader.read(rows));
            }
            return all;
        });
    }

    private <T> T query(Connection connection, Binder binder, Reader<T> result) {
        List<Binder> one = List.of(binder);
        return run(connection, (unguarded, known) -> {
            if (known.takesLiterals(one)) {
                try (Statement statement = statement(unguarded)) {
                    statement.setMaxRows(0); // the URL of Connector/J may limit the rows of each result
                    try (ResultSet rows = statement.executeQuery(known.literal(one))) {
                        return result.read(rows);
                    }
                }
            }
            try (PreparedStatement statement = unguarded.prepareStatement(known.sql(1))) {
                known.bind(one, new BoundParameters(statement));
                statement.setMaxRows(0);
                try (ResultSet rows = statement.executeQuery()) {
                    return result.read(rows);
                }
            }
        });
    }

    /**
     * Runs the statement without the guard of a handler's connection, whose proxies cost more CPU than the driver (measured). The guard still sees each error,
     * so that a transaction that the database has ended is not committed.
     */
    private <T> T run(Connection connection, StatementCall<T> call) {
        try {
            return call.run(GuardedConnection.target(connection), text(connection));
        } catch (SQLException e) {
            GuardedConnection.recordError(connection, e);
            throw ExceptionTranslator.translate(verb, e, connection);
        } catch (RuntimeException e) {
            throw ExceptionTranslator.translate(verb, e, connection);
        }
    }

    @FunctionalInterface
    private interface StatementCall<T> {
        T run(Connection unguarded, StatementText known) throws SQLException;
    }

    /** Creates a statement whose text the driver does not parse. */
    private static Statement statement(Connection connection) throws SQLException {
        Statement statement = connection.createStatement();
        statement.setEscapeProcessing(false);
        return statement;
    }

    private StatementText text(Connection connection) throws SQLException {
        StatementText known = statementText;
        if (known == null) {
            BoundSql sql =
                    sessions.configuration(connection).getMappedStatement(id).getBoundSql(Map.of());
            List<String> names = sql.getParameterMappings().stream()
                    .map(ParameterMapping::getProperty)
                    .toList();
            known = StatementText.of(sql.getSql(), names, sessions.vendor(connection));
            statementText = known;
        }
        return known;
    }

    /**
     * The text of a statement.
     *
     * @param sql    the text with one row
     * @param row    the position at which the row begins
     * @param names  the names of the parameters of a row
     * @param begin  the text before the row
     * @param pieces the texts of the row around its parameters
     * @param vendor the vendor of the server
     */
    private record StatementText(
            String sql, int row, List<String> names, byte[] begin, byte[][] pieces, Vendor vendor) {

        private static final String VALUES = "VALUES";

        static StatementText of(String sql, List<String> names, Vendor vendor) {
            int values = sql.lastIndexOf(VALUES);
            int row = values < 0 ? 0 : values + VALUES.length();
            byte[] begin = LiteralParameters.bytesOf(sql.substring(0, row));
            return new StatementText(sql, row, names, begin, LiteralParameters.pieces(sql.substring(row)), vendor);
        }

        String sql(int rows) {
            return rows == 1 ? sql : sql + ("," + sql.substring(row)).repeat(rows - 1);
        }

        /** Whether the parameters are written into the text. */
        boolean takesLiterals(List<? extends Binder> rows) {
            return switch (vendor) {
                case MYSQL -> true;
                case MARIADB -> rows.size() > 1;
                case H2 -> false;
            };
        }

        String literal(List<? extends Binder> rows) throws SQLException {
            int length = row;
            for (Binder each : rows) {
                length += sql.length() - row + each.length();
            }
            LiteralParameters to = new LiteralParameters(begin, pieces, length);
            for (Binder each : rows) {
                bind(each, to);
                to.endRow();
            }
            return to.sql();
        }

        void bind(List<? extends Binder> rows, Parameters to) throws SQLException {
            for (Binder each : rows) {
                bind(each, to);
            }
        }

        private void bind(Binder binder, Parameters to) throws SQLException {
            for (String name : names) {
                binder.bind(to, name);
            }
        }
    }

    /** Parameters that are set on a prepared statement. */
    private static final class BoundParameters implements Parameters {

        private final PreparedStatement statement;
        private int place;

        BoundParameters(PreparedStatement statement) {
            this.statement = statement;
        }

        @Override
        public void number(long number) throws SQLException {
            statement.setLong(++place, number);
        }

        @Override
        public void bytes(byte @Nullable [] bytes) throws SQLException {
            statement.setBytes(++place, bytes);
        }

        @Override
        public void text(String text) throws SQLException {
            statement.setString(++place, text);
        }
    }
}
