package io.acidq.dashboard.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The length of the slots of a chart. */
class HistoryStepTest {

    private static final Instant NOW = Instant.parse("2031-05-01T12:00:30Z");

    /** 40,000 rows are read at most; each queue has one for each stored slot. */
    @ParameterizedTest
    @CsvSource({
        "1, 6, 1",
        "111, 6, 1",
        "112, 6, 10",
        "362, 6, 10",
        "270, 24, 10",
        "362, 24, 60",
        "1, 720, 120",
        "362, 720, 120"
    })
    void isLongerWithManyQueues(int queues, int hours, int minutes) {
        assertThat(HistoryApi.stepFor(queues, NOW, NOW.minus(Duration.ofHours(hours)), NOW))
                .isEqualTo(Duration.ofMinutes(minutes));
    }
}
