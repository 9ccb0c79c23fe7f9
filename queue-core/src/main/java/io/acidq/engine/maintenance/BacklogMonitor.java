package io.acidq.engine.maintenance;

import io.acidq.config.EngineConfig;
import io.acidq.config.QueueConfig;
import io.acidq.engine.loop.PeriodicTask;
import io.acidq.store.InspectionStore;
import io.acidq.store.QueueStore;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Checks the backlogs of queues with an alarm setting. Reports once when a backlog or its age exceeds the setting, and once when it is normal again. */
public final class BacklogMonitor implements PeriodicTask {

    private static final Duration BETWEEN_CHECKS = Duration.ofSeconds(5);

    /** The limit of the count for a queue whose alarm has no number of messages; the count is then only information. */
    private static final int MAX_COUNTED = 1_000;

    private final QueueStore queues;
    private final InspectionStore inspection;
    private final Map<String, QueueConfig> watched = new TreeMap<>();
    private final Telemetry telemetry;
    private final Set<String> queuesInAlarm = new HashSet<>();

    public BacklogMonitor(QueueStore queues, InspectionStore inspection, EngineConfig config, Telemetry telemetry) {
        this.queues = queues;
        this.inspection = inspection;
        this.telemetry = telemetry;
        config.queues().forEach((name, settings) -> {
            if (settings.alarm().isSet()) {
                watched.put(name, settings);
            }
        });
    }

    public boolean hasWork() {
        return !watched.isEmpty();
    }

    @Override
    public String name() {
        return "backlog-monitor";
    }

    @Override
    public Duration runOnce() {
        watched.forEach(
                (name, settings) -> queues.findQueue(name).ifPresent(queue -> check(name, queue.id(), settings)));
        return BETWEEN_CHECKS;
    }

    private void check(String name, int queue, QueueConfig settings) {
        Integer threshold = settings.alarm().backlog();
        int messages = inspection.countUnclaimed(queue, threshold == null ? MAX_COUNTED : threshold + 1);
        Duration found = inspection.oldestUnclaimed(queue);
        Duration oldest = found == null ? Duration.ZERO : found;
        if (isAbove(settings, messages, oldest, 4)) {
            if (queuesInAlarm.add(name)) {
                telemetry.backlogHigh(name, messages, oldest);
            }
        } else if (!isAbove(settings, messages, oldest, 3) && queuesInAlarm.remove(name)) {
            telemetry.backlogNormal(name, messages, oldest);
        }
    }

    /** Returns whether the backlog or its age exceeds this many quarters of its threshold. An alarm ends below three quarters, so that it does not flap. */
    private static boolean isAbove(QueueConfig settings, int messages, Duration oldest, int quarters) {
        Integer backlog = settings.alarm().backlog();
        Duration age = settings.alarm().age();
        return (backlog != null && 4L * messages > (long) quarters * backlog)
                || (age != null && oldest.multipliedBy(4).compareTo(age.multipliedBy(quarters)) > 0);
    }
}
