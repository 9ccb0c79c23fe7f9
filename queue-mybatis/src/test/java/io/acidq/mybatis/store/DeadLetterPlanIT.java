package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.MessageId;
import io.acidq.admin.AuditQuery;
import io.acidq.admin.DeadLetter;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetterPage;
import io.acidq.mybatis.store.DeadLetterMapper.DeadQuery;
import io.acidq.mybatis.store.DeadLetterMapper.LetterPosition;
import io.acidq.mybatis.store.DeadLetterMapper.NewLetters;
import io.acidq.mybatis.store.InspectionMapper.AuditRange;
import io.acidq.mybatis.store.InspectionMapper.BrowseQuery;
import io.acidq.store.DeadLetterStore.Letter;
import io.acidq.testservers.FullBuild;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

/**
 * Checks the statements on dead letters and their audit log, with 20,000 letters (100,000 in a full build) in each of two queues. They read only their letters,
 * or an index of their queue, also with statistics that are far too small or too large.
 */
@TestInstance(Lifecycle.PER_CLASS)
@EachServer(variants = false)
class DeadLetterPlanIT extends PlanFixture {

    private static final int DEAD_LETTERS = FullBuild.IS_ON ? 100_000 : 20_000;
    private static final int CAUSES = 7;
    private static final List<String> TABLES = List.of("acidq_dead", "acidq_key", "acidq_audit");
    private static final Set<String> PRIMARY = Set.of("PRIMARY");

    private DeadLetterFilter all;
    private List<Letter> hundred;
    private DeadLetterPage middle;
    private DeadLetterFilter ofOneCause;

    /** A thousand letters before {@link #middle}. */
    private LetterPosition end;

    private long lastAudited;

    DeadLetterPlanIT() {
        super(TABLES, Set.of("n"), Set.of("ALL", "index"), Set.of("copyToLane", "insertLetters"));
    }

    @BeforeParameterizedClassInvocation
    void fillTables() {
        all = DeadLetterFilter.of(fixture.queue.name());
        fill(fixture, DEAD_LETTERS);
        fill(new QueueFixture(home), DEAD_LETTERS);
        TABLES.forEach(table -> fixture.rows("ANALYZE TABLE " + table));
        List<Letter> letters = fixture.store.dead().pick(fixture.queue, all, DEAD_LETTERS);
        assertThat(letters).hasSize(DEAD_LETTERS);
        hundred = letters.subList(DEAD_LETTERS / 2, DEAD_LETTERS / 2 + 100);
        Letter last = hundred.get(99);
        middle = new DeadLetterPage(100, last.diedAt(), last.uid(), false);
        List<DeadLetter> page = fixture.store.dead().list(fixture.queue, all, middle);
        Letter first = letters.get(DEAD_LETTERS / 2 + 99 - 1000);
        end = new LetterPosition(first.diedAt(), first.uid());
        lastAudited = fixture.number("SELECT MAX(id) FROM acidq_audit");
        ofOneCause =
                all.withCause(page.get(0).cause()).diedBetween(last.diedAt(), Instant.parse("9000-01-01T00:00:00Z"));
    }

    @TestFactory
    List<DynamicTest> takesTheRightIndexAndReadsFewRows() {
        List<DynamicTest> tests = new ArrayList<>();
        checks("true statistics").forEach(tests::add);
        tests.add(DynamicTest.dynamicTest("prepares statistics of two rows", () -> {
            fakeStatistics(2);
            assertThat(rowsRead("DELETE FROM acidq_dead WHERE "
                            + hundred.stream()
                                    .map(l -> "(died_at = '"
                                            + l.diedAt().toString().replaceAll("[TZ]", " ") + "' AND uid = UNHEX('"
                                            + l.uid().toString().replace("-", "") + "'))")
                                    .collect(Collectors.joining(" OR "))))
                    .as("rows read by the plain DELETE: on MySQL the statistics do mislead the optimizer")
                    .isGreaterThan(home.isMariaDb() ? 0 : DEAD_LETTERS);
        }));
        checks("too small statistics").forEach(tests::add);
        tests.add(fakeStatistics("a billion rows", 1_000_000_000));
        checks("too large statistics").forEach(tests::add);
        return tests;
    }

    @Override
    List<Case> cases() {
        int queue = fixture.queueId;
        Set<String> byQueue = Set.of("by_queue");
        Set<String> byCause = Set.of("by_cause");
        Object letters = parameters("letters", hundred);
        DeadLetterFilter one =
                DeadLetterFilter.of(new MessageId(all.queue(), 0, hundred.get(0).uid()));
        DeadLetterFilter late = all.diedBetween(hundred.get(99).diedAt(), Instant.parse("9000-01-01T00:00:00Z"));
        DeadLetterPage newest = new DeadLetterPage(100, middle.afterDiedAt(), middle.afterUid(), true);
        AuditRange ofBulk = AuditRange.of(AuditQuery.ofBulk(1).withActor("nobody"), null, 1000);
        return List.of(
                dead("list", DeadQuery.of(queue, all, DeadLetterPage.first(100)), byQueue, 105),
                dead("list", DeadQuery.of(queue, all, middle), byQueue, 105),
                dead("list", DeadQuery.of(queue, ofOneCause, middle), byCause, 105),
                dead("count", DeadQuery.of(queue, all, 1), byQueue, DEAD_LETTERS + 5),
                dead("count", DeadQuery.of(queue, late, 1), byQueue, DEAD_LETTERS / 2 + 5),
                dead("count", DeadQuery.of(queue, ofOneCause, 1), byCause, DEAD_LETTERS / CAUSES / 2 + 5),
                dead("list", DeadQuery.of(queue, all, newest), byQueue, 105),
                dead("list", DeadQuery.of(queue, ofOneCause, newest), byCause, 105),
                dead("nextQueue", parameters("after", Integer.MIN_VALUE), Set.of("by_cause", "PRIMARY"), 7),
                dead("firstOfCause", cause("after", new byte[] {0, 0, 0, 0, 0, 0, 0, 2}), byCause, 2),
                dead("firstOfCause", cause("cause", new byte[] {0, 0, 0, 0, 0, 0, 0, 2}), byCause, 2),
                dead("lastOfCause", cause("cause", new byte[] {0, 0, 0, 0, 0, 0, 0, 2}), byCause, 2),
                dead("countCause", cause("cause", new byte[] {0, 0, 0, 0, 0, 0, 0, 2}), byCause, 2_010),
                dead("pick", DeadQuery.of(queue, all, 1000), byQueue, 1005),
                dead("pick", DeadQuery.of(queue, ofOneCause.withType("type"), 1000), byCause, 1005),
                dead("find", parameters("queue", queue, "uid", hundred.get(0).uid()), Set.of("by_uid"), 3),
                dead("pick", DeadQuery.of(queue, one, 1000), Set.of("by_uid"), 3),
                dead("lockIfDead", letters, PRIMARY, 210),
                dead("strayKeys", letters, PRIMARY, 310),
                dead("content", hundred.get(0), PRIMARY, 2),
                dead(
                        "edit",
                        parameters("letter", hundred.get(0), "payload", new byte[3], "size", 3, "headers", "a=1"),
                        PRIMARY,
                        2),
                dead("copyToLane", letters, PRIMARY, 310),
                dead("deleteDead", letters, PRIMARY, 410),
                dead("insertLetters", new NewLetters("ann", "replay", "r", 1, hundred, ""), PRIMARY, 310),
                dead("updateBulk", parameters("id", 1L, "detail", "d"), PRIMARY, 2),
                dead("scanEnd", DeadQuery.of(queue, all, newest).withOffset(999), byQueue, 1005),
                dead("scanEnd", DeadQuery.of(queue, ofOneCause, middle).withOffset(999), byCause, 1005),
                dead("list", DeadQuery.of(queue, all.withType("none"), newest).until(end), byQueue, 1005),
                dead("countUpTo", DeadQuery.of(queue, all, 1000), byQueue, 2010),
                browse("dead", browsed(null), byQueue, 105),
                browse("dead", browsed("none").until(end.diedAt(), null, end.uid()), byQueue, 1005),
                browse("scanEndOfDead", browsed("none"), byQueue, 1005),
                audit("auditOf", parameters("uid", hundred.get(0).uid()), Set.of("by_uid", "PRIMARY"), 4),
                audit("findAudit", parameters("id", 7L), PRIMARY, 3),
                audit("audit", AuditRange.of(AuditQuery.all(), null, 1000), Set.of("by_bulk", "PRIMARY"), 105),
                audit("audit", ofBulk.until(lastAudited - 999), Set.of("by_bulk", "PRIMARY"), 1005),
                audit("scanEndOfAudit", ofBulk, Set.of("by_bulk"), 1005));
    }

    private Object cause(String name, byte[] cause) {
        Map<String, Object> parameters =
                new HashMap<>(Map.of("queue", fixture.queueId, "errorChars", 1000, "limit", 1001));
        parameters.put("after", null);
        parameters.put("cause", null);
        parameters.put(name, cause);
        return parameters;
    }

    private static Case dead(String id, Object parameter, Set<String> keys, long most) {
        return new Case(DeadLetterMapper.class, id, parameter, keys, most);
    }

    private static Case browse(String id, BrowseQuery query, Set<String> keys, long most) {
        return new Case(InspectionMapper.class, id, query, keys, most);
    }

    private BrowseQuery browsed(String type) {
        return new BrowseQuery(
                fixture.queueId,
                null,
                type,
                null,
                null,
                null,
                null,
                middle.afterDiedAt(),
                null,
                middle.afterUid(),
                null,
                null,
                null,
                100,
                1000,
                999);
    }

    private static Case audit(String id, Object parameter, Set<String> keys, long most) {
        return new Case(InspectionMapper.class, id, parameter, keys, most);
    }

    /** Inserts dead letters into the queue. */
    static void fill(QueueFixture fixture, int letters) {
        int queue = fixture.queueId;
        String digits = IntStream.range(0, 10)
                .mapToObj(i -> "SELECT " + i + " AS n")
                .collect(Collectors.joining(" UNION ALL "));
        String numbers = "(SELECT a.n + 10 * b.n + 100 * c.n + 1000 * d.n + 10000 * e.n AS n FROM (" + digits
                + ") a JOIN (" + digits + ") b JOIN (" + digits + ") c JOIN (" + digits + ") d JOIN (" + digits
                + ") e HAVING n < " + letters + ") numbers";
        String uid = "UNHEX(INSERT(LEFT(SHA2(CONCAT(" + queue + ", '-', n), 256), 32), 13, 1, '7'))";
        fixture.execute(
                "INSERT INTO acidq_dead (died_at, uid, queue, lane, claim_no, attempts, crashes, enqueued_at, preexec_time, p_key,"
                        + " order_key, type, headers, size, payload, mark, cause) SELECT TIMESTAMPADD(SECOND, n, '2026-01-01'), "
                        + uid
                        + ", " + queue
                        + ", n % 64, 3, 3, 0, '2026-01-01', '2026-01-01', CONCAT('k', n), CONCAT('o', n % 50), 'type', '', 100,"
                        + " REPEAT('x', 100), CONCAT('cause ', n), UNHEX(LPAD(HEX(n % " + CAUSES + "), 16, '0')) FROM "
                        + numbers);
        fixture.execute("INSERT INTO acidq_key (queue, p_key, uid, lane, kept_until, taken_at) SELECT " + queue
                + ", CONCAT('k', n), " + uid + ", n % 64, '2026-01-01', '2026-01-01' FROM " + numbers);
        fixture.execute(
                "INSERT INTO acidq_audit (at, actor, action, queue, lane, uid, bulk, reason, detail) SELECT '2026-01-01', 'ann',"
                        + " 'replay', " + queue + ", 0, " + uid
                        + ", CASE WHEN n % 1000 = 0 THEN 0 ELSE 1 END, '', '' FROM " + numbers);
    }
}
