package io.acidq.mybatis.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.ibatis.binding.MapperMethod.ParamMap;
import org.apache.ibatis.mapping.BoundSql;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.scripting.defaults.DefaultParameterHandler;

/** The mapped statements themselves, explained and executed on a connection that sees their cost. */
final class Statements {

    private final StoreDatabase home;
    private final Connection connection;

    Statements(StoreDatabase home, Connection connection) {
        this.home = home;
        this.connection = connection;
    }

    /** What the optimizer says of one table in a statement. */
    record Plan(String table, String type, String key, String extra) {}

    List<Plan> explain(Class<?> mapper, String id, Object parameter) throws SQLException {
        String explain = home.isMariaDb() ? "EXPLAIN " : "EXPLAIN FORMAT=TRADITIONAL ";
        List<Plan> plans = new ArrayList<>();
        try (PreparedStatement statement = prepare(explain, mapper, id, parameter);
                ResultSet set = statement.executeQuery()) {
            while (set.next()) {
                if (set.getString("select_type").equals("INSERT")) {
                    continue; // the table that is written to
                }
                plans.add(new Plan(
                        String.valueOf(set.getString("table")),
                        String.valueOf(set.getString("type")),
                        String.valueOf(set.getString("key")),
                        String.valueOf(set.getString("Extra"))));
            }
        }
        return plans;
    }

    /** How many rows the server reads for it; what it changes is rolled back. */
    long rowsRead(Class<?> mapper, String id, Object parameter) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement statement = prepare("", mapper, id, parameter)) {
            QueueFixture.execute(connection, "FLUSH STATUS");
            statement.execute();
            return sumOfReads();
        } finally {
            connection.rollback();
        }
    }

    /** The same for a statement that is not the product's. */
    long rowsRead(String sql) throws SQLException {
        connection.setAutoCommit(false);
        try {
            QueueFixture.execute(connection, "FLUSH STATUS");
            QueueFixture.execute(connection, sql);
            return sumOfReads();
        } finally {
            connection.rollback();
        }
    }

    private long sumOfReads() throws SQLException {
        return QueueFixture.rows(connection, "SHOW SESSION STATUS LIKE 'Handler_read%'").stream()
                .mapToLong(r -> Long.parseLong(String.valueOf(r.get(1))))
                .sum();
    }

    static Object parameters(Object... namesAndValues) {
        ParamMap<Object> map = new ParamMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            map.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return Map.copyOf(map);
    }

    /** Writes statistics of so many rows into the dictionary, and lets the tables read them. */
    static void fakeStatistics(QueueFixture queueFixture, List<String> tables, long rows) {
        for (String table : tables) {
            queueFixture.execute(
                    "UPDATE mysql.innodb_table_stats SET n_rows = ?, clustered_index_size = ? WHERE database_name = DATABASE()"
                            + " AND table_name = ?",
                    rows,
                    Math.max(1, rows / 50),
                    table);
            queueFixture.execute(
                    "UPDATE mysql.innodb_index_stats SET stat_value = ? WHERE database_name = DATABASE() AND table_name = ?"
                            + " AND stat_name LIKE 'n_diff%'",
                    Math.max(1, rows / 100), table);
            queueFixture.execute("FLUSH TABLE " + table);
        }
    }

    private PreparedStatement prepare(String prefix, Class<?> mapper, String id, Object parameter) throws SQLException {
        MappedStatement mapped =
                home.sessions().configuration(connection).getMappedStatement(mapper.getName() + "." + id);
        BoundSql bound = mapped.getBoundSql(parameter);
        PreparedStatement statement = connection.prepareStatement(prefix + bound.getSql());
        new DefaultParameterHandler(mapped, parameter, bound).setParameters(statement);
        return statement;
    }
}
