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
 * The move of due messages into the hot table, whatever their queue: every engine moves for all. While no one commits anything, it need not ask
 * what is scheduled before the first message is due.
 */
public final class DueMessageMover implements PeriodicTask {

    private final MaintenanceStore schedule;
    private final EngineConfig config;
    private final WakeUps wakeUps;
    private final CommitTracker commitTracker;
    private Moment lastAsked = Moment.NEVER;
    private volatile boolean scheduledHere;

    /** How long after the question the next message is due; null when none waited. */
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

    /** A message was scheduled in this process: the message that was due next may not be so any more. */
    public void messageScheduled() {
        scheduledHere = true;
    }

    @Override
    public Duration runOnce() {
        if (!scheduledHere && commitTracker.isUnchangedSince(lastAsked)) {
            Duration left = nextDue == null ? null : nextDue.minus(commitTracker.elapsedSince(lastAsked));
            if (left == null || left.compareTo(Duration.ZERO) > 0) {
                return waitFor(left);
            }
        }
        scheduledHere = false; // before the question: what is scheduled after it is asked for again
        Moment now = commitTracker.moment();
        lastAsked = Moment.NEVER;
        Moved moved = schedule.moveDue();
        moved.lanes().stream()
                .collect(Collectors.groupingBy(Lane::queue, Collectors.mapping(Lane::lane, Collectors.toSet())))
                .forEach(wakeUps::wake);
        nextDue = moved.nextDue();
        lastAsked = now;
        return waitFor(nextDue);
    }

    private Duration waitFor(@Nullable Duration nextDue) {
        if (nextDue == null) {
            return config.pollMaxInterval()
                    .multipliedBy(2); // nothing waits; scheduling a message in this process wakes the task
        }
        return nextDue.compareTo(config.pollMaxInterval()) > 0 ? config.pollMaxInterval() : nextDue;
    }
}
