package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.Receipt;
import io.acidq.admin.MessageTable;
import io.acidq.admin.StoredMessage.MessageState;
import io.acidq.mybatis.store.CancelMapper.Found;
import io.acidq.mybatis.store.ClaimMapper.Candidate;
import io.acidq.mybatis.store.ClaimMapper.CandidateQuery;
import io.acidq.mybatis.store.ClaimMapper.ClaimRange;
import io.acidq.mybatis.store.ClaimMapper.HeadQuery;
import io.acidq.mybatis.store.ClaimMapper.IdList;
import io.acidq.mybatis.store.EnqueueMapper.InsertRow;
import io.acidq.mybatis.store.HistoryMapper.Slot;
import io.acidq.mybatis.store.InspectionMapper.BrowseQuery;
import io.acidq.mybatis.store.KeyMapper.ScheduledRow;
import io.acidq.mybatis.store.MaintenanceMapper.DueRow;
import io.acidq.mybatis.store.MaintenanceMapper.Expired;
import io.acidq.mybatis.store.MaintenanceMapper.ExpiredKey;
import io.acidq.mybatis.store.MaintenanceMapper.InboxKey;
import io.acidq.mybatis.store.MaintenanceMapper.OldAttempt;
import io.acidq.mybatis.store.MaintenanceMapper.OldCrash;
import io.acidq.mybatis.store.MaintenanceMapper.OldDead;
import io.acidq.mybatis.store.MyBatisInboxStore.InboxMapper;
import io.acidq.mybatis.store.NodeMapper.ClaimedLane;
import io.acidq.mybatis.store.SubscriptionMapper.CopyRow;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore;
import io.acidq.store.Due;
import io.acidq.store.Lane;
import io.acidq.store.RecurringStore;
import io.acidq.store.SubscriptionStore.SourceMessage;
import io.acidq.testservers.FullBuild;
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

/**
 * Checks that the statements on large tables use the intended index and read only the rows they need: with empty tables, with 50,000 rows (200,000 in a full
 * build), and with statistics that are far too small or too large.
 */
@TestInstance(Lifecycle.PER_CLASS)
@EachServer(variants = false)
class PlanIT extends PlanFixture {

    private static final int ROWS = FullBuild.IS_ON ? 200_000 : 50_000;
    private static final int LANE = 3;
    private static final Instant HISTORY = Instant.parse("2026-01-01T00:00:00Z");
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
            "acidq_node",
            "acidq_subscription",
            "acidq_recurring",
            "acidq_tick",
            "acidq_cancel",
            "acidq_receipt",
            "acidq_history",
            "acidq_node_report",
            "acidq_attempt");

    /** Plans name no index for derived tables. */
    private static final Set<String> READ_FOR_DIAGNOSIS = Set.of("PRIMARY", "by_uid", "by_queue", "null");

    PlanIT() {
        super(
                TABLES,
                Set.of(),
                Set.of("ALL"),
                Set.of("copyToLane", "inLanes", "parked", "sums")); // the sums of at most 400 slots are sorted
    }

    @TestFactory
    List<DynamicTest> takesTheRightIndexAndReadsFewRows() {
        List<DynamicTest> tests = new ArrayList<>();
        tests.add(step("empty tables", () -> {}));
        checksOfEmptyTables().forEach(tests::add);
        tests.add(step(ROWS + " rows", this::fill));
        checks("full").forEach(tests::add);
        tests.add(step("statistics of two rows", () -> {
            fakeStatistics(2);
            assertThat(rowsRead("UPDATE acidq_message SET owner = 7 WHERE queue = " + fixture.queueId
                            + " AND lane = " + LANE + " AND id IN ("
                            + ids().stream().map(String::valueOf).collect(Collectors.joining(",")) + ")"))
                    .as("rows read without FORCE INDEX: the statistics do mislead the optimizer")
                    .isGreaterThan(ROWS / 2);
        }));
        checks("too small statistics").forEach(tests::add);
        tests.add(step("statistics of a billion rows", () -> fakeStatistics(1_000_000_000)));
        checks("too large statistics").forEach(tests::add);
        return tests;
    }

    private static DynamicTest step(String name, org.junit.jupiter.api.function.Executable step) {
        return DynamicTest.dynamicTest("prepares " + name, step);
    }

    /** A hundred ids of the lane, as a claim uses them. */
    private List<Long> ids() {
        return LongStream.range(1, 101).boxed().toList();
    }

    private List<Claim> claims(int queue) {
        return ids().stream()
                .map(id -> new Claim(queue, LANE, id, new UUID(0, id), fixture.node, 1))
                .toList();
    }

    @Override
    List<Case> cases() {
        int queue = fixture.queueId;
        Claim claim = new Claim(queue, LANE, 50, new UUID(0, 1), fixture.node, 1);
        Object end = parameters("claim", claim, "delayMicros", 5L);
        Object some = parameters("queue", queue, "lane", LANE, "owner", 7, "batch", 1L, "ids", new IdList(ids()));
        ClaimRange claimRange = new ClaimRange(queue, LANE, 7, 1, 1, 100, 10, false);
        Object seen = parameters("take", claimRange, "seen", new Candidate(5, 0, 0, 0, 100));
        List<ClaimedLane> lanes = IntStream.range(0, 64)
                .mapToObj(i -> new ClaimedLane(queue, i, 100))
                .toList();
        return List.of(
                primary(
                        ClaimMapper.class,
                        "firstFree",
                        parameters("queues", List.of(queue, queue + 1), "limit", 64),
                        170),
                primary(ClaimMapper.class, "firstFree", parameters("queues", List.of(queue), "limit", 64), 170),
                primary(ClaimMapper.class, "lanesWithWork", parameters("queues", List.of(queue, queue + 1)), 200),
                primary(
                        ClaimMapper.class,
                        "priorityLanesWithWork",
                        parameters("queue", queue, "lanes", List.of(1000, 1001, 1002)),
                        20),
                primary(ClaimMapper.class, "lockLane", fixture.request(LANE, 10), 2),
                primary(ClaimMapper.class, "head", head(queue, List.of()), 45),
                primary(ClaimMapper.class, "head", head(queue, List.of("a", "b")), 45),
                primary(
                        ClaimMapper.class,
                        "keysRunningBeyond",
                        parameters("queue", queue, "lane", LANE, "last", 10L, "claimedTo", 60L),
                        120),
                primary(ClaimMapper.class, "lockFree", some, 210),
                primary(ClaimMapper.class, "claim", some, 210),
                primary(ClaimMapper.class, "content", claim, 2),
                primary(ClaimMapper.class, "ackIfClaimed", claim, 2),
                primary(
                        ClaimMapper.class,
                        "ackAllIfClaimed",
                        parameters("queue", queue, "lane", LANE, "claims", MyBatisClaimStore.json(claims(queue))),
                        205),
                primary(ClaimMapper.class, "findCandidates", new CandidateQuery(queue, LANE, true, 72), 76),
                primary(ClaimMapper.class, "lockReady", claimRange, 102),
                primary(ClaimMapper.class, "claimByBatch", claimRange, 204),
                primary(ClaimMapper.class, "claimByVariable", claimRange, 204),
                primary(ClaimMapper.class, "claimIfUnchanged", seen, 2),
                primary(ClaimMapper.class, "byBatch", claimRange, 102),
                primary(ClaimMapper.class, "byIds", parameters("take", claimRange, "ids", ids()), 210),
                primary(ClaimMapper.class, "leftBehind", fixture.request(LANE, 10), 610),
                primary(ClaimMapper.class, "hasOrdered", queueOnly(queue), 10_000),
                primary(ClaimMapper.class, "retryInPlace", end, 2),
                primary(ClaimMapper.class, "requeueIfClaimed", end, 2),
                primary(ClaimMapper.class, "deleteIfClaimed", end, 2),
                primary(ClaimMapper.class, "lockHeld", some, 210),
                primary(NodeMapper.class, "owners", parameters("lanes", lanes), 8000),
                primary(NodeMapper.class, "claimsOf", parameters("owner", 7, "lanes", lanes), 8000),
                primary(MaintenanceMapper.class, "pickDue", parameters("queue", queue, "limit", 500), 505),
                new Case(MaintenanceMapper.class, "lockDue", parameters("ids", ids()), Set.of("by_id"), 310),
                primary(MaintenanceMapper.class, "deleteMoved", new DueRow(Instant.EPOCH, 5, LANE, ""), 2),
                new Case(MaintenanceMapper.class, "copyToLane", parameters("ids", ids()), Set.of("by_id"), 420),
                primary(MaintenanceMapper.class, "nextDueMicros", queueOnly(queue), 2),
                primary(InboxMapper.class, "takeIfFree", inbox(1), 10),
                primary(InboxMapper.class, "takers", inbox(1), 5),
                primary(InboxMapper.class, "takers", inbox(500), 1010),
                primary(SubscriptionMapper.class, "ofTopic", parameters("topic", "topic-7"), 12),
                new Case(
                        SubscriptionMapper.class,
                        "copyMessage",
                        new CopyRow(
                                queue,
                                1,
                                new SourceMessage(
                                        MessageTable.ARCHIVE,
                                        new UUID(1, 2),
                                        LANE,
                                        0,
                                        null,
                                        "",
                                        Instant.EPOCH,
                                        "t",
                                        "",
                                        null),
                                new UUID(3, 4),
                                LANE,
                                1L << 40),
                        Set.of("by_uid", "PRIMARY"),
                        10),
                new Case(RecurringMapper.class, "nextDue", parameters("except", List.of()), Set.of("by_next"), 5),
                new Case(
                        RecurringMapper.class,
                        "nextDue",
                        parameters("except", List.of("tenant-1", "tenant-2")),
                        Set.of("by_next"),
                        15),
                new Case(RecurringMapper.class, "due", parameters("limit", 200), Set.of("by_next"), 410),
                primary(RecurringMapper.class, "lockDue", parameters("names", List.of("tenant-7", "tenant-8")), 10),
                primary(RecurringMapper.class, "find", parameters("name", "tenant-7"), 2),
                primary(RecurringMapper.class, "list", parameters("pattern", "tenant-7%", "limit", 100), 210),
                primary(
                        RecurringMapper.class,
                        "advance",
                        RecurringStore.Advance.of("tenant-7", Instant.EPOCH, null),
                        2),
                new Case(
                        RecurringMapper.class,
                        "hasNotEnded",
                        parameters("queue", queue, "lane", LANE, "uid", new UUID(1, 2)),
                        Set.of("PRIMARY", "by_uid", "null"),
                        ROWS + 10),
                primary(RecurringMapper.class, "ticks", parameters("name", "tenant-7", "limit", 100), 110),
                new Case(RecurringMapper.class, "lockOldTicks", old(), Set.of("by_done_at"), 505),
                primary(RecurringMapper.class, "deleteTick", new RecurringMapper.OldTick("tenant-7", Instant.EPOCH), 2),
                primary(SubscriptionMapper.class, "lockWaiting", parameters("queue", queue, "limit", 100), 110),
                new Case(
                        SubscriptionMapper.class,
                        "lockScheduled",
                        parameters("queue", queue, "limit", 100),
                        Set.of("by_queue"),
                        210),
                primary(SubscriptionMapper.class, "lockParked", parameters("queue", queue, "limit", 100), 110),
                primary(
                        ReceiptMapper.class,
                        "endDone",
                        parameters("uid", new UUID(1, 2), "type", "", "result", new byte[0]),
                        2),
                primary(ReceiptMapper.class, "end", parameters("uids", uids(), "state", Receipt.State.DISCARDED), 610),
                primary(ReceiptMapper.class, "reopen", parameters("uids", uids()), 610),
                primary(ReceiptMapper.class, "expire", parameters("uids", uids()), 610),
                primary(ReceiptMapper.class, "lockShared", parameters("uid", new UUID(1, 2)), 2),
                primary(ReceiptMapper.class, "removedUpTo", parameters("uid", new UUID(1, 2)), 2),
                primary(ReceiptMapper.class, "find", parameters("uid", new UUID(1, 2)), 2),
                primary(ReceiptMapper.class, "delete", parameters("uid", new UUID(1, 2)), 2),
                primary(HistoryMapper.class, "points", history(List.of(queue)), 70),
                primary(HistoryMapper.class, "points", history(List.of(queue, queue + 1, queue + 2)), 200),
                primary(HistoryMapper.class, "sums", history(List.of(queue, queue + 1, queue + 2)), 600),
                new Case(HistoryMapper.class, "lockOld", old("step", 1), Set.of("by_at"), 1010),
                primary(HistoryMapper.class, "delete", new Slot(1, queue, Instant.EPOCH), 2),
                new Case(
                        InspectionMapper.class,
                        "nodeReports",
                        parameters("limit", 1_000),
                        Set.of("by_state", "PRIMARY"),
                        100),
                primary(InspectionMapper.class, "nodeReport", parameters("node", 7), 2),
                primary(NodeMapper.class, "removeReport", parameters("node", 7), 2),
                primary(InspectionMapper.class, "attempts", parameters("uid", new UUID(1, 2), "limit", 1_000), 5),
                new Case(MaintenanceMapper.class, "lockOldAttempts", old(), Set.of("by_ended_at"), 1010),
                primary(MaintenanceMapper.class, "deleteAttempt", new OldAttempt(new UUID(1, 2), 1), 2),
                new Case(ReceiptMapper.class, "lockExpired", parameters("limit", 500), Set.of("by_kept_until"), 1010),
                new Case(
                        MaintenanceMapper.class,
                        "lockExpiredInbox",
                        parameters("limit", 500),
                        Set.of("by_kept_until"),
                        505),
                primary(MaintenanceMapper.class, "deleteInbox", new InboxKey("c", "key-5"), 2),
                new Case(MaintenanceMapper.class, "lockExpiredKeys", expiredKeys(null), Set.of("by_kept_until"), 505),
                new Case(
                        MaintenanceMapper.class,
                        "lockExpiredKeys",
                        expiredKeys(new ExpiredKey(queue, "key-5", new UUID(1, 2), LANE, Instant.EPOCH)),
                        Set.of("by_kept_until"),
                        505),
                new Case(
                        MaintenanceMapper.class,
                        "living",
                        parameters("lanes", List.of(new Lane(queue, 9), new Lane(queue, 10)), "uids", uids()),
                        Set.of("PRIMARY", "by_uid", "null"),
                        1510),
                primary(
                        MaintenanceMapper.class,
                        "deleteKey",
                        new ExpiredKey(queue, "key-5", new UUID(1, 2), LANE, Instant.EPOCH),
                        2),
                new Case(MaintenanceMapper.class, "lockOldDead", old("queue", queue), Set.of("by_queue"), 505),
                primary(MaintenanceMapper.class, "oldestAudit", old(), 505),
                new Case(MaintenanceMapper.class, "lastNode", new ParamMap<>(), Set.of("PRIMARY", "null"), 2),
                primary(MaintenanceMapper.class, "lockEndedNodes", old("last", 1000), 505),
                new Case(MaintenanceMapper.class, "lockOldCrashes", oldCrashes(null), Set.of("by_counted_at"), 505),
                new Case(
                        MaintenanceMapper.class,
                        "lockOldCrashes",
                        oldCrashes(new OldCrash(Instant.EPOCH, new UUID(1, 2), 1, queue, LANE)),
                        Set.of("by_counted_at"),
                        505),
                primary(
                        MaintenanceMapper.class,
                        "deleteCrash",
                        new OldCrash(Instant.EPOCH, new UUID(1, 2), 1, 1, 1),
                        2),
                primary(MaintenanceMapper.class, "lockExpiredArchive", old(), 505),
                primary(MaintenanceMapper.class, "deleteArchive", new Expired(Instant.EPOCH, new UUID(1, 2)), 2),
                primary(MaintenanceMapper.class, "deleteDead", new OldDead(Instant.EPOCH, new UUID(1, 2)), 2),
                primary(ClaimMapper.class, "copyIfClaimed", parameters("claim", claim, "retentionMicros", 5L), 2),
                new Case(
                        InspectionMapper.class,
                        "findArchived",
                        parameters("queue", queue, "uid", new UUID(1, 2)),
                        Set.of("by_uid", "null"),
                        5),
                new Case(
                        InspectionMapper.class,
                        "listArchived",
                        parameters(
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
                primary(NodeMapper.class, "crashesOf", parameters("uids", List.of(new UUID(1, 2), new UUID(3, 4))), 10),
                primary(KeyMapper.class, "findKeys", keys(queue), 1010),
                primary(KeyMapper.class, "locked", keys(queue), 1010),
                new Case(KeyMapper.class, "scheduled", parameters("uids", uids()), Set.of("by_uid", "null"), 1010),
                new Case(
                        KeyMapper.class,
                        "lockScheduled",
                        parameters("uid", new UUID(1, 2)),
                        Set.of("by_uid", "null"),
                        5),
                primary(KeyMapper.class, "replaceIfScheduled", replacement(), 2),
                primary(KeyMapper.class, "rescheduleIfScheduled", replacement(), 2),
                primary(KeyMapper.class, "withdrawIfScheduled", replacement(), 2),
                new Case(
                        CancelMapper.class,
                        "find",
                        parameters("queue", queue, "lane", 9, "uid", new UUID(1, 2)),
                        READ_FOR_DIAGNOSIS,
                        20),
                primary(CancelMapper.class, "lockOwner", cancelled(queue), 2),
                primary(CancelMapper.class, "deleteFree", cancelled(queue), 2),
                primary(CancelMapper.class, "deleteScheduled", cancelled(queue), 2),
                primary(CancelMapper.class, "lockFreeKey", cancelled(queue), 2),
                primary(CancelMapper.class, "leaveScheduled", cancelled(queue), 2),
                primary(CancelMapper.class, "lanesOf", parameters("queue", queue), 90),
                primary(CancelMapper.class, "lanePage", page(queue), 105),
                new Case(CancelMapper.class, "scheduledPageAt", page(queue), Set.of("by_queue"), 105),
                new Case(CancelMapper.class, "scheduledPage", page(queue), Set.of("by_queue"), 105),
                primary(CancelMapper.class, "parkedPageOf", page(queue), 105),
                primary(CancelMapper.class, "parkedPage", page(queue), 105),
                primary(CancelMapper.class, "lockWaiting", some, 210),
                new Case(CancelMapper.class, "lockScheduled", some, Set.of("by_id"), 210),
                // at worst all requests, of which there are few: those to claimed messages
                primary(CancelMapper.class, "requestedOf", parameters("uids", uids()), 1_510),
                primary(CancelMapper.class, "requests", parameters("limit", 10_000), 4_010),
                new Case(
                        KeyMapper.class,
                        "countLiving",
                        parameters("queue", queue, "lane", 9, "uid", new UUID(1, 2)),
                        Set.of("PRIMARY", "by_uid", "null"),
                        20),
                primary(QueueMapper.class, "lastIds", parameters("queue", queue, "lanes", List.of(0, LANE)), 10),
                new Case(
                        QueueMapper.class,
                        "readQueues",
                        parameters("queues", List.of(queue, queue + 1)),
                        Set.of("PRIMARY", "null"),
                        300),
                new Case(InspectionMapper.class, "countUnclaimed", counted(queue), READ_FOR_DIAGNOSIS, 4020),
                new Case(
                        InspectionMapper.class,
                        "nextQueueWithMessages",
                        parameters("after", queue - 1),
                        Set.of("PRIMARY", "by_queue", "null"),
                        10),
                new Case(InspectionMapper.class, "oldestUnclaimed", queueOnly(queue), READ_FOR_DIAGNOSIS, 400),
                new Case(InspectionMapper.class, "oldestToMove", queueOnly(queue), Set.of("by_queue"), 2),
                new Case(InspectionMapper.class, "count", counted(queue), READ_FOR_DIAGNOSIS, 8800),
                new Case(InspectionMapper.class, "findLocation", found(queue, 9), READ_FOR_DIAGNOSIS, 20),
                primary(InspectionMapper.class, "findBlocking", before(queue), 80),
                primary(InspectionMapper.class, "countBefore", before(queue), 180),
                new Case(InspectionMapper.class, "inLanes", wanted(queue), Set.of("PRIMARY", "null"), 3100),
                new Case(InspectionMapper.class, "parked", wanted(queue), Set.of("PRIMARY", "null"), 3100),
                new Case(InspectionMapper.class, "inLanes", behind(queue, LANE, null), Set.of("PRIMARY", "null"), 3100),
                new Case(InspectionMapper.class, "inLanes", behind(queue, LANE, LANE), Set.of("PRIMARY", "null"), 3100),
                primary(InspectionMapper.class, "scanEndInLanes", behind(queue, LANE, null), 1010),
                primary(InspectionMapper.class, "scanEndOfParked", behind(queue, LANE, null), 1010),
                new Case(InspectionMapper.class, "scheduled", wanted(queue), Set.of("by_queue"), 60),
                new Case(
                        InspectionMapper.class,
                        "countScheduled",
                        parameters(
                                "queue",
                                queue,
                                "from",
                                Instant.EPOCH,
                                "until",
                                Instant.EPOCH.plusSeconds(4_000_000_000L),
                                "limit",
                                1001),
                        Set.of("by_queue", "null"),
                        2010),
                new Case(InspectionMapper.class, "scanEndOfScheduled", timed(queue), Set.of("by_queue"), 1010),
                new Case(InspectionMapper.class, "dead", wanted(queue), Set.of("by_queue"), 60),
                new Case(InspectionMapper.class, "done", timed(queue), Set.of("by_queue"), 1010),
                new Case(InspectionMapper.class, "scanEndOfDone", timed(queue), Set.of("by_queue"), 1010),
                new Case(
                        InspectionMapper.class,
                        "findMessage",
                        parameters("queue", queue, "lane", 9, "uid", new UUID(1, 2)),
                        READ_FOR_DIAGNOSIS,
                        20));
    }

    private static Case primary(Class<?> mapper, String id, Object parameter, long most) {
        return new Case(mapper, id, parameter, Set.of("PRIMARY"), most);
    }

    /** An hour of minutes. */
    private static Object history(List<Integer> queues) {
        return MyBatisHistoryStore.query(1, queues, HISTORY.plusSeconds(3_600), HISTORY.plusSeconds(7_200));
    }

    private static Object counted(int queue) {
        return parameters("queue", queue, "limit", 1000);
    }

    private static Object wanted(int queue) {
        return parameters("queue", queue, "state", MessageState.READY, "limit", 50, "scanLimit", 1000);
    }

    private static Object behind(int queue, int lane, Integer only) {
        return new BrowseQuery(
                queue, null, "none", null, only, lane, "k", null, 1L, null, null, null, null, 50, 1000, 999);
    }

    private static Object timed(int queue) {
        return new BrowseQuery(
                queue,
                null,
                null,
                null,
                null,
                null,
                null,
                Instant.EPOCH,
                1L,
                new UUID(1, 2),
                null,
                null,
                null,
                50,
                1000,
                999);
    }

    private static Object cancelled(int queue) {
        Found found = new Found(MessageTable.SCHEDULED, 5, "", "key", Instant.EPOCH);
        return parameters("queue", queue, "lane", LANE, "id", 5L, "uid", new UUID(1, 2), "found", found);
    }

    private static Object page(int queue) {
        return parameters(
                "queue", queue, "lane", LANE, "after", 50L, "due", Instant.EPOCH, "orderingKey", "k", "limit", 100);
    }

    private static Object found(int queue, int lane) {
        return parameters("lane", new Lane(queue, lane), "uid", new UUID(1, 2));
    }

    private static Object before(int queue) {
        return parameters("lane", new Lane(queue, LANE), "id", 60L, "orderingKey", "no such key", "limit", 1000);
    }

    private static Object queueOnly(int queue) {
        return parameters("queue", queue);
    }

    private static Object keys(int queue) {
        List<String> some =
                IntStream.range(1, 501).mapToObj(i -> "key-" + 7 * i).toList();
        return parameters("queue", queue, "keys", some);
    }

    private Object replacement() {
        InsertRow row = InsertRow.of(fixture.message(LANE, null, "new", new Due(null, Instant.EPOCH)));
        return parameters(
                "place", new ScheduledRow(new UUID(1, 2), Instant.EPOCH, 5, 0), "row", row, "due", Instant.EPOCH);
    }

    private static Object inbox(int keys) {
        List<String> some =
                IntStream.range(1, keys + 1).mapToObj(i -> "key-" + 7 * i).toList();
        return parameters("consumer", "c", "keys", some, "taker", 1L, "micros", 1L);
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
        return parameters("agoMicros", -1L, "limit", 500);
    }

    private static Object old(String name, Object value) {
        return parameters(name, value, "agoMicros", -1L, "limit", 500);
    }

    private static List<UUID> uids() {
        return LongStream.range(0, 500).mapToObj(i -> new UUID(i, i)).toList();
    }

    private static HeadQuery head(int queue, List<String> closed) {
        return new HeadQuery(queue, LANE, ClaimStore.INLINE_BYTES, closed, 42);
    }

    private void fill() {
        int queue = fixture.queueId;
        fixture.execute("DELETE FROM acidq_message");
        fixture.enqueue(fixture.message(LANE, "k", "x".repeat(50)));
        for (long rows = 1; rows < ROWS; rows = fixture.count("acidq_message")) {
            fixture.execute(
                    "INSERT INTO acidq_message (queue, lane, uid, enqueued_at, preexec_time, order_key, type, headers, size, payload)"
                            + " SELECT queue, lane, UNHEX(REPLACE(UUID(), '-', '')), enqueued_at, preexec_time,"
                            + " CONCAT('k', id % 500), type, headers, size, payload FROM acidq_message LIMIT "
                            + (ROWS - rows));
        }
        fixture.execute(
                "INSERT INTO acidq_scheduled (queue, lane, uid, enqueued_at, preexec_time, order_key, type, headers, size, payload)"
                        + " SELECT queue, lane, uid, enqueued_at, preexec_time, order_key, type, headers, size, payload FROM acidq_message");
        fixture.execute(
                "INSERT INTO acidq_dead (died_at, queue, lane, uid, claim_no, attempts, crashes, enqueued_at, preexec_time, order_key,"
                        + " type, headers, size, payload, mark, cause) SELECT enqueued_at, queue, lane, uid, 0, 0, 0, enqueued_at,"
                        + " preexec_time, order_key, type, headers, size, payload, 'm', 'f' FROM acidq_message LIMIT 20000");
        fixture.execute("UPDATE acidq_lane SET claimed_to = 100 WHERE queue = ?", queue);
        renumber();
        fixture.execute(
                "INSERT INTO acidq_inbox (consumer, p_key, taker, done_at, kept_until) SELECT 'c', CONCAT('key-', id), id, enqueued_at,"
                        + " enqueued_at FROM acidq_message");
        fixture.execute(
                "INSERT INTO acidq_key (queue, p_key, uid, lane, kept_until, taken_at) SELECT queue, CONCAT('key-', id), uid, lane, enqueued_at, enqueued_at"
                        + " FROM acidq_message");
        fixture.execute(
                "INSERT INTO acidq_subscription (topic, name, queue, since) SELECT CONCAT('topic-', id DIV 10), CONCAT('s', id), id,"
                        + " enqueued_at FROM acidq_message LIMIT 20000");
        fixture.execute(
                "INSERT INTO acidq_recurring (name, destination, to_topic, schedule, zone, misfire, grace_micros, skip_overlap, next_at,"
                        + " changed_at, type, headers, size, payload) SELECT CONCAT('tenant-', id), 'q', 0, 'every 1d', '', 'once', 1, 0,"
                        + " enqueued_at, enqueued_at, '', '', 0, '' FROM acidq_message LIMIT 20000");
        fixture.execute(
                "INSERT INTO acidq_tick (name, tick_at, result, missed, done_at) SELECT CONCAT('tenant-', id DIV 10),"
                        + " enqueued_at + INTERVAL id SECOND, 'ENQUEUED', 0, enqueued_at FROM acidq_message LIMIT 20000");
        fixture.execute(
                "INSERT INTO acidq_receipt (uid, state, retention_micros, ended_at, kept_until) SELECT uid, 'DONE', 1, enqueued_at, enqueued_at"
                        + " FROM acidq_message LIMIT 20000");
        fixture.execute(
                "INSERT INTO acidq_crash (uid, counted_at, node, host, queue, lane) SELECT uid, enqueued_at, 1, 'h', queue, lane"
                        + " FROM acidq_message LIMIT 20000");
        fixture.execute(
                "INSERT INTO acidq_archive (kept_until, done_at, queue, lane, uid, claim_no, attempts, crashes, enqueued_at, order_key, type,"
                        + " headers, size, payload) SELECT enqueued_at, enqueued_at, queue, lane, uid, 0, 0, 0, enqueued_at, order_key,"
                        + " type, headers, size, payload FROM acidq_message LIMIT 20000");
        fixture.execute(
                "INSERT INTO acidq_audit (at, actor, action, queue, uid, reason, detail) SELECT enqueued_at, 'a', 'replay', queue,"
                        + " uid, 'r', 'd' FROM acidq_message LIMIT 20000");
        fixture.execute(
                "INSERT INTO acidq_node (state, workers, host, version, started_at, ended_at) SELECT 'DEAD', '', 'h', 'v',"
                        + " enqueued_at, enqueued_at FROM acidq_message LIMIT 2000");
        fixture.execute("INSERT INTO acidq_cancel (uid, queue, lane, id, at) SELECT uid, queue, lane, id, enqueued_at"
                + " FROM acidq_message LIMIT 1000");
        fixture.execute("INSERT INTO acidq_node_report (node, at, body) SELECT id, started_at, '' FROM acidq_node");
        fixture.execute(
                "INSERT INTO acidq_attempt (uid, claim_no, queue, node, started_at, ended_at, outcome, error, cause)"
                        + " SELECT uid, 1, queue, 1, enqueued_at, enqueued_at, 'DEAD', 'e', 'f' FROM acidq_message LIMIT 20000");
        fixture.execute("INSERT INTO acidq_history (step, queue, at) SELECT 1, queue + (id DIV 1000),"
                + " TIMESTAMP '2026-01-01 00:00:00' + INTERVAL (id % 1000) MINUTE FROM acidq_message LIMIT 20000");
        for (String table : TABLES) {
            fixture.rows("ANALYZE TABLE " + table);
        }
    }

    /** Sets the ids that the cases use. */
    private void renumber() {
        for (String table : List.of("acidq_message", "acidq_scheduled")) {
            long first = fixture.number("SELECT MIN(id) FROM " + table);
            if (first > 1) {
                fixture.execute("UPDATE " + table + " SET id = id - ? ORDER BY id", first - 1);
            }
        }
        fixture.execute(
                "UPDATE acidq_message SET owner = ?, claim_no = 1 WHERE queue = ? AND lane = ? AND id = 50",
                fixture.node,
                fixture.queueId,
                LANE);
    }
}
