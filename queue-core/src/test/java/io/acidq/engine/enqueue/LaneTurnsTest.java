package io.acidq.engine.enqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.QueueStore.QueueRow;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LaneTurnsTest {

    private static final int LANES = 64;

    private final LaneTurns turns = new LaneTurns();

    @Test
    void givesEachLaneItsTurnWithAFewMessagesAtATime() {
        QueueRow queue = new QueueRow(1, "q", LANES);
        List<Integer> lanes = IntStream.range(0, 16 * LANES * 3)
                .map(i -> turns.next(queue, 1))
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
    void leavesOtherQueuesTheirOwnTurns() {
        QueueRow one = new QueueRow(1, "one", LANES);
        QueueRow other = new QueueRow(2, "other", 1);

        assertThat(IntStream.range(0, 100).map(i -> turns.next(other, 1)).boxed())
                .containsOnly(0);
        assertThat(turns.next(one, 1)).isBetween(0, LANES - 1);
    }

    @Test
    void goesOnBehindAllOfABulk() {
        QueueRow queue = new QueueRow(1, "q", LANES);
        int first = turns.next(queue, 1000);

        assertThat(Math.floorMod(turns.next(queue, 1) - first, LANES)).isBetween(1000 / 16, 1000 / 16 + 1);
    }
}
