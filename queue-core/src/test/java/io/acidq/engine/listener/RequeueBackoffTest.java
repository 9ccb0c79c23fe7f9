package io.acidq.engine.listener;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequeueBackoffTest {

    /** The waits double to 2.5 s, and to 20 s for a message whose handler fails more than ten times by errors that count no attempt. */
    @ParameterizedTest
    @CsvSource({
        "0, 0, 5",
        "3, 1, 40",
        "9, 9, 2560",
        "1000, 10, 2560",
        "1000, 11, 5120",
        "1000, 13, 20480",
        "1000, 1000, 20480"
    })
    void waitsLongerTheMoreOftenAMessageIsRequeued(int claimsWithoutAttempt, int transientFailures, long millis) {
        assertThat(RequeueBackoff.longestWaitMillis(claimsWithoutAttempt, transientFailures))
                .isEqualTo(millis);
    }
}
