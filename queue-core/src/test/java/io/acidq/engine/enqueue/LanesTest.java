package io.acidq.engine.enqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.QueueStore.QueueRow;
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
    void spreadsKeysAndKeylessMessagesOverTheLanes() {
        assertThat(IntStream.range(0, 2000)
                        .mapToObj(i -> Lanes.of(QUEUE, "customer-" + i))
                        .collect(Collectors.toSet()))
                .hasSize(64);
        assertThat(IntStream.range(0, 2000).mapToObj(i -> Lanes.of(QUEUE, null)).collect(Collectors.toSet()))
                .hasSize(64)
                .allMatch(lane -> lane >= 0 && lane < 64);
    }
}
