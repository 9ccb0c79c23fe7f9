package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.admin.MessageState;
import io.acidq.mybatis.store.ClaimMapper.HeadQuery;
import io.acidq.mybatis.store.KeyMapper.ScheduledRow;
import io.acidq.mybatis.store.NodeMapper.ClaimedLane;
import io.acidq.mybatis.store.RetentionMapper.Expired;
import io.acidq.mybatis.store.RetentionMapper.ExpiredKey;
import io.acidq.mybatis.store.RetentionMapper.InboxKey;
import io.acidq.mybatis.store.RetentionMapper.OldCrash;
import io.acidq.mybatis.store.RetentionMapper.OldDead;
import io.acidq.mybatis.store.ScheduleMapper.DueRow;
import io.acidq.mybatis.store.Statements.Plan;
import io.acidq.mybatis.store.StrategyMapper.Candidate;
import io.acidq.mybatis.store.StrategyMapper.CandidateQuery;
import io.acidq.mybatis.store.StrategyMapper.ClaimRange;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore;
import io.acidq.store.Due;
import io.acidq.store.Lane;
import io.acidq.store.QueueStore;
import io.acidq.testservers.FullBuild;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.ibatis.binding.MapperMethod.ParamMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

/**
 * The statements on hot tables take the index that they are meant to take and read no more rows than they need: with empty tables, with
 * 50,000 rows (200,000 in a full build), and then with statistics that are wrong in either direction.
 */
@TestInstance(Lifecycle.PER_CLASS)
@EachServer(variants = false)
class PlanIT {

    private static final int ROWS = FullBuild.IS_ON ? 200_000 : 50_000;
    private static final int LANE = 3;
    private static final List<String> TABLES = List.of(
            "acidq_message",
            "acidq_scheduled",
            "acidq_key",
            "acidq_dead",
            "acidq_lane",
            "acidq_inbox",
            "acidq_crash",
            "acidq_archive",
            "acidq_audit",
            "acidq_node");

    /** Of derived tables the plan names none. */
    private static final Set<String> READ_FOR_DIAGNOSIS = Set.of("PRIMARY", "by_uid", "by_queue", "null");

    @Parameter
    private StoreKind kind;

    private StoreDatabase home;
    private QueueFixture queueFixture;
    private Connection connection;
    private Statements statements;

    @BeforeParameterizedClassInvocation
    void open() throws SQLException {
        home = kind.open();
        queueFixture = new QueueFixture(home);
        connection = home.dataSource().getConnection();
        statements = new Statements(home, connection);
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
     * @param most at most this many reads, however many rows there are
     */
    private record Case(Class<?> mapper, String id, Object parameter, Set<String> key, long most) {

        @Override
        public String toString() {
            return mapper.getSimpleName() + "." + id;
        }
    }

    @TestFactory
    List<DynamicTest> takesTheRightIndexAndReadsFewRows() {
        List<DynamicTest> tests = new ArrayList<>();
        tests.add(step("empty tables", () -> {}));
        tests.addAll(checks("empty", false));
        tests.add(step(ROWS + " rows", this::fill));
        tests.addAll(checks("full", true));
        tests.add(step("statistics of two rows", () -> {
            Statements.fakeStatistics(queueFixture, TABLES, 2);
            assertThat(statements.rowsRead("UPDATE acidq_message SET owner = 7 WHERE queue = " + queueFixture.queue.id()
                            + " AND lane = " + LANE + " AND id IN ("
                            + ids().stream().map(String::valueOf).collect(Collectors.joining(",")) + ")"))
                    .as("rows read without FORCE INDEX: the statistics do mislead the optimizer")
                    .isGreaterThan(ROWS / 2);
        }));
        tests.addAll(checks("too small statistics", true));
        tests.add(step(
                "statistics of a billion rows", () -> Statements.fakeStatistics(queueFixture, TABLES, 1_000_000_000)));
        tests.addAll(checks("too large statistics", true));
        return tests;
    }

    private static DynamicTest step(String name, org.junit.jupiter.api.function.Executable step) {
        return DynamicTest.dynamicTest("prepares " + name, step);
    }

    private List<DynamicTest> checks(String state, boolean full) {
        return IntStream.range(0, cases().size())
                .mapToObj(
                        i -> DynamicTest.dynamicTest(state + ": " + cases().get(i), () -> check(cases().get(i), full)))
                .toList();
    }

    private void check(Case c, boolean full) throws SQLException {
        for (Plan plan : statements.explain(c.mapper, c.id, c.parameter)) {
            if (full && (plan.table().length() == 1 || TABLES.contains(plan.table()))) {
                assertThat(plan.key()).as("%s", plan).isIn(c.key);
                assertThat(plan.type()).as("%s", plan).isNotIn("ALL");
            }
            if (!c.id.equals("copyToHot")) { // sorts the piece that it moves
                assertThat(plan.extra()).as("%s", plan).doesNotContain("filesort");
            }
        }
        if (full) {
            assertThat(statements.rowsRead(c.mapper, c.id, c.parameter))
                    .as("rows read")
                    .isLessThanOrEqualTo(c.most);
        }
    }

    /** Ids begin anywhere: a hundred of the lane's own, in steps, as a claim would name them. */
    private List<Long> ids() {
        return LongStream.range(1, 101).boxed().toList();
    }

    private List<Claim> claims(int queue) {
        return ids().stream()
                .map(id -> new Claim(queue, LANE, id, new UUID(0, id), queueFixture.node, 1))
                .toList();
    }

    private List<Case> cases() {
        int queue = queueFixture.queue.id();
        Set<String> primary = Set.of("PRIMARY");
        Claim claim = new Claim(queue, LANE, 50, new UUID(0, 1), queueFixture.node, 1);
        Object end = Statements.parameters("claim", claim, "delayMicros", 5L);
        Object some =
                Statements.parameters("queue", queue, "lane", LANE, "owner", 7, "batch", 1L, "ids", new IdList(ids()));
        ClaimRange claimRange = new ClaimRange(queue, LANE, 7, 1, 1, 100, 10, false);
        Object seen = Statements.parameters("take", claimRange, "seen", new Candidate(5, 0, 0, 0, 100));
        List<ClaimedLane> lanes = IntStream.range(0, 64)
                .mapToObj(i -> new ClaimedLane(queue, i, 100))
                .toList();
        return List.of(
                new Case(
                        ClaimMapper.class,
                        "firstFree",
                        Statements.parameters("queues", List.of(queue, queue + 1), "limit", 64),
                        primary,
                        170),
                new Case(
                        ClaimMapper.class,
                        "firstFree",
                        Statements.parameters("queues", List.of(queue), "limit", 64),
                        primary,
                        170),
                new Case(
                        ClaimMapper.class,
                        "lanesWithWork",
                        Statements.parameters("queues", List.of(queue, queue + 1)),
                        primary,
                        200),
                new Case(ClaimMapper.class, "lockLane", queueFixture.request(LANE, 10), primary, 2),
                new Case(ClaimMapper.class, "head", head(queue, List.of()), primary, 45),
                new Case(ClaimMapper.class, "head", head(queue, List.of("a", "b")), primary, 45),
                new Case(
                        ClaimMapper.class,
                        "keysRunningBeyond",
                        Statements.parameters("queue", queue, "lane", LANE, "last", 10L, "claimedTo", 60L),
                        primary,
                        120),
                new Case(ClaimMapper.class, "lockFree", some, primary, 210),
                new Case(ClaimMapper.class, "claim", some, primary, 210),
                new Case(ClaimMapper.class, "content", claim, primary, 2),
                new Case(ClaimMapper.class, "ackIfClaimed", claim, primary, 2),
                new Case(
                        ClaimMapper.class,
                        "ackAllIfClaimed",
                        Statements.parameters(
                                "queue", queue, "lane", LANE, "claims", MyBatisClaimStore.json(claims(queue))),
                        primary,
                        205),
                new Case(
                        StrategyMapper.class, "findCandidates", new CandidateQuery(queue, LANE, true, 72), primary, 76),
                new Case(StrategyMapper.class, "lockReady", claimRange, primary, 102),
                new Case(StrategyMapper.class, "claimByBatch", claimRange, primary, 204),
                new Case(StrategyMapper.class, "claimByVariable", claimRange, primary, 204),
                new Case(StrategyMapper.class, "claimIfUnchanged", seen, primary, 2),
                new Case(StrategyMapper.class, "byBatch", claimRange, primary, 102),
                new Case(
                        StrategyMapper.class,
                        "byIds",
                        Statements.parameters("take", claimRange, "ids", ids()),
                        primary,
                        210),
                new Case(StrategyMapper.class, "leftBehind", queueFixture.request(LANE, 10), primary, 610),
                new Case(StrategyMapper.class, "hasOrdered", queueOnly(queue), primary, 10_000),
                new Case(EndMapper.class, "retryInPlace", end, primary, 2),
                new Case(EndMapper.class, "requeueIfClaimed", end, primary, 2),
                new Case(EndMapper.class, "deleteIfClaimed", end, primary, 2),
                new Case(EndMapper.class, "lockHeld", some, primary, 210),
                new Case(NodeMapper.class, "owners", Statements.parameters("lanes", lanes), primary, 8000),
                new Case(
                        NodeMapper.class, "claimsOf", Statements.parameters("owner", 7, "lanes", lanes), primary, 8000),
                new Case(
                        ScheduleMapper.class,
                        "pickDue",
                        Statements.parameters("queue", queue, "limit", 500),
                        primary,
                        505),
                new Case(ScheduleMapper.class, "lockDue", Statements.parameters("ids", ids()), Set.of("by_id"), 310),
                new Case(ScheduleMapper.class, "deleteMoved", new DueRow(Instant.EPOCH, 5, LANE, ""), primary, 2),
                new Case(ScheduleMapper.class, "copyToHot", Statements.parameters("ids", ids()), Set.of("by_id"), 420),
                new Case(ScheduleMapper.class, "nextDueMicros", queueOnly(queue), primary, 2),
                new Case(InboxMapper.class, "takeIfFree", inbox(1), primary, 10),
                new Case(InboxMapper.class, "takers", inbox(1), primary, 5),
                new Case(InboxMapper.class, "takers", inbox(500), primary, 1010),
                new Case(
                        RetentionMapper.class,
                        "lockExpiredInbox",
                        Statements.parameters("limit", 500),
                        Set.of("by_expires"),
                        505),
                new Case(RetentionMapper.class, "deleteInbox", new InboxKey("c", "key-5"), primary, 2),
                new Case(RetentionMapper.class, "lockExpiredKeys", expiredKeys(null), Set.of("by_expires"), 505),
                new Case(
                        RetentionMapper.class,
                        "lockExpiredKeys",
                        expiredKeys(new ExpiredKey(queue, "key-5", new UUID(1, 2), LANE, Instant.EPOCH)),
                        Set.of("by_expires"),
                        505),
                new Case(
                        RetentionMapper.class,
                        "living",
                        Statements.parameters(
                                "lanes", List.of(new Lane(queue, 9), new Lane(queue, 10)), "uids", uids()),
                        Set.of("PRIMARY", "by_uid", "null"),
                        1510),
                new Case(
                        RetentionMapper.class,
                        "deleteKey",
                        new ExpiredKey(queue, "key-5", new UUID(1, 2), LANE, Instant.EPOCH),
                        primary,
                        2),
                new Case(RetentionMapper.class, "lockOldDead", old("queue", queue), Set.of("by_queue"), 505),
                new Case(RetentionMapper.class, "oldestAudit", old(), primary, 505),
                new Case(RetentionMapper.class, "lastNode", new ParamMap<>(), Set.of("PRIMARY", "null"), 2),
                new Case(RetentionMapper.class, "lockEndedNodes", old("last", 1000), primary, 505),
                new Case(RetentionMapper.class, "lockOldCrashes", oldCrashes(null), Set.of("by_died_at"), 505),
                new Case(
                        RetentionMapper.class,
                        "lockOldCrashes",
                        oldCrashes(new OldCrash(Instant.EPOCH, new UUID(1, 2), 1, queue, LANE)),
                        Set.of("by_died_at"),
                        505),
                new Case(
                        RetentionMapper.class,
                        "deleteCrash",
                        new OldCrash(Instant.EPOCH, new UUID(1, 2), 1, 1, 1),
                        primary,
                        2),
                new Case(RetentionMapper.class, "lockExpiredArchive", old(), primary, 505),
                new Case(
                        RetentionMapper.class, "deleteArchive", new Expired(Instant.EPOCH, new UUID(1, 2)), primary, 2),
                new Case(RetentionMapper.class, "deleteDead", new OldDead(Instant.EPOCH, new UUID(1, 2)), primary, 2),
                new Case(
                        ArchiveMapper.class,
                        "copyIfClaimed",
                        Statements.parameters("claim", claim, "keepMicros", 5L),
                        primary,
                        2),
                new Case(
                        ArchiveMapper.class,
                        "find",
                        Statements.parameters("queue", queue, "uid", new UUID(1, 2)),
                        Set.of("by_uid", "null"),
                        5),
                new Case(
                        ArchiveMapper.class,
                        "list",
                        Statements.parameters(
                                "queue",
                                queue,
                                "from",
                                Instant.EPOCH,
                                "until",
                                Instant.EPOCH.plusSeconds(4_000_000_000L),
                                "limit",
                                100),
                        Set.of("by_queue"),
                        205),
                new Case(
                        NodeMapper.class,
                        "crashesOf",
                        Statements.parameters("uids", List.of(new UUID(1, 2), new UUID(3, 4))),
                        primary,
                        10),
                new Case(KeyMapper.class, "findKeys", keys(queue), primary, 1010),
                new Case(KeyMapper.class, "locked", keys(queue), primary, 1010),
                new Case(
                        KeyMapper.class,
                        "scheduled",
                        Statements.parameters("uids", uids()),
                        Set.of("by_uid", "null"),
                        1010),
                new Case(
                        KeyMapper.class,
                        "lockScheduled",
                        Statements.parameters("uid", new UUID(1, 2)),
                        Set.of("by_uid", "null"),
                        5),
                new Case(KeyMapper.class, "replaceIfScheduled", replacement(), primary, 2),
                new Case(
                        KeyMapper.class,
                        "countLiving",
                        Statements.parameters("queue", queue, "lane", 9, "uid", new UUID(1, 2)),
                        Set.of("PRIMARY", "by_uid", "null"),
                        20),
                new Case(
                        QueueMapper.class,
                        "directLanes",
                        Statements.parameters("queues", List.of(queue)),
                        primary,
                        QueueStore.LANES + 2),
                new Case(
                        QueueMapper.class,
                        "paused",
                        Statements.parameters("queues", List.of(queue, queue + 1)),
                        primary,
                        6),
                new Case(BacklogMapper.class, "countUnclaimed", counted(queue), Set.of("PRIMARY", "null"), 2010),
                new Case(BacklogMapper.class, "oldestUnclaimed", queueOnly(queue), READ_FOR_DIAGNOSIS, 400),
                new Case(BacklogMapper.class, "count", counted(queue), READ_FOR_DIAGNOSIS, 6700),
                new Case(DiagnosisMapper.class, "find", found(queue, 9), READ_FOR_DIAGNOSIS, 20),
                new Case(DiagnosisMapper.class, "findBlocking", before(queue), primary, 80),
                new Case(DiagnosisMapper.class, "countBefore", before(queue), primary, 180),
                new Case(BrowseMapper.class, "inLanes", wanted(queue), Set.of("PRIMARY", "null"), 3100),
                new Case(BrowseMapper.class, "parked", wanted(queue), Set.of("PRIMARY", "null"), 3100),
                new Case(BrowseMapper.class, "scheduled", wanted(queue), Set.of("by_queue"), 60),
                new Case(BrowseMapper.class, "dead", wanted(queue), Set.of("by_queue"), 60),
                new Case(
                        BrowseMapper.class,
                        "find",
                        Statements.parameters("queue", queue, "lane", 9, "uid", new UUID(1, 2)),
                        READ_FOR_DIAGNOSIS,
                        20));
    }

    private static Object counted(int queue) {
        return Statements.parameters("queue", queue, "most", 1000);
    }

    private static Object wanted(int queue) {
        return Statements.parameters("queue", queue, "state", MessageState.READY, "limit", 50, "most", 1000);
    }

    private static Object found(int queue, int lane) {
        return Statements.parameters("lane", new Lane(queue, lane), "uid", new UUID(1, 2));
    }

    private static Object before(int queue) {
        return Statements.parameters("lane", new Lane(queue, LANE), "id", 60L, "orderKey", "no such key", "most", 1000);
    }

    private static Object queueOnly(int queue) {
        return Statements.parameters("queue", queue);
    }

    private static Object keys(int queue) {
        List<String> some =
                IntStream.range(1, 501).mapToObj(i -> "key-" + 7 * i).toList();
        return Statements.parameters("queue", queue, "keys", some);
    }

    private Object replacement() {
        InsertRow row = InsertRow.of(queueFixture.message(LANE, null, "new", new Due(null, Instant.EPOCH)));
        return Statements.parameters(
                "place", new ScheduledRow(new UUID(1, 2), Instant.EPOCH, 5, 0), "row", row, "due", Instant.EPOCH);
    }

    private static Object inbox(int keys) {
        List<String> some =
                IntStream.range(1, keys + 1).mapToObj(i -> "key-" + 7 * i).toList();
        return Statements.parameters("consumer", "c", "keys", some, "taker", 1L, "micros", 1L);
    }

    private static Object expiredKeys(@Nullable ExpiredKey after) {
        ParamMap<Object> parameters = new ParamMap<>();
        parameters.put("after", after);
        parameters.put("limit", 500);
        return parameters;
    }

    private static Object oldCrashes(@Nullable OldCrash after) {
        ParamMap<Object> parameters = new ParamMap<>();
        parameters.put("after", after);
        parameters.put("agoMicros", -1L);
        parameters.put("limit", 500);
        return parameters;
    }

    private static Object old() {
        return Statements.parameters("agoMicros", -1L, "limit", 500);
    }

    private static Object old(String name, Object value) {
        return Statements.parameters(name, value, "agoMicros", -1L, "limit", 500);
    }

    private static List<UUID> uids() {
        return LongStream.range(0, 500).mapToObj(i -> new UUID(i, i)).toList();
    }

    private static HeadQuery head(int queue, List<String> closed) {
        return new HeadQuery(queue, LANE, ClaimStore.INLINE_BYTES, closed, 42);
    }

    private void fill() {
        int queue = queueFixture.queue.id();
        queueFixture.execute("DELETE FROM acidq_message");
        queueFixture.enqueue(queueFixture.message(LANE, "k", "x".repeat(50)));
        for (long rows = 1; rows < ROWS; rows = queueFixture.count("acidq_message")) {
            queueFixture.execute(
                    "INSERT INTO acidq_message (queue, lane, uid, enqueued_at, preexec_time, order_key, type, headers, size, payload)"
                            + " SELECT queue, lane, UNHEX(REPLACE(UUID(), '-', '')), enqueued_at, preexec_time,"
                            + " CONCAT('k', id % 500), type, headers, size, payload FROM acidq_message LIMIT "
                            + (ROWS - rows));
        }
        queueFixture.execute(
                "INSERT INTO acidq_scheduled (queue, lane, uid, enqueued_at, preexec_time, order_key, type, headers, size, payload)"
                        + " SELECT queue, lane, uid, enqueued_at, preexec_time, order_key, type, headers, size, payload FROM acidq_message");
        queueFixture.execute(
                "INSERT INTO acidq_dead (died_at, queue, lane, uid, claim_no, attempts, crashes, enqueued_at, preexec_time, order_key,"
                        + " type, headers, size, payload, mark, fingerprint) SELECT enqueued_at, queue, lane, uid, 0, 0, 0, enqueued_at,"
                        + " preexec_time, order_key, type, headers, size, payload, 'm', 'f' FROM acidq_message LIMIT 20000");
        queueFixture.execute("UPDATE acidq_lane SET claimed_to = 100 WHERE queue = ?", queue);
        renumber();
        queueFixture.execute(
                "INSERT INTO acidq_inbox (consumer, p_key, taker, done_at, expires) SELECT 'c', CONCAT('key-', id), id, enqueued_at,"
                        + " enqueued_at FROM acidq_message");
        queueFixture.execute(
                "INSERT INTO acidq_key (queue, p_key, uid, lane, expires, taken_at) SELECT queue, CONCAT('key-', id), uid, lane, enqueued_at, enqueued_at"
                        + " FROM acidq_message");
        queueFixture.execute(
                "INSERT INTO acidq_crash (uid, died_at, node, host, queue, lane) SELECT uid, enqueued_at, 1, 'h', queue, lane"
                        + " FROM acidq_message LIMIT 20000");
        queueFixture.execute(
                "INSERT INTO acidq_archive (expires, done_at, queue, lane, uid, claim_no, attempts, crashes, enqueued_at, order_key, type,"
                        + " headers, size, payload) SELECT enqueued_at, enqueued_at, queue, lane, uid, 0, 0, 0, enqueued_at, order_key,"
                        + " type, headers, size, payload FROM acidq_message LIMIT 20000");
        queueFixture.execute(
                "INSERT INTO acidq_audit (at, actor, action, queue, uid, reason, detail) SELECT enqueued_at, 'a', 'replay', queue,"
                        + " uid, 'r', 'd' FROM acidq_message LIMIT 20000");
        queueFixture.execute(
                "INSERT INTO acidq_node (state, workers, host, version, started_at, ended_at) SELECT 'DEAD', '', 'h', 'v',"
                        + " enqueued_at, enqueued_at FROM acidq_message LIMIT 2000");
        for (String table : TABLES) {
            queueFixture.rows("ANALYZE TABLE " + table);
        }
    }

    /** So that the ids that the cases name are there. */
    private void renumber() {
        for (String table : List.of("acidq_message", "acidq_scheduled")) {
            long first = queueFixture.number("SELECT MIN(id) FROM " + table);
            if (first > 1) {
                queueFixture.execute("UPDATE " + table + " SET id = id - ? ORDER BY id", first - 1);
            }
        }
        queueFixture.execute(
                "UPDATE acidq_message SET owner = ?, claim_no = 1 WHERE queue = ? AND lane = ? AND id = 50",
                queueFixture.node,
                queueFixture.queue.id(),
                LANE);
    }
}
