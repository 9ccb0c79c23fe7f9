package io.acidq.engine.admin;

import io.acidq.InputChecks;
import io.acidq.QueueMisuseException;
import io.acidq.admin.History;
import io.acidq.store.HistoryStore;
import io.acidq.store.HistoryStore.StoredPoint;
import io.acidq.store.QueueStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Reads the history of queues. Thread-safe. */
public final class HistoryReader implements History {

    private final HistoryStore store;

    public HistoryReader(HistoryStore store) {
        this.store = store;
    }

    @Override
    public List<HistoryPoint> read(Collection<String> queues, Duration step, Instant since, Instant until) {
        Map<Integer, String> names = names(queues);
        Range range = new Range(step, since, until, names.size());
        return names.isEmpty()
                ? List.of()
                : range.merged(store.sums(range.storedMinutes(), names.keySet(), range.start(), range.end()).stream()
                        .map(StoredPoint::point)
                        .toList());
    }

    @Override
    public Map<String, List<HistoryPoint>> readEach(
            Collection<String> queues, Duration step, Instant since, Instant until) {
        Map<Integer, String> names = names(queues);
        Range range = new Range(step, since, until, names.size());
        Map<String, List<HistoryPoint>> found = new LinkedHashMap<>();
        if (!names.isEmpty()) {
            store.points(range.storedMinutes(), names.keySet(), range.start(), range.end())
                    .forEach(row -> found.computeIfAbsent(
                                    Objects.requireNonNull(names.get(row.queue())), name -> new ArrayList<>())
                            .add(row.point()));
        }
        found.replaceAll((queue, points) -> range.merged(points));
        return found;
    }

    private static Map<Integer, String> names(Collection<String> queues) {
        Map<Integer, String> names = new TreeMap<>();
        queues.forEach(queue -> names.put(QueueStore.numberOf(InputChecks.checkQueue(queue)), queue));
        return names;
    }

    /** The slots of a read. */
    private record Range(Duration step, Instant since, Instant until, int queues) {

        Range {
            InputChecks.checkTime("start of a history", Objects.requireNonNull(since, "since"));
            InputChecks.checkTime("end of a history", Objects.requireNonNull(until, "until"));
            if (!since.isBefore(until)) {
                throw new QueueMisuseException("the start of a history must be before its end, was " + since + " and "
                        + until + ": set another range");
            }
            long minutes = step.toMinutes();
            if (!(minutes == 1 || minutes == 10 || (minutes > 0 && minutes % 60 == 0)) || step.toSeconds() % 60 != 0) {
                throw new QueueMisuseException(
                        "the step of a history must be 1 minute, 10 minutes or a number of hours, was " + step
                                + ": use History.stepFor");
            }
            long points = Duration.between(since, until).toMinutes() / minutes;
            if (points > MAX_POINTS) {
                throw new QueueMisuseException("a history has at most " + MAX_POINTS + " slots, and " + since + " to "
                        + until + " are " + points + " of " + step + ": set a longer step, or a shorter range");
            }
            long rows = points * queues * (minutes >= 60 ? minutes / 60 : 1);
            if (rows > MAX_ROWS) {
                throw new QueueMisuseException("a history reads at most " + MAX_ROWS + " rows, and " + since + " to "
                        + until + " may have " + rows + " for " + queues
                        + " queues: set a shorter range, or fewer queues");
            }
        }

        int storedMinutes() {
            return (int) Math.min(60, step.toMinutes());
        }

        Instant start() {
            return slotOf(since);
        }

        Instant end() {
            return until;
        }

        private Instant slotOf(Instant at) {
            long seconds = step.toSeconds();
            return Instant.ofEpochSecond(Math.floorDiv(at.getEpochSecond(), seconds) * seconds);
        }

        /** Merges slots of an hour into those of the step. */
        List<HistoryPoint> merged(List<HistoryPoint> points) {
            Map<Instant, HistoryPoint> merged = new LinkedHashMap<>();
            for (HistoryPoint point : points) {
                Instant slot = slotOf(point.at());
                merged.merge(slot, point.withAt(slot), HistoryPoint::plus);
            }
            return List.copyOf(merged.values());
        }
    }
}
