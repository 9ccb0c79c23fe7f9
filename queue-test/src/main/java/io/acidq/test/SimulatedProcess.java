package io.acidq.test;

import io.acidq.MessageId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One simulated process: passes points until it dies at one of them, and does nothing from then on. Confined to the thread that drains. */
final class SimulatedProcess {

    private final @Nullable CrashPoint end;
    private final RecordedOutcomes recordedOutcomes;
    private boolean dead;

    SimulatedProcess(@Nullable CrashPoint end, RecordedOutcomes recordedOutcomes) {
        this.end = end;
        this.recordedOutcomes = recordedOutcomes;
    }

    void reach(CrashPoint crashPoint) {
        goOn();
        if (crashPoint == end) {
            dead = true;
            throw new SimulatedCrash(crashPoint);
        }
    }

    /** Whatever would reach the database, or the handler, after the end does not. */
    void goOn() {
        if (dead && end != null) {
            throw new SimulatedCrash(end);
        }
    }

    void threw(MessageId id, Throwable failure) {
        recordedOutcomes.threw(id, failure);
    }

    boolean isDead() {
        return dead;
    }

    Optional<CrashPoint> death() {
        return dead ? Optional.ofNullable(end) : Optional.empty();
    }
}
