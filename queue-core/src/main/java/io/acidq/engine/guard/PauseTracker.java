package io.acidq.engine.guard;

import io.acidq.engine.loop.CommitTracker;
import io.acidq.engine.loop.CommitTracker.Moment;
import io.acidq.engine.loop.PeriodicTask;
import io.acidq.engine.loop.WakeUps;
import io.acidq.store.QueueStore;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.store.QueueStore.StoredQueue;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Knows which queues are paused, reports each change to telemetry, and wakes the poller of the queue. Thread-safe. */
public final class PauseTracker {

    private static final Duration BETWEEN_READS = Duration.ofSeconds(1);

    private final WakeUps wakeUps;
    private final Telemetry telemetry;
    private final Set<Integer> paused = ConcurrentHashMap.newKeySet();
    private long actions;

    /** The queues whose change a read has reported since the last {@link #actionBegins}. */
    private final Set<Integer> reportedByReading = new HashSet<>();

    public PauseTracker(WakeUps wakeUps, Telemetry telemetry) {
        this.wakeUps = wakeUps;
        this.telemetry = telemetry;
    }

    public boolean isPaused(int queue) {
        return paused.contains(queue);
    }

    /** An operator is about to pause or resume a queue through this engine; one at a time. */
    public synchronized void actionBegins() {
        reportedByReading.clear();
    }

    /** The operator's change is committed. A read may have seen and reported it already. */
    public void actionDone(QueueRow queue, boolean pause) {
        boolean isNew;
        synchronized (this) {
            actions++;
            isNew = remember(queue.id(), pause) || !reportedByReading.contains(queue.id());
        }
        if (isNew) {
            notifyChange(queue, pause);
        }
    }

    /** Returns how many changes were made through this engine so far. A reader calls this before it reads the database. */
    synchronized long actions() {
        return actions;
    }

    /**
     * Applies what was read from the database.
     *
     * @param actionsBefore the result of {@link #actions} before the read. When it has changed since, the read is outdated and ignored
     */
    void applyReading(Collection<QueueRow> queues, Set<Integer> pausedNow, long actionsBefore) {
        for (QueueRow queue : queues) {
            boolean pause = pausedNow.contains(queue.id());
            boolean isNew;
            synchronized (this) {
                isNew = actions == actionsBefore && remember(queue.id(), pause);
                if (isNew) {
                    reportedByReading.add(queue.id());
                }
            }
            if (isNew) {
                notifyChange(queue, pause);
            }
        }
    }

    private boolean remember(int queue, boolean pause) {
        return pause ? paused.add(queue) : paused.remove(queue);
    }

    private void notifyChange(QueueRow queue, boolean pause) {
        wakeUps.wakeAllLanes(queue.id());
        if (pause) {
            telemetry.paused(queue.name());
        } else {
            telemetry.resumed(queue.name());
        }
    }

    /**
     * Returns a task that detects when one of these queues is paused or resumed through another engine.
     *
     * @param onRead gets the rows of each read, and completes those that are missing
     */
    public PauseReader reader(
            Collection<QueueRow> queues,
            QueueStore store,
            CommitTracker commitTracker,
            Consumer<List<StoredQueue>> onRead) {
        return new PauseReader(List.copyOf(queues), store, commitTracker, onRead);
    }

    /** Reads all queues with one statement, and only if something was committed since the last read. */
    public final class PauseReader implements PeriodicTask {

        private final List<QueueRow> queues;
        private final List<Integer> ids;
        private final QueueStore store;
        private final CommitTracker commitTracker;
        private final Consumer<List<StoredQueue>> onRead;
        private Moment lastRead = Moment.NEVER;

        private PauseReader(
                List<QueueRow> queues,
                QueueStore store,
                CommitTracker commitTracker,
                Consumer<List<StoredQueue>> onRead) {
            this.queues = queues;
            this.ids = queues.stream().map(QueueRow::id).toList();
            this.store = store;
            this.commitTracker = commitTracker;
            this.onRead = onRead;
        }

        @Override
        public String name() {
            return "pause-tracker";
        }

        @Override
        public Duration runOnce() {
            if (commitTracker.isUnchangedSince(lastRead)) {
                return BETWEEN_READS;
            }
            Moment now = commitTracker.moment();
            long before = actions();
            List<StoredQueue> found = store.readQueues(ids);
            applyReading(
                    queues,
                    found.stream()
                            .filter(StoredQueue::paused)
                            .map(StoredQueue::id)
                            .collect(Collectors.toSet()),
                    before);
            onRead.accept(found);
            lastRead = now;
            return BETWEEN_READS;
        }
    }
}
