package io.acidq.engine.work;

import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How long a suspect lets its queue wait for the handlers that run, since nothing may start before it: with each time in vain for longer, and
 * between two times the queue goes on without it. Confined to the poller's thread.
 */
final class SuspectPatience {

    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final int LONGEST_SHIFT = 8;
    private static final int REST = 2;

    private final Buffer buffer;
    private final OutcomeRecorder recorder;
    private final LongSupplier nanoTime;
    private @Nullable Claim waiting;
    private long since;

    SuspectPatience(Buffer buffer, OutcomeRecorder recorder, LongSupplier nanoTime) {
        this.buffer = buffer;
        this.recorder = recorder;
        this.nanoTime = nanoTime;
    }

    /** Gives back the suspect that has waited for too long; whether there was one. */
    boolean end() {
        ClaimedMessage suspect = buffer.waitingSuspect();
        long now = nanoTime.getAsLong();
        if (suspect == null || !suspect.claim().equals(waiting)) {
            waiting = suspect == null ? null : suspect.claim();
            since = now;
            return false;
        }
        Duration patience = FIRST.multipliedBy(1L << Math.min(OutcomeRecorder.vain(suspect), LONGEST_SHIFT));
        if (now - since < patience.toNanos() || buffer.remove(suspect).isEmpty()) {
            return false;
        }
        waiting = null;
        recorder.suspectGivesWay(suspect, patience.multipliedBy(REST));
        return true;
    }
}
