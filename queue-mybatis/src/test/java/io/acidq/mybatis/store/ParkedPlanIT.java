package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.DeadHeadPolicy;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.mybatis.store.Statements.Plan;
import io.acidq.store.Claim;
import io.acidq.store.DeadLetterStore.Letter;
import io.acidq.store.MessageRow;
import io.acidq.testservers.FullBuild;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

/**
 * The statements that set followers aside, call them back, and end the hold of a dead head: with 20,000 followers of one key in a lane (100,000 in a full build),
 * as many that are parked and a fifth as many dead letters they read what they are for, also with statistics that are wrong in either direction.
 */
@TestInstance(Lifecycle.PER_CLASS)
@EachServer(variants = false)
class ParkedPlanIT {

    private static final int ROWS = FullBuild.IS_ON ? 100_000 : 20_000;
    private static final int LANE = 3;
    private static final int DEAD = ROWS / 5;
    private static final int HELD = 200;

    /** What is parked has other ids than what is in the lane. */
    private static final int PARKED = 1_000_000;

    private static final List<String> TABLES = List.of("acidq_message", "acidq_parked", "acidq_dead", "acidq_queue");

    @Parameter
    private StoreKind kind;

    private StoreDatabase home;
    private QueueFixture queueFixture;
    private Connection connection;
    private Statements statements;
    private long first;

    @BeforeParameterizedClassInvocation
    void open() throws SQLException {
        home = kind.open();
        queueFixture = new QueueFixture(home);
        connection = home.dataSource().getConnection();
        statements = new Statements(home, connection);
        fill();
    }

    @AfterParameterizedClassInvocation
    void close() throws SQLException {
        connection.close();
        home.close();
    }

    /**
     * A statement and what it may cost.
     *
     * @param key  the index that each of its tables of AcidQ must be read by
     * @param most at most this many reads
     */
    private record Case(Class<?> mapper, String id, Object parameter, String key, long most) {

        @Override
        public String toString() {
            return mapper.getSimpleName() + "." + id;
        }
    }

    @TestFactory
    List<DynamicTest> takesTheRightIndexAndReadsFewRows() {
        List<DynamicTest> tests = new ArrayList<>(checks("true statistics"));
        tests.add(DynamicTest.dynamicTest(
                "prepares statistics of two rows", () -> Statements.fakeStatistics(queueFixture, TABLES, 2)));
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
                assertThat(plan.key()).as("%s", plan).isEqualTo(c.key);
                assertThat(plan.type()).as("%s", plan).isNotIn("ALL", "index");
            }
            assertThat(plan.extra()).as("%s", plan).doesNotContain("filesort");
        }
        assertThat(statements.rowsRead(c.mapper, c.id, c.parameter))
                .as("rows read")
                .isLessThanOrEqualTo(c.most);
    }

    private List<Case> cases() {
        int queue = queueFixture.queue.id();
        Claim claim = new Claim(queue, LANE, first, new UUID(0, 1), queueFixture.node, 1);
        List<Letter> held =
                queueFixture
                        .store
                        .dead()
                        .pick(queueFixture.queue, DeadLetterFilter.of(queueFixture.queue.name()), DEAD)
                        .stream()
                        .filter(Letter::isHolding)
                        .limit(100)
                        .toList();
        assertThat(held).hasSize(100);
        Object letters = Statements.parameters("letters", held);
        Object some = Statements.parameters("queue", queue, "lane", LANE, "ids", ids(500));
        List<Long> parkedIds =
                LongStream.range(first + PARKED, first + PARKED + 100).boxed().toList();
        Object back = Statements.parameters("queue", queue, "key", "hot", "ids", parkedIds);
        Object next = Statements.parameters("queue", queue, "key", "hot", "id", first + PARKED + 100);
        Object one = Statements.parameters("queue", queue, "lane", LANE, "key", "hot", "id", first + 5, "limit", 101);
        return List.of(
                parked(
                        "followers",
                        Statements.parameters(
                                "queue",
                                queue,
                                "lane",
                                LANE,
                                "before",
                                Long.MAX_VALUE,
                                "keys",
                                List.of("hot", "x"),
                                "limit",
                                2000),
                        2005),
                parked(
                        "hasMore",
                        Statements.parameters(
                                "queue",
                                queue,
                                "lane",
                                LANE,
                                "keys",
                                List.of("hot", "x"),
                                "than",
                                ParkedMessages.PARK_THRESHOLD_ALONE),
                        ParkedMessages.PARK_THRESHOLD_ALONE + 5L),
                parked("copyToParked", some, 1010),
                parked("deleteFollowers", some, 2600),
                parked("makeMarker", one, 2),
                parked("firstParked", one, 2),
                parked("parked", one, 105),
                parked("deleteMarker", one, 2),
                parked("copyBack", back, 310),
                parked("deleteParked", back, 520),
                parked("insertMarker", next, 3),
                parked("waiting", one, 420),
                new Case(EndMapper.class, "onDeadHead", Statements.parameters("claim", claim), "PRIMARY", 4),
                new Case(EndMapper.class, "holdPlace", Statements.parameters("claim", claim, "kind", 1), "PRIMARY", 2),
                new Case(
                        DeadLetterMapper.class,
                        "held",
                        Statements.parameters("queue", queue, "limit", 100, "causeChars", 1000),
                        "by_held",
                        105),
                dead("lockMarkers", letters, 820),
                dead("swapBack", letters, 1020),
                dead("deleteMarkers", letters, 1020),
                dead("forgetPlace", held.get(0), 2));
    }

    private static Case parked(String id, Object parameter, long most) {
        return new Case(ParkedMapper.class, id, parameter, "PRIMARY", most);
    }

    private static Case dead(String id, Object parameter, long most) {
        return new Case(DeadLetterMapper.class, id, parameter, "PRIMARY", most);
    }

    private List<Long> ids(int count) {
        return LongStream.range(first + 1, first + 1 + count).boxed().toList();
    }

    /** The lane holds a claimed head, its followers, and at the end the markers of held letters. */
    private void fill() {
        int queue = queueFixture.queue.id();
        queueFixture.store.queues().changeDeadHeadPolicy(queueFixture.queue, DeadHeadPolicy.BLOCK);
        for (int from = 0; from < ROWS; from += 5_000) {
            queueFixture.enqueue(IntStream.range(0, 5_000)
                    .mapToObj(i -> queueFixture.message(LANE, "hot", "x".repeat(50)))
                    .toArray(MessageRow[]::new));
        }
        first = queueFixture.number("SELECT MIN(id) FROM acidq_message");
        queueFixture.execute(
                "UPDATE acidq_message SET owner = ?, claim_no = 1 WHERE queue = ? AND lane = ? AND id = ?",
                queueFixture.node,
                queue,
                LANE,
                first);
        queueFixture.execute(
                "INSERT INTO acidq_parked (queue, order_key, id, lane, uid, claim_no, attempts, crashes, enqueued_at, preexec_time,"
                        + " type, headers, size, payload) SELECT queue, order_key, id + " + PARKED
                        + ", lane, uid, 0, 0, 0, enqueued_at,"
                        + " preexec_time, type, headers, size, payload FROM acidq_message");
        queueFixture.execute(
                "INSERT INTO acidq_dead (died_at, queue, lane, uid, claim_no, attempts, crashes, enqueued_at, preexec_time, order_key,"
                        + " type, headers, size, payload, mark, fingerprint, held_id) SELECT TIMESTAMPADD(SECOND, id, '2026-01-01'), queue, lane,"
                        + " uid, 0, 0, 0, enqueued_at, preexec_time, CONCAT('k', id), type, headers, size, payload, 'm', 'f',"
                        + " CASE WHEN id > ? THEN id ELSE 0 END FROM acidq_message WHERE id > ?",
                first + ROWS - 1 - HELD,
                first + ROWS - DEAD);
        queueFixture.execute("UPDATE acidq_message SET kind = 1 WHERE id > ?", first + ROWS - 1 - HELD);
        TABLES.forEach(table -> queueFixture.rows("ANALYZE TABLE " + table));
    }
}
