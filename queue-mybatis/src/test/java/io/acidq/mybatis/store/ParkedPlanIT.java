package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.DeadHeadPolicy;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.store.Claim;
import io.acidq.store.DeadLetterStore.Letter;
import io.acidq.testservers.FullBuild;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

/**
 * Checks the statements that park followers, move them back and release dead heads, with 20,000 followers of one key in a lane (100,000 in a full build),
 * as many parked messages and a fifth as many dead letters. They read only the rows they need, also with statistics that are far too small or too large.
 */
@TestInstance(Lifecycle.PER_CLASS)
@EachServer(variants = false)
class ParkedPlanIT extends PlanFixture {

    private static final int ROWS = FullBuild.IS_ON ? 100_000 : 20_000;
    private static final int LANE = 3;
    private static final int DEAD = ROWS / 5;
    private static final int HELD = 200;

    /** Parked messages have other ids than those in the lane. */
    private static final int PARKED = 1_000_000;

    private static final List<String> TABLES = List.of("acidq_message", "acidq_parked", "acidq_dead", "acidq_queue");

    private long first;

    ParkedPlanIT() {
        super(TABLES, Set.of("n"), Set.of("ALL", "index"), Set.of());
    }

    @BeforeParameterizedClassInvocation
    void fillTables() {
        fill();
    }

    @TestFactory
    List<DynamicTest> takesTheRightIndexAndReadsFewRows() {
        List<DynamicTest> tests = new ArrayList<>();
        checks("true statistics").forEach(tests::add);
        tests.add(fakeStatistics("two rows", 2));
        checks("too small statistics").forEach(tests::add);
        tests.add(fakeStatistics("a billion rows", 1_000_000_000));
        checks("too large statistics").forEach(tests::add);
        return tests;
    }

    @Override
    List<Case> cases() {
        int queue = fixture.queueId;
        Claim claim = new Claim(queue, LANE, first, new UUID(0, 1), fixture.node, 1);
        List<Letter> held =
                fixture.store.dead().pick(fixture.queue, DeadLetterFilter.of(fixture.queue.name()), DEAD).stream()
                        .filter(Letter::isHolding)
                        .limit(100)
                        .toList();
        assertThat(held).hasSize(100);
        Object letters = parameters("letters", held);
        Object some = parameters("queue", queue, "lane", LANE, "ids", ids(500));
        List<Long> parkedIds =
                LongStream.range(first + PARKED, first + PARKED + 100).boxed().toList();
        Object back = parameters("queue", queue, "key", "hot", "ids", parkedIds);
        Object next = parameters("queue", queue, "key", "hot", "id", first + PARKED + 100);
        Object one = parameters("queue", queue, "lane", LANE, "key", "hot", "id", first + 5, "limit", 101);
        return List.of(
                parked(
                        "followers",
                        parameters(
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
                        parameters(
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
                new Case(ClaimMapper.class, "onDeadHead", parameters("claim", claim), Set.of("PRIMARY"), 4),
                new Case(ClaimMapper.class, "holdPlace", parameters("claim", claim, "kind", 1), Set.of("PRIMARY"), 2),
                new Case(
                        DeadLetterMapper.class,
                        "held",
                        parameters("queue", queue, "limit", 100, "errorChars", 1000),
                        Set.of("by_held"),
                        105),
                dead("lockMarkers", letters, 820),
                dead("swapBack", letters, 1020),
                dead("deleteMarkers", letters, 1020),
                dead("forgetPlace", held.get(0), 2));
    }

    private static Case parked(String id, Object parameter, long most) {
        return new Case(ClaimMapper.class, id, parameter, Set.of("PRIMARY"), most);
    }

    private static Case dead(String id, Object parameter, long most) {
        return new Case(DeadLetterMapper.class, id, parameter, Set.of("PRIMARY"), most);
    }

    private List<Long> ids(int count) {
        return LongStream.range(first + 1, first + 1 + count).boxed().toList();
    }

    /** The lane has a claimed head, its followers, and at the end the markers of dead letters. */
    private void fill() {
        int queue = fixture.queueId;
        fixture.store.queues().changeDeadHeadPolicy(fixture.queue, DeadHeadPolicy.BLOCK);
        for (int from = 0; from < ROWS; from += 5_000) {
            fixture.enqueue(5_000, i -> fixture.message(LANE, "hot", "x".repeat(50)));
        }
        first = fixture.number("SELECT MIN(id) FROM acidq_message");
        fixture.execute(
                "UPDATE acidq_message SET owner = ?, claim_no = 1 WHERE queue = ? AND lane = ? AND id = ?",
                fixture.node,
                queue,
                LANE,
                first);
        fixture.execute(
                "INSERT INTO acidq_parked (queue, order_key, id, lane, uid, claim_no, attempts, crashes, enqueued_at, preexec_time,"
                        + " type, headers, size, payload) SELECT queue, order_key, id + " + PARKED
                        + ", lane, uid, 0, 0, 0, enqueued_at,"
                        + " preexec_time, type, headers, size, payload FROM acidq_message");
        fixture.execute(
                "INSERT INTO acidq_dead (died_at, queue, lane, uid, claim_no, attempts, crashes, enqueued_at, preexec_time, order_key,"
                        + " type, headers, size, payload, mark, cause, held_id) SELECT TIMESTAMPADD(SECOND, id, '2026-01-01'), queue, lane,"
                        + " uid, 0, 0, 0, enqueued_at, preexec_time, CONCAT('k', id), type, headers, size, payload, 'm', 'f',"
                        + " CASE WHEN id > ? THEN id ELSE 0 END FROM acidq_message WHERE id > ?",
                first + ROWS - 1 - HELD,
                first + ROWS - DEAD);
        fixture.execute("UPDATE acidq_message SET kind = 1 WHERE id > ?", first + ROWS - 1 - HELD);
        TABLES.forEach(table -> fixture.rows("ANALYZE TABLE " + table));
    }
}
