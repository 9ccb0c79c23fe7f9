package io.acidq.engine.enqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.QueueStore.QueueRow;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LanesTest {

    private static final QueueRow QUEUE = new QueueRow(1, "q", 64);

    @Test
    void neverChangesTheLaneOfAKey() {
        // the CRC-32 of the UTF-8 bytes modulo the lanes: another value splits the key of a running installation in two
        assertThat(Lanes.of(QUEUE, "123456789")).isEqualTo((int) (0xCBF43926L % 64));
        assertThat(Lanes.of(QUEUE, "")).isZero();
    }

    @Test
    void spreadsKeysOverTheLanes() {
        assertThat(IntStream.range(0, 2000)
                        .mapToObj(i -> Lanes.of(QUEUE, "customer-" + i))
                        .collect(Collectors.toSet()))
                .hasSize(64);
    }

    @Test
    void laysFiftyOfABulkSideBySideAndTheNextFiftyInTheNextLane() {
        List<Integer> lanes = IntStream.range(0, 200)
                .mapToObj(at -> Lanes.inBulk(QUEUE, 62, at))
                .toList();
        assertThat(lanes.stream().distinct()).containsExactly(62, 63, 0, 1);
        assertThat(lanes).filteredOn(lane -> lane == 63).hasSize(50);
        assertThat(Lanes.inBulk(QUEUE, 7, 0)).as("one alone").isEqualTo(7);
    }
}
