package io.acidq.engine.maintenance;

import io.acidq.config.EngineConfig;
import io.acidq.engine.loop.CommitTracker;
import io.acidq.engine.loop.CommitTracker.Moment;
import io.acidq.engine.loop.PeriodicTask;
import io.acidq.engine.loop.WakeUps;
import io.acidq.store.Lane;
import io.acidq.store.MaintenanceStore;
import io.acidq.store.MaintenanceStore.Moved;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Moves due messages from {@code acidq_scheduled} into {@code acidq_message}. Each engine does this for all queues. While nothing is committed, the task does not read
 * {@code acidq_scheduled} before its first message is due.
 */
public final class DueMessageMover implements PeriodicTask {

    /** How long an obstacle is not reported: another transaction may have locked the messages for a moment. */
    private static final Duration UNREPORTED = Duration.ofSeconds(5);

    /** The task waits this part of the time that the obstacle has lasted. */
    private static final int WAIT_DIVISOR = 4;

    private final MaintenanceStore schedule;
    private final EngineConfig config;
    private final WakeUps wakeUps;
    private final CommitTracker commitTracker;
    private final LongSupplier nanoTime;
    private Moment lastRead = Moment.NEVER;
    private volatile boolean scheduledHere;

    /** How long after the last read the next message is due; null when there is none. */
    private @Nullable Duration nextDue;

    /** When an obstacle began that has kept due messages from being moved since then; null if there is none. */
    private @Nullable Long stoppedSince;

    public DueMessageMover(
            MaintenanceStore schedule,
            EngineConfig config,
            WakeUps wakeUps,
            CommitTracker commitTracker,
            LongSupplier nanoTime) {
        this.schedule = schedule;
        this.config = config;
        this.wakeUps = wakeUps;
        this.commitTracker = commitTracker;
        this.nanoTime = nanoTime;
    }

    @Override
    public String name() {
        return "due-message-mover";
    }

    /** A message was scheduled in this process: it may be due before the message that the task waits for. */
    public void messageScheduled() {
        scheduledHere = true;
    }

    @Override
    public Duration runOnce() {
        if (!scheduledHere && commitTracker.isUnchangedSince(lastRead)) {
            Duration left = nextDue == null ? null : nextDue.minus(commitTracker.elapsedSince(lastRead));
            if (left == null || left.compareTo(Duration.ZERO) > 0) {
                return waitFor(left);
            }
        }
        scheduledHere = false; // before the read: a message that is scheduled after it causes another read
        Moment now = commitTracker.moment();
        lastRead = Moment.NEVER;
        Moved moved = schedule.moveDue();
        moved.lanes().stream()
                .collect(Collectors.groupingBy(Lane::queue, Collectors.mapping(Lane::lane, Collectors.toSet())))
                .forEach(wakeUps::wake);
        nextDue = moved.nextDue();
        String obstacle = moved.obstacle();
        if (obstacle != null && moved.lanes().isEmpty()) {
            return waitForEndOf(obstacle);
        }
        if (obstacle == null) {
            stoppedSince = null;
        }
        lastRead = now;
        return waitFor(nextDue);
    }

    /** Waits longer from run to run. An obstacle that lasts is a failure of this task. */
    private Duration waitForEndOf(String obstacle) {
        long now = nanoTime.getAsLong();
        long since = stoppedSince == null ? now : stoppedSince;
        stoppedSince = since;
        Duration lasted = Duration.ofNanos(now - since);
        if (lasted.compareTo(UNREPORTED) >= 0) {
            throw new IllegalStateException(obstacle);
        }
        Duration wait = waitFor(nextDue);
        Duration longer = lasted.dividedBy(WAIT_DIVISOR);
        return longer.compareTo(wait) < 0 ? wait : waitFor(longer);
    }

    private Duration waitFor(@Nullable Duration nextDue) {
        if (nextDue == null) {
            return config.pollMaxInterval()
                    .multipliedBy(2); // a message that is scheduled in this process wakes the task
        }
        return nextDue.compareTo(config.pollMaxInterval()) > 0 ? config.pollMaxInterval() : nextDue;
    }
}
