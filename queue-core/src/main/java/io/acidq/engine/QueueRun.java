package io.acidq.engine;

import io.acidq.codec.Codec;
import io.acidq.store.Claim;
import io.acidq.store.Store;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;

/** One listener at work: the steps of its queue put together, and their start and stop. */
final class QueueRun {

    private static final Duration GRACE = Duration.ofSeconds(5);

    private final Store store;
    private final Buffer buffer;
    private final DutyLoop polling;
    private final Crew crew;

    <T> QueueRun(
            QueueParts parts, Listener<T> listener, Store store, Codec codec, EngineConfig config, NodeParts node) {
        this.store = store;
        this.buffer = parts.buffer();
        Completer completer = new Completer(store.claims(), buffer, node.reconcile(), node.telemetry());
        Executor<T> executor = new Executor<>(listener, store.transactions(), store.claims(), codec, completer);
        this.polling = new DutyLoop(new Poller(parts, config, store.claims(), node), parts.hints(), node.telemetry());
        this.crew = new Crew(parts, executor, node, listener.workers());
    }

    Buffer buffer() {
        return buffer;
    }

    void start() {
        crew.start();
        polling.start();
    }

    /** No new claims; what was claimed and has not started is given back. */
    void stopClaiming() throws InterruptedException {
        polling.stop(GRACE);
        Collection<Claim> unstarted = buffer.close();
        if (!unstarted.isEmpty()) {
            store.claims().giveBackIfClaimed(unstarted, Duration.ZERO);
        }
    }

    /** Whether every handler finished by itself. */
    boolean stopHandlers(Duration patience) throws InterruptedException {
        boolean clean = crew.stop(patience, GRACE);
        Set<Claim> deaf = buffer.known(); // to the interrupt: whatever they do now, their acknowledgement hits nothing
        if (!deaf.isEmpty()) {
            store.claims().giveBackIfClaimed(deaf, Duration.ZERO);
        }
        return clean;
    }
}
