package io.acidq.engine.desk;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Spreads work over time, so many things a second. Confined to one thread. */
final class Tempo {

    private static final int STEPS_PER_SECOND = 10;
    private static final long NANOS = Duration.ofSeconds(1).toNanos();

    private final int perSecond;
    private final LongSupplier nanoTime;
    private final Pause pause;
    private long done;
    private long began;

    /**
     * A tempo that begins with its first wait.
     *
     * @param perSecond 0 for none
     */
    Tempo(int perSecond, LongSupplier nanoTime, Pause pause) {
        this.perSecond = perSecond;
        this.nanoTime = nanoTime;
        this.pause = pause;
    }

    static Tempo of(int perSecond) {
        return new Tempo(
                perSecond,
                System::nanoTime,
                nanos -> Thread.sleep(Duration.ofNanos(nanos).toMillis() + 1));
    }

    /** How many to do at once, so that it flows. */
    int step(int most) {
        return perSecond == 0 ? most : Math.min(most, Math.max(1, perSecond / STEPS_PER_SECOND));
    }

    /** Waits until so many more may be done. What came late is not made up for. */
    void await(int next) throws InterruptedException {
        if (perSecond == 0) {
            return;
        }
        long now = nanoTime.getAsLong();
        if (done == 0) {
            began = now;
        }
        long due = began + done * NANOS / perSecond;
        if (due - now > 0) {
            pause.pause(due - now);
        } else { // as if all before had been in time
            began += now - due;
        }
        done += next;
    }

    /** How to wait. */
    interface Pause {
        void pause(long nanos) throws InterruptedException;
    }
}
