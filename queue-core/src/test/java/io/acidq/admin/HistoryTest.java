package io.acidq.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.acidq.admin.History.Histogram;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistoryTest {

    @ParameterizedTest
    @CsvSource({
        "-5, 0",
        "0, 0",
        "1, 1",
        "2, 2",
        "3, 2",
        "4, 3",
        "1023, 10",
        "1024, 11",
        "4194303, 22",
        "4194304, 23",
        "9999999999, 23"
    })
    void countsADurationInTheFirstBucketWhoseLimitItIsBelow(long millis, int bucket) {
        assertThat(Histogram.bucketOf(millis)).isEqualTo(bucket);
    }

    @Test
    void hasNoQuantileOfNothing() {
        assertThat(new Histogram(Collections.nCopies(Histogram.BUCKETS, 0L)).quantile(0.5))
                .isEmpty();
    }

    @Test
    void interpolatesAQuantileWithinItsBucket() {
        Random random = new Random(1);
        long[] counts = new long[Histogram.BUCKETS];
        List<Long> durations = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            long millis = Math.round(Math.exp(4 + random.nextGaussian())); // about 55 ms, with a long tail
            durations.add(millis);
            counts[Histogram.bucketOf(millis)]++;
        }
        Collections.sort(durations);
        Histogram histogram =
                new Histogram(java.util.Arrays.stream(counts).boxed().toList());

        for (double share : new double[] {0.5, 0.95, 0.99}) {
            double exact = durations.get((int) (share * durations.size()));
            assertThat(histogram.quantile(share).orElseThrow()).as("%s", share).isCloseTo(exact, within(0.15 * exact));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "PT1H, 0, PT1M",
        "PT6H, 0, PT1M",
        "PT24H, 0, PT10M",
        "PT1H, 25, PT10M",
        "PT66H, 0, PT10M",
        "PT168H, 0, PT1H",
        "PT1H, 400, PT1H",
        "PT720H, 0, PT2H",
        "PT9600H, 0, PT24H"
    })
    void choosesTheShortestStepForTheRange(Duration range, int endedHoursAgo, Duration step) {
        Instant now = Instant.parse("2031-05-01T12:00:00Z");
        Instant until = now.minus(Duration.ofHours(endedHoursAgo));

        assertThat(History.stepFor(now, until.minus(range), until)).isEqualTo(step);
    }
}
