package io.acidq.engine.enqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.QueueStore.QueueRow;
import java.util.List;
import java.util.Set;
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
    void countsEachQueueByItself() {
        QueueRow one = new QueueRow(1, "one", LANES);
        QueueRow other = new QueueRow(2, "other", LANES);
        List<Integer> lanes = IntStream.range(0, 16)
                .map(i -> {
                    turns.next(other, 1);
                    return turns.next(one, 1);
                })
                .boxed()
                .distinct()
                .toList();

        assertThat(lanes).as("sixteen turns").hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void goesOnBehindABulkWhateverItsSize() {
        QueueRow queue = new QueueRow(1, "q", LANES);
        Set<Integer> begun =
                IntStream.range(0, 64).map(i -> turns.next(queue, 1024)).boxed().collect(Collectors.toSet());
        assertThat(begun).as("each bulk takes 21 of the 64 lanes").hasSize(LANES);

        int first = turns.next(queue, 5);
        assertThat(Math.floorMod(turns.next(queue, 1) - first, LANES))
                .as("a small one")
                .isBetween(0, 1);
    }
}
