package io.acidq.micrometer;

import io.acidq.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What is counted of one queue. All of it is there from the first message on, so that a rate sees the first of each kind. Thread-safe. */
final class QueueMeters {

    private static final List<AcidqMeter> COUNTED = List.of(
            AcidqMeter.ENQUEUED,
            AcidqMeter.REQUEUED,
            AcidqMeter.FENCED,
            AcidqMeter.BATCH_SPLITS,
            AcidqMeter.SUSPECTED,
            AcidqMeter.QUARANTINED,
            AcidqMeter.RELEASED,
            AcidqMeter.REPLAYED,
            AcidqMeter.DISCARDED);

    private final Map<AcidqMeter, Counter> counters = new EnumMap<>(AcidqMeter.class);
    private final Map<String, Counter> duplicates;
    private final Map<String, Timer> runs;
    private final Timer claim;
    private final DistributionSummary claimed;
    private final Timer lag;

    QueueMeters(Meters meters, String queue) {
        COUNTED.forEach(meter -> counters.put(meter, meters.counter(meter, queue)));
        duplicates = byName(KeyResult.NAMES, name -> meters.counter(AcidqMeter.DUPLICATES, queue, name));
        runs = byName(OutcomeName.ALL, name -> meters.timer(AcidqMeter.HANDLER, queue, name));
        claim = meters.timer(AcidqMeter.CLAIM, queue);
        claimed = meters.summary(AcidqMeter.CLAIM_MESSAGES, queue);
        lag = meters.timer(AcidqMeter.LAG, queue);
    }

    private static <M> Map<String, M> byName(List<String> names, Function<String, M> meter) {
        return names.stream().collect(Collectors.toMap(Function.identity(), meter));
    }

    void count(AcidqMeter meter, int by) {
        Objects.requireNonNull(counters.get(meter)).increment(by);
    }

    /** A message met a taken key. */
    void duplicate(String result, int by) {
        Objects.requireNonNull(duplicates.get(result)).increment(by);
    }

    void recordRun(Outcome outcome, Duration took) {
        Objects.requireNonNull(runs.get(OutcomeName.of(outcome))).record(took);
    }

    void recordClaim(int messages, Duration took) {
        claim.record(took);
        claimed.record(messages);
    }

    void recordLag(Duration late) {
        lag.record(late.isNegative() ? Duration.ZERO : late);
    }
}
