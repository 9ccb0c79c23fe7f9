package io.acidq.mybatis.store;

import io.acidq.Priority;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

/**
 * Checks what a claim and a search read when 100,000 messages wait, half of them NORMAL and half LOW, with a few of HIGH. The system property
 * {@code plan.rows} sets another number.
 */
@TestInstance(Lifecycle.PER_CLASS)
@EachServer(variants = false)
class PriorityPlanIT extends PlanFixture {

    private static final int ROWS = Integer.getInteger("plan.rows", 100_000);
    private static final int LIMIT = 10;

    PriorityPlanIT() {
        super(List.of("acidq_message", "acidq_lane"), Set.of(), Set.of("ALL"), Set.of());
    }

    @BeforeParameterizedClassInvocation
    void fill() {
        fixture.store.queues().openPriorityLanes(fixture.queue);
        fixture.enqueue(fixture.message(0, null, "x".repeat(50)));
        for (long rows = 1; rows < ROWS; rows = fixture.count("acidq_message")) {
            fixture.execute(
                    "INSERT INTO acidq_message (queue, lane, uid, enqueued_at, preexec_time, type, headers, size, payload)"
                            + " SELECT queue, IF(id % 2 = 0, 2000 + id DIV 2 % 8, id DIV 2 % 64), UNHEX(REPLACE(UUID(), '-', '')),"
                            + " enqueued_at, preexec_time, type, headers, size, payload FROM acidq_message LIMIT "
                            + (ROWS - rows));
        }
        for (int i = 0; i < 100; i++) {
            fixture.enqueue(fixture.message(1003, null, "high"));
        }
    }

    @TestFactory
    List<DynamicTest> readFewRowsOfALargeBacklog() {
        List<DynamicTest> tests = new ArrayList<>();
        checks("true statistics").forEach(tests::add);
        tests.add(fakeStatistics("two rows", 2));
        checks("too small statistics").forEach(tests::add);
        return tests;
    }

    @Override
    List<Case> cases() {
        int queue = fixture.queueId;
        return List.of(
                head(Priority.HIGH.firstLane() + 3),
                head(Priority.NORMAL.firstLane()),
                head(Priority.LOW.firstLane()),
                primary(
                        "priorityLanesWithWork",
                        parameters(
                                "queue",
                                queue,
                                "lanes",
                                MyBatisQueueStore.lanes(Priority.HIGH).boxed().toList()),
                        40),
                primary("lanesWithWork", parameters("queues", List.of(queue)), 250));
    }

    /** A claim of this many messages reads 32 rows more. */
    private Case head(int lane) {
        return primary(
                "head", new ClaimMapper.HeadQuery(fixture.queueId, lane, 8192, Set.of(), LIMIT + 32), LIMIT + 35L);
    }

    private static Case primary(String id, Object parameter, long most) {
        return new Case(ClaimMapper.class, id, parameter, Set.of("PRIMARY"), most);
    }
}
