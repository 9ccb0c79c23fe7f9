package io.acidq.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueueNumberTest {

    /** All versions must agree: a process of an older version has the number in memory, and rows of it in its tables. */
    @Test
    void theNumberOfAQueueFollowsFromItsNameForEver() {
        assertThat(QueueStore.numberOf("a")).isEqualTo(1_251_442_962);
        assertThat(QueueStore.numberOf("order.placed")).isEqualTo(1_211_178_929);
        assertThat(QueueStore.numberOf("订单")).isEqualTo(1_028_929_258);
        assertThat(QueueStore.numberOf("x".repeat(100))).isEqualTo(166_508_267);
    }
}
