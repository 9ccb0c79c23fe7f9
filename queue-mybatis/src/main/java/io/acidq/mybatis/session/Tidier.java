package io.acidq.mybatis.session;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A thread that does something whenever it is due, and ends when for a second nothing has been to be done. One of its own: what it does waits for the
 * server, and the JDK's for such things stays for the life of the JVM. Thread-safe.
 */
final class Tidier {

    /** Nothing will be due. */
    static final long NOTHING = Long.MAX_VALUE;

    private static final long LINGER_NANOS = Duration.ofSeconds(1).toNanos();

    /** So long an end waits for what is done at that moment. */
    private static final long PATIENCE_NANOS = Duration.ofSeconds(5).toNanos();

    /** A wait may be over a little too soon. */
    private static final long SLACK_NANOS = Duration.ofMillis(1).toNanos();

    private final LongSupplier untilDue;
    private final Runnable task;
    private @Nullable Thread thread;
    private boolean rests;
    private long wakesAt;
    private boolean poked;
    private boolean ends;

    /**
     * Without a thread at first.
     *
     * @param untilDue nanoseconds until it is time, 0 or less when it is, or {@link #NOTHING}
     */
    Tidier(LongSupplier untilDue, Runnable task) {
        this.untilDue = untilDue;
        this.task = task;
    }

    /** Something will be due in so many nanoseconds. */
    synchronized void in(long nanos) {
        if (ends) {
            ends = false;
            notifyAll(); // whoever waits for the end would wait for this too
        }
        if (thread == null) {
            start();
        } else if (!rests || wakesAt - System.nanoTime() > nanos + SLACK_NANOS) {
            poked = true;
            notifyAll();
        }
    }

    private void start() {
        Thread started = new Thread(this::run, "acidq-connections");
        started.setDaemon(true);
        try {
            started.start();
            thread = started;
        } catch (OutOfMemoryError e) { // no more threads to be had: the next time
        }
    }

    /** The thread ends, after what it is doing. */
    synchronized void end() {
        ends = true;
        notifyAll();
        long until = System.nanoTime() + PATIENCE_NANOS;
        try {
            for (long left = PATIENCE_NANOS; ends && thread != null && left > 0; left = until - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(this, left + SLACK_NANOS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            long idleSince = System.nanoTime();
            long left;
            do {
                left = untilDue.getAsLong();
                if (left <= 0) {
                    task.run();
                }
                if (left != NOTHING) {
                    idleSince = System.nanoTime();
                }
            } while (left <= 0 || goesOn(left, idleSince));
        } catch (InterruptedException e) { // by nobody of AcidQ: the next time another one starts
            Thread.currentThread().interrupt();
        } finally {
            leave();
        }
    }

    /** Rests until something is due or it is told; false when the thread is to end, and is forgotten. */
    private synchronized boolean goesOn(long left, long idleSince) throws InterruptedException {
        if (!poked && !ends) {
            long now = System.nanoTime();
            long longest = left == NOTHING ? LINGER_NANOS - (now - idleSince) : left;
            if (longest > 0) {
                wakesAt = now + longest;
                rests = true;
                TimeUnit.NANOSECONDS.timedWait(this, longest + SLACK_NANOS);
                rests = false;
            }
        }
        boolean isIdle = left == NOTHING && System.nanoTime() - idleSince >= LINGER_NANOS;
        boolean goesOn = poked || !(ends || isIdle);
        poked = false;
        if (!goesOn) {
            leave();
        }
        return goesOn;
    }

    private synchronized void leave() {
        if (thread == Thread.currentThread()) {
            thread = null;
            rests = false;
            poked = false;
            notifyAll();
        }
    }
}
