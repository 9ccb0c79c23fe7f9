package io.acidq.dashboard.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SharedReadsTest {

    private final AtomicLong nanos = new AtomicLong();
    private final SharedReads reads = new SharedReads(nanos::get);
    private int count;

    private int read(Duration takes) {
        return reads.get("key", () -> {
            nanos.addAndGet(takes.toNanos());
            return ++count;
        });
    }

    @Test
    void aResultIsKeptForTwentyTimesAsLongAsItTookAndForTwoSecondsAtLeast() {
        assertThat(read(Duration.ofMillis(1))).isEqualTo(1);
        nanos.addAndGet(Duration.ofMillis(1_999).toNanos());
        assertThat(read(Duration.ofMillis(1))).isEqualTo(1);
        nanos.addAndGet(Duration.ofMillis(2).toNanos());
        assertThat(read(Duration.ofSeconds(1))).isEqualTo(2);
        nanos.addAndGet(Duration.ofSeconds(19).toNanos());
        assertThat(read(Duration.ZERO)).isEqualTo(2);
        nanos.addAndGet(Duration.ofSeconds(2).toNanos());
        assertThat(read(Duration.ZERO)).isEqualTo(3);
    }

    @Test
    void anErrorIsNotKeptAndAnActForgetsAll() {
        assertThatThrownBy(() -> reads.get("key", () -> {
                    throw new IllegalStateException("away");
                }))
                .hasMessage("away");
        assertThat(read(Duration.ZERO)).isEqualTo(1);
        reads.clear();
        assertThat(read(Duration.ZERO)).isEqualTo(2);
    }
}
