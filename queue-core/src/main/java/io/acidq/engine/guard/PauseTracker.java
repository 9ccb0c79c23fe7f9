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

    private final WakeUps signals;
    private final Telemetry telemetry;
    private final Set<Integer> paused = ConcurrentHashMap.newKeySet();
    private long acts;

    /** Of which queues a read has told a change since an operator here began. */
    private final Set<Integer> learned = new HashSet<>();

    public PauseTracker(WakeUps signals, Telemetry telemetry) {
        this.signals = signals;
        this.telemetry = telemetry;
    }

    public boolean isPaused(int queue) {
        return paused.contains(queue);
    }

    /** An operator begins to act through this engine; one at a time. */
    public synchronized void acting() {
        learned.clear();
    }

    /** The operator has done it. A read may have seen it before, and reported it. */
    public void acted(QueueRow queue, boolean pause) {
        boolean news;
        synchronized (this) {
            acts++;
            news = know(queue.id(), pause) || !learned.contains(queue.id());
        }
        if (news) {
            tell(queue, pause);
        }
    }

    /** How many operators have acted through this engine so far: asked before the database is. */
    synchronized long acts() {
        return acts;
    }

    /**
     * What the database says of these queues.
     *
     * @param actsBefore what {@link #acts} said before the read: when an operator has acted since, the answer is stale
     */
    void read(Collection<QueueRow> queues, Set<Integer> pausedNow, long actsBefore) {
        for (QueueRow queue : queues) {
            boolean pause = pausedNow.contains(queue.id());
            boolean news;
            synchronized (this) {
                news = acts == actsBefore && know(queue.id(), pause);
                if (news) {
                    learned.add(queue.id());
                }
            }
            if (news) {
                tell(queue, pause);
            }
        }
    }

    private boolean know(int queue, boolean pause) {
        return pause ? paused.add(queue) : paused.remove(queue);
    }

    private void tell(QueueRow queue, boolean pause) {
        signals.wakeAllLanes(queue.id());
        if (pause) {
            telemetry.paused(queue.name());
        } else {
            telemetry.resumed(queue.name());
        }
    }

    /** The task of a node that learns which of these queues operators elsewhere have paused and resumed. */
    public Reading reading(Collection<QueueRow> queues, QueueStore store, CommitTracker commitTracker) {
        return new Reading(List.copyOf(queues), store, commitTracker);
    }

    /** One read for all queues, and none while nobody commits anything. */
    public final class Reading implements PeriodicTask {

        private final List<QueueRow> queues;
        private final List<Integer> ids;
        private final QueueStore store;
        private final CommitTracker commitTracker;
        private Moment looked = Moment.NEVER;

        private Reading(List<QueueRow> queues, QueueStore store, CommitTracker commitTracker) {
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
            if (commitTracker.isUnchangedSince(looked)) {
                return BETWEEN_READS;
            }
            Moment now = commitTracker.moment();
            long before = acts();
            read(queues, store.paused(ids), before);
            looked = now;
            return BETWEEN_READS;
        }
    }
}
