package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.admin.DeadLetter;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetterPage;
import io.acidq.mybatis.store.AuditMapper.NewLetters;
import io.acidq.mybatis.store.Statements.Plan;
import io.acidq.store.DeadLetterStore.Letter;
import io.acidq.testservers.FullBuild;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

/**
 * The statements over dead letters and what is recorded of them, with 20,000 letters (100,000 in a full build) in each of two queues: they read the letters that
 * they are for, or an index of their queue, also with statistics that are wrong in either direction.
 */
@TestInstance(Lifecycle.PER_CLASS)
@EachServer(variants = false)
class DeadLetterPlanIT {

    private static final int DEAD_LETTERS = FullBuild.IS_ON ? 100_000 : 20_000;
    private static final int CAUSES = 7;
    private static final List<String> TABLES = List.of("acidq_dead", "acidq_key", "acidq_audit");
    private static final Set<String> PRIMARY = Set.of("PRIMARY");
    private static final Set<String> SORTS_WHAT_IT_MOVES_OR_GROUPS = Set.of("copyToHot", "insertLetters", "groups");

    @Parameter
    private StoreKind kind;

    private StoreDatabase home;
    private QueueFixture queueFixture;
    private Connection connection;
    private Statements statements;
    private DeadLetterFilter all;
    private List<Letter> hundred;
    private DeadLetterPage middle;
    private DeadLetterFilter ofOneCause;

    @BeforeParameterizedClassInvocation
    void open() throws SQLException {
        home = kind.open();
        queueFixture = new QueueFixture(home);
        connection = home.dataSource().getConnection();
        statements = new Statements(home, connection);
        all = DeadLetterFilter.of(queueFixture.queue.name());
        fill(queueFixture, DEAD_LETTERS);
        fill(new QueueFixture(home), DEAD_LETTERS);
        TABLES.forEach(table -> queueFixture.rows("ANALYZE TABLE " + table));
        List<Letter> letters = queueFixture.store.dead().pick(queueFixture.queue, all, DEAD_LETTERS);
        assertThat(letters).hasSize(DEAD_LETTERS);
        hundred = letters.subList(DEAD_LETTERS / 2, DEAD_LETTERS / 2 + 100);
        Letter last = hundred.get(99);
        middle = new DeadLetterPage(100, last.diedAt(), last.uid());
        List<DeadLetter> page = queueFixture.store.dead().list(queueFixture.queue, all, middle);
        ofOneCause = all.withCause(page.get(0).fingerprint())
                .diedBetween(last.diedAt(), Instant.parse("9000-01-01T00:00:00Z"));
    }

    @AfterParameterizedClassInvocation
    void close() throws SQLException {
        connection.close();
        home.close();
    }

    /**
     * A statement and what it may cost.
     *
     * @param keys the indexes that its tables may be read by
     * @param most at most this many reads
     */
    private record Case(Class<?> mapper, String id, Object parameter, Set<String> keys, long most) {

        @Override
        public String toString() {
            return mapper.getSimpleName() + "." + id;
        }
    }

    @TestFactory
    List<DynamicTest> takesTheRightIndexAndReadsFewRows() {
        List<DynamicTest> tests = new ArrayList<>(checks("true statistics"));
        tests.add(DynamicTest.dynamicTest("prepares statistics of two rows", () -> {
            Statements.fakeStatistics(queueFixture, TABLES, 2);
            assertThat(statements.rowsRead("DELETE FROM acidq_dead WHERE "
                            + hundred.stream()
                                    .map(l -> "(died_at = '"
                                            + l.diedAt().toString().replaceAll("[TZ]", " ") + "' AND uid = UNHEX('"
                                            + l.uid().toString().replace("-", "") + "'))")
                                    .collect(Collectors.joining(" OR "))))
                    .as("rows read by the plain DELETE: on MySQL the statistics do mislead the optimizer")
                    .isGreaterThan(home.isMariaDb() ? 0 : DEAD_LETTERS);
        }));
        tests.addAll(checks("too small statistics"));
        tests.add(DynamicTest.dynamicTest(
                "prepares statistics of a billion rows",
                () -> Statements.fakeStatistics(queueFixture, TABLES, 1_000_000_000)));
        tests.addAll(checks("too large statistics"));
        return tests;
    }

    private List<DynamicTest> checks(String state) {
        return IntStream.range(0, cases().size())
                .mapToObj(i -> DynamicTest.dynamicTest(state + ": " + cases().get(i), () -> check(cases().get(i))))
                .toList();
    }

    private void check(Case c) throws SQLException {
        for (Plan plan : statements.explain(c.mapper, c.id, c.parameter)) {
            if (plan.table().length() == 1 && !plan.table().equals("n") || TABLES.contains(plan.table())) {
                assertThat(plan.key()).as("%s", plan).isIn(c.keys);
                assertThat(plan.type()).as("%s", plan).isNotIn("ALL", "index");
            }
            if (!SORTS_WHAT_IT_MOVES_OR_GROUPS.contains(c.id)) {
                assertThat(plan.extra()).as("%s", plan).doesNotContain("filesort");
            }
        }
        assertThat(statements.rowsRead(c.mapper, c.id, c.parameter))
                .as("rows read")
                .isLessThanOrEqualTo(c.most);
    }

    private List<Case> cases() {
        int queue = queueFixture.queue.id();
        Set<String> byQueue = Set.of("by_queue");
        Set<String> byFingerprint = Set.of("by_fingerprint");
        Object letters = Statements.parameters("letters", hundred);
        DeadLetterFilter late = all.diedBetween(hundred.get(99).diedAt(), Instant.parse("9000-01-01T00:00:00Z"));
        return List.of(
                dead("list", DeadQuery.of(queue, all, DeadLetterPage.first(100)), byQueue, 105),
                dead("list", DeadQuery.of(queue, all, middle), byQueue, 105),
                dead("list", DeadQuery.of(queue, ofOneCause, middle), byFingerprint, 105),
                dead("count", DeadQuery.of(queue, all, 1), byQueue, DEAD_LETTERS + 5),
                dead("count", DeadQuery.of(queue, late, 1), byQueue, DEAD_LETTERS / 2 + 5),
                dead("count", DeadQuery.of(queue, ofOneCause, 1), byFingerprint, DEAD_LETTERS / CAUSES / 2 + 5),
                dead(
                        "groups",
                        Statements.parameters("queue", queue, "limit", 5, "causeChars", 1000),
                        Set.of("by_fingerprint", "PRIMARY"),
                        DEAD_LETTERS + 100),
                dead("pick", DeadQuery.of(queue, all, 1000), byQueue, 1005),
                dead("pick", DeadQuery.of(queue, ofOneCause.withType("type"), 1000), byFingerprint, 1005),
                dead(
                        "find",
                        Statements.parameters(
                                "queue", queue, "uid", hundred.get(0).uid()),
                        Set.of("by_uid"),
                        3),
                dead("lockIfDead", letters, PRIMARY, 210),
                dead("strayKeys", letters, PRIMARY, 310),
                dead("payload", hundred.get(0), PRIMARY, 2),
                dead(
                        "edit",
                        Statements.parameters("letter", hundred.get(0), "payload", new byte[3], "size", 3),
                        PRIMARY,
                        2),
                dead("copyToHot", letters, PRIMARY, 310),
                dead("deleteDead", letters, PRIMARY, 410),
                audit("insertLetters", new NewLetters("ann", "replay", "r", 1, hundred, ""), PRIMARY, 310),
                audit("updateBulk", Statements.parameters("id", 1L, "detail", "d"), PRIMARY, 2),
                audit("of", Statements.parameters("uid", hundred.get(0).uid()), Set.of("by_uid", "PRIMARY"), 4),
                audit("recent", Statements.parameters("limit", 50), Set.of("by_bulk", "PRIMARY"), 105));
    }

    private static Case dead(String id, Object parameter, Set<String> keys, long most) {
        return new Case(DeadLetterMapper.class, id, parameter, keys, most);
    }

    private static Case audit(String id, Object parameter, Set<String> keys, long most) {
        return new Case(AuditMapper.class, id, parameter, keys, most);
    }

    /** Puts letters into the queue of the scene. */
    static void fill(QueueFixture queueFixture, int letters) {
        int queue = queueFixture.queue.id();
        String digits = IntStream.range(0, 10)
                .mapToObj(i -> "SELECT " + i + " AS n")
                .collect(Collectors.joining(" UNION ALL "));
        String numbers = "(SELECT a.n + 10 * b.n + 100 * c.n + 1000 * d.n + 10000 * e.n AS n FROM (" + digits
                + ") a JOIN (" + digits + ") b JOIN (" + digits + ") c JOIN (" + digits + ") d JOIN (" + digits
                + ") e HAVING n < " + letters + ") numbers";
        String uid = "UNHEX(LEFT(SHA2(CONCAT(" + queue + ", '-', n), 256), 32))";
        queueFixture.execute(
                "INSERT INTO acidq_dead (died_at, uid, queue, lane, claim_no, attempts, crashes, enqueued_at, preexec_time, p_key,"
                        + " order_key, type, headers, size, payload, mark, fingerprint) SELECT TIMESTAMPADD(SECOND, n, '2026-01-01'), "
                        + uid
                        + ", " + queue
                        + ", n % 64, 3, 3, 0, '2026-01-01', '2026-01-01', CONCAT('k', n), CONCAT('o', n % 50), 'type', '', 100,"
                        + " REPEAT('x', 100), CONCAT('cause ', n), UNHEX(LPAD(HEX(n % " + CAUSES + "), 16, '0')) FROM "
                        + numbers);
        queueFixture.execute("INSERT INTO acidq_key (queue, p_key, uid, lane, expires, taken_at) SELECT " + queue
                + ", CONCAT('k', n), " + uid + ", n % 64, '2026-01-01', '2026-01-01' FROM " + numbers);
        queueFixture.execute(
                "INSERT INTO acidq_audit (at, actor, action, queue, lane, uid, bulk, reason, detail) SELECT '2026-01-01', 'ann',"
                        + " 'replay', " + queue + ", 0, " + uid
                        + ", CASE WHEN n % 1000 = 0 THEN 0 ELSE 1 END, '', '' FROM " + numbers);
    }
}
