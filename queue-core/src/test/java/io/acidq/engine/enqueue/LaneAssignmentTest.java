package io.acidq.engine.enqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.QueueStore.QueueRow;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LaneAssignmentTest {

    private static final int LANES = 64;

    private static final QueueRow QUEUE = new QueueRow(1, "q", LANES);

    private final LaneAssignment assignment = new LaneAssignment();

    @Test
    void usesEachLaneInTurnForSeveralMessages() {
        List<Integer> lanes = IntStream.range(0, 16 * LANES * 3)
                .map(i -> assignment.nextLane(QUEUE, 1))
                .boxed()
                .toList();

        assertThat(lanes.stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting())))
                .hasSize(LANES)
                .containsKeys(0, LANES - 1)
                .allSatisfy((lane, messages) -> assertThat(messages).isEqualTo(16 * 3));
        long changes = IntStream.range(1, lanes.size())
                .filter(i -> !lanes.get(i).equals(lanes.get(i - 1)))
                .count();
        assertThat(changes).isBetween(LANES * 3L - 1, LANES * 3L);
    }

    @Test
    void countsEachQueueSeparately() {
        QueueRow other = new QueueRow(2, "other", LANES);
        List<Integer> lanes = IntStream.range(0, 16)
                .map(i -> {
                    assignment.nextLane(other, 1);
                    return assignment.nextLane(QUEUE, 1);
                })
                .boxed()
                .distinct()
                .toList();

        assertThat(lanes).as("sixteen messages").hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void continuesBehindABulkOfAnySize() {
        Set<Integer> begun = IntStream.range(0, 64)
                .map(i -> assignment.nextLane(QUEUE, 1024))
                .boxed()
                .collect(Collectors.toSet());
        assertThat(begun).as("each bulk takes 21 of the 64 lanes").hasSize(LANES);

        int first = assignment.nextLane(QUEUE, 5);
        assertThat(Math.floorMod(assignment.nextLane(QUEUE, 1) - first, LANES))
                .as("a small one")
                .isBetween(0, 1);
    }

    @Test
    void hashesAnOrderingKeyByItsCrc32() {
        // the CRC-32 of the UTF-8 bytes modulo the lanes: with another value, messages of a key in a running
        // installation would be in two lanes
        assertThat(LaneAssignment.ofKey(QUEUE, "123456789")).isEqualTo((int) (0xCBF43926L % 64));
        assertThat(LaneAssignment.ofKey(QUEUE, "")).isZero();
    }

    @Test
    void spreadsKeysOverTheLanes() {
        assertThat(IntStream.range(0, 2000)
                        .mapToObj(i -> LaneAssignment.ofKey(QUEUE, "customer-" + i))
                        .collect(Collectors.toSet()))
                .hasSize(64);
    }

    @Test
    void putsFiftyMessagesOfABulkIntoALane() {
        List<Integer> lanes = IntStream.range(0, 200)
                .mapToObj(at -> LaneAssignment.bulkLane(QUEUE, 62, at))
                .toList();
        assertThat(lanes.stream().distinct()).containsExactly(62, 63, 0, 1);
        assertThat(lanes).filteredOn(lane -> lane == 63).hasSize(50);
        assertThat(LaneAssignment.bulkLane(QUEUE, 7, 0)).as("one alone").isEqualTo(7);
    }
}
