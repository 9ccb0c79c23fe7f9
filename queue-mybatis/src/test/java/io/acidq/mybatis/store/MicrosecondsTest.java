package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MicrosecondsTest {

    @Test
    void roundsUp() {
        assertThat(Microseconds.of(Duration.ZERO)).isZero();
        assertThat(Microseconds.of(Duration.ofNanos(1))).isEqualTo(1);
        assertThat(Microseconds.of(Duration.ofNanos(1000))).isEqualTo(1);
        assertThat(Microseconds.of(Duration.ofSeconds(2, 999_999_999))).isEqualTo(3_000_000);
        assertThat(Microseconds.notBefore(Instant.ofEpochSecond(5, 999_999_001)))
                .isEqualTo(Instant.ofEpochSecond(6));
        assertThat(Microseconds.notBefore(Instant.ofEpochSecond(5, 1000))).isEqualTo(Instant.ofEpochSecond(5, 1000));
    }

    @Test
    void countsAThousandYears() {
        assertThat(Microseconds.of(Duration.ofDays(365_000))).isEqualTo(365_000L * 86_400 * 1_000_000);
        assertThat(Microseconds.duration(365_000L * 86_400 * 1_000_000))
                .isEqualTo(Duration.of(365_000, ChronoUnit.DAYS));
        assertThat(Microseconds.duration(null)).isNull();
    }

    @Test
    void readsTheWorkersThatItWrote() {
        Map<Integer, Integer> workers = Map.of(1, 4, 20, 16);

        assertThat(MyBatisNodeStore.writeWorkers(workers)).isEqualTo("1:4,20:16");
        assertThat(MyBatisNodeStore.readWorkers("1:4,20:16")).isEqualTo(workers);
        assertThat(MyBatisNodeStore.readWorkers("")).isEmpty();
        assertThat(MyBatisNodeStore.readWorkers(null)).isEmpty();
    }

    @Test
    void shortensALongErrorInTheMiddleAndKeepsItsCause() {
        ErrorText mark = ErrorText.of("order 12 failed\nline 2");

        assertThat(mark.text()).isEqualTo("order 12 failed\nline 2");
        assertThat(mark.cause())
                .hasSize(8)
                .isEqualTo(ErrorText.of("order 7 failed").cause());
        assertThat(ErrorText.of("order failed" + "x".repeat(200_000) + "; caused by: no space")
                        .text())
                .hasSize(100_000)
                .startsWith("order failedx")
                .endsWith("x; caused by: no space");
    }
}
