package io.acidq.test;

import io.acidq.MessageId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A simulated process that crashes when it reaches a given point. After the crash every call throws. Confined to the thread that drains. */
final class SimulatedProcess {

    private final @Nullable CrashPoint crashAt;
    private final RecordedOutcomes recordedOutcomes;
    private boolean crashed;

    SimulatedProcess(@Nullable CrashPoint crashAt, RecordedOutcomes recordedOutcomes) {
        this.crashAt = crashAt;
        this.recordedOutcomes = recordedOutcomes;
    }

    void reach(CrashPoint crashPoint) {
        requireAlive();
        if (crashPoint == crashAt) {
            crashed = true;
            throw new SimulatedCrash(crashPoint);
        }
    }

    /** Throws after the crash, so that nothing reaches the database or a handler any more. */
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

    /** The crash of a simulated process. Code that catches it and continues gets it again at its next call. */
    static final class SimulatedCrash extends Error {

        SimulatedCrash(CrashPoint at) {
            super("the test let the process crash at " + at, null, false, false);
        }
    }
}
