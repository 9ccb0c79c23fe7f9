package io.acidq.engine.guard;

import io.acidq.engine.duty.Signals;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.telemetry.Telemetry;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Which queues are paused, as far as this engine knows. Tells each change, and wakes who is concerned by it. Thread-safe. */
public final class Pauses {

    private final Signals signals;
    private final Telemetry telemetry;
    private final Set<Integer> paused = ConcurrentHashMap.newKeySet();
    private long acts;

    /** Of which queues a read has told a change since an operator here began. */
    private final Set<Integer> learned = new HashSet<>();

    public Pauses(Signals signals, Telemetry telemetry) {
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

    /** The operator has done it. A read may have seen it before, and told. */
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

    /** How many operators have acted through this engine so far: to be asked before the database is. */
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
        signals.changed(queue.id());
        if (pause) {
            telemetry.paused(queue.name());
        } else {
            telemetry.resumed(queue.name());
        }
    }
}
