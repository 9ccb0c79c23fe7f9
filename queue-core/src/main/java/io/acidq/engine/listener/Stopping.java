package io.acidq.engine.listener;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;

/** Stops the runs of queues side by side: all of them have one time together, and one grace after it. */
public final class Stopping {

    private static final Duration GRACE = Duration.ofSeconds(5);

    private Stopping() {}

    /** Whether every handler finished by itself, and all that was to be written is. Two at once of the same queue harm nobody. */
    public static boolean stop(Collection<ListenerContainer> queues, Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        Steps steps = new Steps();
        AtomicBoolean clean = new AtomicBoolean(true);
        queues.forEach(queue -> steps.begin("giving back what had not started", queue::stopClaiming));
        boolean written = steps.await(GRACE.multipliedBy(2));
        Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
        queues.forEach(queue -> steps.begin("letting handlers finish", () -> {
            if (!queue.stopHandlers(left)) {
                clean.set(false);
            }
        }));
        written &= steps.await(left.plus(GRACE.multipliedBy(3)));
        queues.forEach(queue -> steps.begin("giving back what could not be interrupted", queue::giveBackTheDeaf));
        written &= steps.await(GRACE);
        return written && clean.get();
    }
}
