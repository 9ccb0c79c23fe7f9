package io.acidq.engine;

import io.acidq.codec.Codec;
import io.acidq.store.Claim;
import io.acidq.store.Store;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One listener at work: the steps of its queue put together, and their start and stop. */
final class QueueRun {

    private static final Duration GRACE = Duration.ofSeconds(5);

    private final QueueParts parts;
    private final Store store;
    private final Buffer buffer;
    private final DutyLoop polling;
    private final Crew crew;
    private final @Nullable DutyLoop timekeeping;
    private final int workers;

    <T> QueueRun(
            QueueParts parts, Listener<T> listener, Store store, Codec codec, EngineConfig config, NodeParts node) {
        this.parts = parts;
        this.store = store;
        this.buffer = parts.buffer();
        this.workers = listener.workers();
        Completer completer = new Completer(store.claims(), buffer, node.reconcile(), node.telemetry());
        Judge judge = new Judge(listener, completer, node.nanoTime());
        BatchExecutor<T> executor = new BatchExecutor<>(listener, new Call<>(listener, store, codec), store, judge);
        this.polling = new DutyLoop(new Poller(parts, config, store.claims(), node), parts.hints(), node.telemetry());
        this.crew = new Crew(parts, executor, node, listener.options());
        Duration limit = listener.options().timeout();
        this.timekeeping = limit == null
                ? null
                : new DutyLoop(
                        new Timekeeper(listener, limit, crew, judge, node.nanoTime()), new Hints(), node.telemetry());
    }

    Buffer buffer() {
        return buffer;
    }

    QueueState state() {
        Stock stock = buffer.stock();
        return new QueueState(
                parts.queue().name(),
                workers,
                stock.running(),
                stock.waiting(),
                parts.guards().states());
    }

    void start() {
        crew.start(workers);
        polling.start();
        if (timekeeping != null) {
            timekeeping.start();
        }
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
        if (timekeeping != null) {
            timekeeping.stop(GRACE);
        }
        Set<Claim> deaf = buffer.known(); // to the interrupt: whatever they do now, their acknowledgement hits nothing
        if (!deaf.isEmpty()) {
            store.claims().giveBackIfClaimed(deaf, Duration.ZERO);
        }
        return clean;
    }
}
