package io.acidq.test;

import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.telemetry.Telemetry;
import io.acidq.test.DrainResult.Ended;
import io.acidq.test.DrainResult.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Records the outcomes and failures of a drain. */
final class RecordedOutcomes implements Telemetry {

    private final List<Ended> ended = new ArrayList<>();
    private final List<Failure> failures = new ArrayList<>();

    void threw(MessageId id, Throwable failure) {
        failures.add(new Failure(id, failure));
    }

    @Override
    public void finished(MessageId id, Outcome outcome, Duration took) {
        ended.add(new Ended(id, outcome));
    }

    /** Records the cause if no handler threw it, for example a deadlock. */
    @Override
    public void requeued(MessageId id, Throwable cause) {
        if (failures.stream().noneMatch(f -> f.thrown() == cause)) {
            failures.add(new Failure(id, cause));
        }
    }

    @Override
    public void quarantined(MessageId id, String cause) {
        ended.add(new Ended(id, Outcome.dead(cause)));
    }

    List<Ended> ended() {
        return ended;
    }

    List<Failure> failures() {
        return failures;
    }
}
