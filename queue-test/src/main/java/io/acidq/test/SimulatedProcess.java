package io.acidq.test;

import io.acidq.MessageId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One simulated process: passes points until it dies at one of them, and does nothing from then on. Confined to the thread that drains. */
final class SimulatedProcess {

    private final @Nullable CrashPoint crashAt;
    private final RecordedOutcomes recordedOutcomes;
    private boolean crashed;

    SimulatedProcess(@Nullable CrashPoint end, RecordedOutcomes recordedOutcomes) {
        this.crashAt = end;
        this.recordedOutcomes = recordedOutcomes;
    }

    void reach(CrashPoint crashPoint) {
        requireAlive();
        if (crashPoint == crashAt) {
            crashed = true;
            throw new SimulatedCrash(crashPoint);
        }
    }

    /** Whatever would reach the database, or the handler, after the end does not. */
    void requireAlive() {
        if (crashed && crashAt != null) {
            throw new SimulatedCrash(crashAt);
        }
    }

    void threw(MessageId id, Throwable failure) {
        recordedOutcomes.threw(id, failure);
    }

    boolean hasCrashed() {
        return crashed;
    }

    Optional<CrashPoint> crashPoint() {
        return crashed ? Optional.ofNullable(crashAt) : Optional.empty();
    }
}
