package io.acidq.engine.guard;

import io.acidq.engine.loop.CommitTracker;
import io.acidq.engine.loop.CommitTracker.Moment;
import io.acidq.engine.loop.PeriodicTask;
import io.acidq.engine.loop.WakeUps;
import io.acidq.store.QueueStore;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The queues that are paused, as far as this engine knows. Reports each change, and wakes what it concerns. Thread-safe. */
public final class PauseTracker {

    private static final Duration BETWEEN_READS = Duration.ofSeconds(1);

    private final WakeUps wakeUps;
    private final Telemetry telemetry;
    private final Set<Integer> paused = ConcurrentHashMap.newKeySet();
    private long actions;

    /** Of which queues a read has told a change since an operator here began. */
    private final Set<Integer> learnedByReading = new HashSet<>();

    public PauseTracker(WakeUps signals, Telemetry telemetry) {
        this.wakeUps = signals;
        this.telemetry = telemetry;
    }

    public boolean isPaused(int queue) {
        return paused.contains(queue);
    }

    /** An operator begins to act through this engine; one at a time. */
    public synchronized void actionBegins() {
        learnedByReading.clear();
    }

    /** The operator has done it. A read may have seen it before, and reported it. */
    public void actionDone(QueueRow queue, boolean pause) {
        boolean news;
        synchronized (this) {
            actions++;
            news = remember(queue.id(), pause) || !learnedByReading.contains(queue.id());
        }
        if (news) {
            notifyChange(queue, pause);
        }
    }

    /** How many operators have acted through this engine so far: asked before the database is. */
    synchronized long actions() {
        return actions;
    }

    /**
     * What the database says of these queues.
     *
     * @param actsBefore what {@link #actions} said before the read: when an operator has acted since, the answer is stale
     */
    void applyReading(Collection<QueueRow> queues, Set<Integer> pausedNow, long actsBefore) {
        for (QueueRow queue : queues) {
            boolean pause = pausedNow.contains(queue.id());
            boolean news;
            synchronized (this) {
                news = actions == actsBefore && remember(queue.id(), pause);
                if (news) {
                    learnedByReading.add(queue.id());
                }
            }
            if (news) {
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

    /** The task of a node that learns which of these queues operators elsewhere have paused and resumed. */
    public PauseReader reader(Collection<QueueRow> queues, QueueStore store, CommitTracker commitTracker) {
        return new PauseReader(List.copyOf(queues), store, commitTracker);
    }

    /** One read for all queues, and none while nobody commits anything. */
    public final class PauseReader implements PeriodicTask {

        private final List<QueueRow> queues;
        private final List<Integer> ids;
        private final QueueStore store;
        private final CommitTracker commitTracker;
        private Moment lastRead = Moment.NEVER;

        private PauseReader(List<QueueRow> queues, QueueStore store, CommitTracker commitTracker) {
            this.queues = queues;
            this.ids = queues.stream().map(QueueRow::id).toList();
            this.store = store;
            this.commitTracker = commitTracker;
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
            applyReading(queues, store.paused(ids), before);
            lastRead = now;
            return BETWEEN_READS;
        }
    }
}
