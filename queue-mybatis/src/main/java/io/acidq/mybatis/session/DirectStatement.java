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
 * A statement of a mapper file without conditions in it, run by JDBC alone: for the way of every message, where session, mapper and parameter
 * mappings cost twice as much CPU as the driver (measured). MySQL gets it with its {@linkplain LiteralParameters parameters in the text}: Connector/J reads the
 * whole text of a statement with places for parameters each time, and is slow with bytes, which together took a quarter of the program's CPU of an enqueue (measured). MariaDB's
 * driver is slow with the parameters of many rows only. Thread-safe.
 */
public final class DirectStatement {

    private static final String[] ID = {"id"};

    private final MyBatisSessions sessions;
    private final String verb;
    private final String id;
    private volatile @Nullable StatementText statementText;

    /**
     * One statement.
     *
     * @param verb the name of the port's method, for errors
     * @param id   the statement, with its namespace
     */
    public DirectStatement(MyBatisSessions sessions, String verb, String id) {
        this.sessions = sessions;
        this.verb = verb;
        this.id = id;
    }

    /** Reads the row at which a result stands. */
    @FunctionalInterface
    public interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** Takes the parameters of a statement, one after the other. */
    public interface Parameters {

        void number(long number) throws SQLException;

        /** Of a binary column; null is NULL. */
        void bytes(byte @Nullable [] bytes) throws SQLException;

        /** Of a column of characters. */
        void text(String text) throws SQLException;
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

        /** About how many characters all of them take. */
        default int length() {
            return 256;
        }
    }

    /**
     * Runs it on a connection, without ending its transaction; returns how many rows it found.
     *
     * @throws AcidqException as {@link MyBatisSessions#withSession}
     */
    public int update(Connection connection, Binder binder) {
        return update(connection, List.of(binder));
    }

    /**
     * Runs an INSERT with as many rows as there are binders, where the mapper file has one behind VALUES.
     *
     * @throws AcidqException as {@link MyBatisSessions#withSession}
     */
    public int update(Connection connection, List<? extends Binder> rows) {
        try {
            StatementText known = text(connection);
            if (known.takesLiterals(rows)) {
                try (Statement statement = statement(connection)) {
                    return statement.executeUpdate(known.literal(rows));
                }
            }
            try (PreparedStatement statement = connection.prepareStatement(known.sql(rows.size()))) {
                known.bind(rows, new BoundParameters(statement));
                return statement.executeUpdate();
            }
        } catch (RuntimeException | SQLException e) {
            throw ExceptionTranslator.translate(verb, e, connection);
        }
    }

    /**
     * Runs an INSERT of one row and returns the {@code id} that the server gave it.
     *
     * @throws AcidqException as {@link MyBatisSessions#withSession}
     */
    public long insertAndGetId(Connection connection, Binder row) {
        try {
            StatementText known = text(connection);
            List<Binder> rows = List.of(row);
            if (known.takesLiterals(rows)) {
                try (Statement statement = statement(connection)) {
                    statement.executeUpdate(known.literal(rows), ID);
                    return id(statement);
                }
            }
            try (PreparedStatement statement = connection.prepareStatement(known.sql(1), ID)) {
                known.bind(rows, new BoundParameters(statement));
                statement.executeUpdate();
                return id(statement);
            }
        } catch (RuntimeException | SQLException e) {
            throw ExceptionTranslator.translate(verb, e, connection);
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
     * @throws AcidqException as {@link MyBatisSessions#withSession}
     */
    public <T> @Nullable T queryFirst(Connection connection, Binder binder, Reader<T> reader) {
        try {
            StatementText known = text(connection);
            List<Binder> one = List.of(binder);
            if (known.takesLiterals(one)) {
                try (Statement statement = statement(connection);
                        ResultSet row = statement.executeQuery(known.literal(one))) {
                    return row.next() ? reader.read(row) : null;
                }
            }
            try (PreparedStatement statement = connection.prepareStatement(known.sql(1))) {
                known.bind(one, new BoundParameters(statement));
                try (ResultSet row = statement.executeQuery()) {
                    return row.next() ? reader.read(row) : null;
                }
            }
        } catch (RuntimeException | SQLException e) {
            throw ExceptionTranslator.translate(verb, e, connection);
        }
    }

    /** For text that is not to be read by the driver. */
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
     * @param sql    with one row
     * @param row    where the row begins
     * @param names  of the parameters of a row
     * @param begin  what stands before the row
     * @param pieces of the row, around its parameters
     * @param vendor of the server that reads it
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

        /** Whether parameters are to stand in it. */
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

    /** Parameters as the driver takes them. */
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
