package io.acidq.benchmarks.candidate.acidq;

import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.benchmarks.candidate.Failures;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;

/** Counts the runs of handlers that the engine takes back or tries again. */
final class FailureCount implements Telemetry {

    private final Failures failures;

    FailureCount(Failures failures) {
        this.failures = failures;
    }

    @Override
    public void finished(MessageId id, Outcome outcome, Duration took) {
        if (!outcome.equals(Outcome.done())) {
            failures.add(new IllegalStateException(outcome.toString()));
        }
    }

    @Override
    public void requeued(MessageId id, Throwable cause) {
        failures.add(cause);
    }

    @Override
    public void batchSplit(String queue, int messages, Throwable cause) {
        failures.add(cause);
    }
}
