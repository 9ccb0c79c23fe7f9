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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Moves due messages from {@code acidq_scheduled} into {@code acidq_message}. Each engine does this for all queues. While nothing is committed, the task does not read
 * the schedule before its first message is due.
 */
public final class DueMessageMover implements PeriodicTask {

    private final MaintenanceStore schedule;
    private final EngineConfig config;
    private final WakeUps wakeUps;
    private final CommitTracker commitTracker;
    private Moment lastRead = Moment.NEVER;
    private volatile boolean scheduledHere;

    /** How long after the last read the next message is due; null when there is none. */
    private @Nullable Duration nextDue;

    public DueMessageMover(
            MaintenanceStore schedule, EngineConfig config, WakeUps wakeUps, CommitTracker commitTracker) {
        this.schedule = schedule;
        this.config = config;
        this.wakeUps = wakeUps;
        this.commitTracker = commitTracker;
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
        lastRead = now;
        return waitFor(nextDue);
    }

    private Duration waitFor(@Nullable Duration nextDue) {
        if (nextDue == null) {
            return config.pollMaxInterval()
                    .multipliedBy(2); // a message that is scheduled in this process wakes the task
        }
        return nextDue.compareTo(config.pollMaxInterval()) > 0 ? config.pollMaxInterval() : nextDue;
    }
}
