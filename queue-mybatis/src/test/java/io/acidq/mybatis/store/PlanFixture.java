package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.ibatis.binding.MapperMethod.ParamMap;
import org.apache.ibatis.mapping.BoundSql;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.scripting.defaults.DefaultParameterHandler;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

/**
 * Checks mapped statements on a database of its own: the indexes that their plans use, and how many rows the server reads for them.
 * The statements run on one connection, which counts the reads of its session.
 */
abstract class PlanFixture {

    /** What MariaDB sets for one statement, and the statement. */
    private static final Pattern SETTING = Pattern.compile("(\\s*SET STATEMENT .*? FOR |)(.*)", Pattern.DOTALL);

    /** Tables of AcidQ whose use in a plan is checked, as are all aliases of one letter. */
    private final List<String> tables;

    private final Set<String> derivedTables;
    private final Set<String> refusedAccess;

    /** Statements that may sort: they sort only the rows that they move or group. */
    private final Set<String> sorting;

    @Parameter
    private StoreKind kind;

    StoreDatabase home;
    QueueFixture fixture;
    private Connection connection;

    PlanFixture(List<String> tables, Set<String> derivedTables, Set<String> refusedAccess, Set<String> sorting) {
        this.tables = tables;
        this.derivedTables = derivedTables;
        this.refusedAccess = refusedAccess;
        this.sorting = sorting;
    }

    @BeforeParameterizedClassInvocation
    void open() throws SQLException {
        home = kind.open();
        fixture = new QueueFixture(home);
        connection = home.dataSource().getConnection();
    }

    @AfterParameterizedClassInvocation
    void close() throws SQLException {
        connection.close();
        home.close();
    }

    /** The statements to check. */
    abstract List<Case> cases();

    /**
     * A statement and what it may cost.
     *
     * @param keys the indexes by which its tables may be read
     * @param most the highest number of reads, however many rows there are
     */
    record Case(Class<?> mapper, String id, Object parameter, Set<String> keys, long most) {

        @Override
        public String toString() {
            return mapper.getSimpleName() + "." + id;
        }
    }

    /** A test for each statement on the rows and statistics that the tables have then. */
    Stream<DynamicTest> checks(String state) {
        return checks(state, true);
    }

    Stream<DynamicTest> checksOfEmptyTables() {
        return checks("empty", false);
    }

    private Stream<DynamicTest> checks(String state, boolean filled) {
        List<Case> cases = cases();
        return IntStream.range(0, cases.size())
                .mapToObj(
                        i -> DynamicTest.dynamicTest(state + ": " + cases.get(i), () -> check(cases().get(i), filled)));
    }

    private void check(Case c, boolean filled) throws SQLException {
        for (Plan plan : explain(c.mapper, c.id, c.parameter)) {
            if (filled && isChecked(plan.table())) {
                assertThat(plan.key()).as("%s", plan).isIn(c.keys);
                assertThat(plan.type()).as("%s", plan).isNotIn(refusedAccess);
            }
            if (!sorting.contains(c.id)) {
                assertThat(plan.extra()).as("%s", plan).doesNotContain("filesort");
            }
        }
        if (filled) {
            assertThat(rowsRead(c.mapper, c.id, c.parameter)).as("rows read").isLessThanOrEqualTo(c.most);
        }
    }

    private boolean isChecked(String table) {
        return table.length() == 1 && !derivedTables.contains(table) || tables.contains(table);
    }

    /** A step that gives the tables statistics of this many rows. */
    DynamicTest fakeStatistics(String name, long rows) {
        return DynamicTest.dynamicTest("prepares statistics of " + name, () -> fakeStatistics(rows));
    }

    /** What the optimizer reports on one table of a statement. */
    private record Plan(String table, String type, String key, String extra) {}

    private List<Plan> explain(Class<?> mapper, String id, Object parameter) throws SQLException {
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

    /** The rows that the server reads for a statement, whose changes are rolled back. */
    private long rowsRead(Class<?> mapper, String id, Object parameter) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement statement = prepare("", mapper, id, parameter)) {
            QueueFixture.execute(connection, "FLUSH STATUS");
            statement.execute();
            return sumOfReads();
        } finally {
            connection.rollback();
        }
    }

    /** The same for a statement of a test. */
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

    /** Writes statistics of this many rows into the dictionary and makes the server read them. */
    void fakeStatistics(long rows) {
        for (String table : tables) {
            fixture.execute(
                    "UPDATE mysql.innodb_table_stats SET n_rows = ?, clustered_index_size = ? WHERE database_name = DATABASE()"
                            + " AND table_name = ?",
                    rows,
                    Math.max(1, rows / 50),
                    table);
            fixture.execute(
                    "UPDATE mysql.innodb_index_stats SET stat_value = ? WHERE database_name = DATABASE() AND table_name = ?"
                            + " AND stat_name LIKE 'n_diff%'",
                    Math.max(1, rows / 100), table);
            fixture.execute("FLUSH TABLE " + table);
        }
    }

    private PreparedStatement prepare(String prefix, Class<?> mapper, String id, Object parameter) throws SQLException {
        MappedStatement mapped =
                home.sessions().configuration(connection).getMappedStatement(mapper.getName() + "." + id);
        BoundSql bound = mapped.getBoundSql(parameter);
        Matcher setting = SETTING.matcher(bound.getSql());
        setting.lookingAt();
        PreparedStatement statement = connection.prepareStatement(setting.group(1) + prefix + setting.group(2));
        new DefaultParameterHandler(mapped, parameter, bound).setParameters(statement);
        return statement;
    }
}
