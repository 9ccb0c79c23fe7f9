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

/** The check of backlogs: it raises an alarm when a queue has more to do, or for longer, than its settings say, and reports once when that is over. */
public final class BacklogMonitor implements PeriodicTask {

    private static final Duration BETWEEN_CHECKS = Duration.ofSeconds(5);

    /** The limit of the count where no threshold needs it and only people read it. */
    private static final int MAX_COUNTED = 1_000;

    private final QueueStore queues;
    private final InspectionStore backlog;
    private final Map<String, QueueConfig> watched = new TreeMap<>();
    private final Telemetry telemetry;
    private final Set<String> queuesInAlarm = new HashSet<>();

    public BacklogMonitor(QueueStore queues, InspectionStore backlog, EngineConfig config, Telemetry telemetry) {
        this.queues = queues;
        this.backlog = backlog;
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
        int messages = backlog.countUnclaimed(queue, threshold == null ? MAX_COUNTED : threshold + 1);
        Duration found = backlog.oldestUnclaimed(queue);
        Duration oldest = found == null ? Duration.ZERO : found;
        if (isAbove(settings, messages, oldest, 4)) {
            if (queuesInAlarm.add(name)) {
                telemetry.backlogHigh(name, messages, oldest);
            }
        } else if (!isAbove(settings, messages, oldest, 3) && queuesInAlarm.remove(name)) {
            telemetry.backlogNormal(name, messages, oldest);
        }
    }

    /** Whether the backlog or the age is above so many quarters of its threshold: an alarm ends below three, so that it does not flutter. */
    private static boolean isAbove(QueueConfig settings, int messages, Duration oldest, int quarters) {
        Integer most = settings.alarm().backlog();
        Duration longest = settings.alarm().age();
        return (most != null && 4L * messages > (long) quarters * most)
                || (longest != null && oldest.multipliedBy(4).compareTo(longest.multipliedBy(quarters)) > 0);
    }
}
