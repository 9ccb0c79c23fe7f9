package io.acidq.chaos.role;

import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.chaos.role.Journal.Phase;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;

/** Writes down how an engine lets go of messages. Thread-safe. */
public final class JournalTelemetry implements Telemetry {

    private final Journal journal;

    public JournalTelemetry(Journal journal) {
        this.journal = journal;
    }

    @Override
    public void finished(MessageId id, Outcome outcome, Duration took) {
        if (outcome instanceof Outcome.Retry) {
            journal.write(Phase.RETRIED, id, Journal.now());
        }
    }

    @Override
    public void requeued(MessageId id, Throwable cause) {
        journal.write(Phase.REQUEUED, id, Journal.now());
    }
}
