package io.acidq.engine.listener;

import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.engine.loop.TaskLoop;
import io.acidq.engine.node.NodeContext;
import io.acidq.resilience.GuardState;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.Store;
import io.acidq.telemetry.QueueState;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One listener at work: the steps of its queue put together, and their start and stop. */
public final class ListenerContainer {

    private static final Duration GRACE = Duration.ofSeconds(5);

    /** How long a stop waits for workers that give back the connection that they kept: the application may close its pool next. */
    private static final Duration GIVING_BACK = Duration.ofSeconds(2);

    /** For transactions that have enqueued and are about to end. */
    private static final Duration MOMENT = Duration.ofSeconds(1);

    private final QueueParts parts;
    private final Store store;
    private final MessageBuffer buffer;
    private final Poller poller;
    private final TaskLoop polling;
    private final Worker worker;
    private final WorkerPool pool;
    private final @Nullable TaskLoop timekeeping;
    private final int workers;
    private final @Nullable TaskLoop scaling;
    private final @Nullable DirectHandoff direct;

    public <T> ListenerContainer(QueueParts parts, Listener<T> listener, EngineParts engine, NodeContext node) {
        this.parts = parts;
        this.store = engine.store();
        EngineConfig config = engine.config();
        this.buffer = parts.buffer();
        this.workers = listener.concurrency().min();
        OutcomeRecorder recorder = new OutcomeRecorder(
                listener,
                config.queue(listener.queue()).retention().archive(),
                store.claims(),
                buffer,
                node.reconcile(),
                node.telemetry(),
                node.nanoTime());
        HandlerInvoker<T> invoker = new HandlerInvoker<>(
                listener, store.claims(), store.transactions(), engine.codec(), engine.interceptors());
        BatchExecutor<T> executor = new BatchExecutor<>(listener, invoker, store.transactions(), recorder);
        this.poller = new Poller(parts, config, store.claims(), node, recorder);
        this.polling = new TaskLoop(poller, parts.hints(), node.database());
        this.worker =
                new Worker(parts, executor, recorder, node, listener.options().transactionSize());
        this.pool = new WorkerPool(
                parts.queue().name(),
                listener.concurrency(),
                worker::run,
                engine.threads(),
                buffer,
                parts.pace(),
                parts.hints(),
                node.nanoTime(),
                node.telemetry());
        this.scaling = listener.concurrency().isElastic() ? new TaskLoop(pool, node.database()) : null;
        this.direct =
                config.queue(listener.queue()).directHandoff() ? new DirectHandoff(parts, node, pool::wanted) : null;
        Duration limit = listener.options().timeout();
        this.timekeeping = limit == null
                ? null
                : new TaskLoop(
                        new HandlerTimeoutEnforcer(listener, limit, worker, pool, executor, recorder, node.nanoTime()),
                        node.database());
    }

    MessageBuffer buffer() {
        return buffer;
    }

    public int queue() {
        return parts.queue().id();
    }

    /** Whether it is claimed by this engine and neither over nor given back. */
    public boolean knows(Claim claim) {
        return buffer.known().contains(claim);
    }

    /** For how long the message has been running; null when it does not run here. */
    @Nullable
    public Duration runningFor(Claim claim) {
        return worker.runningFor(claim);
    }

    /** How this engine claims it. */
    public ClaimStrategy strategy() {
        return parts.strategy();
    }

    /** The guard that lets nothing start now. */
    public Optional<GuardState> heldBackBy() {
        return parts.guards().states().stream()
                .filter(g -> g.status() == GuardState.Status.STOPS)
                .findFirst();
    }

    public QueueState state() {
        MessageBuffer.Counts counts = buffer.counts();
        return new QueueState(
                parts.queue().name(),
                pool.wanted(),
                counts.running(),
                counts.waiting(),
                parts.isPaused(),
                buffer.suspect(parts.queue().name()),
                parts.guards().states(),
                parts.strategy());
    }

    void start() {
        pool.want(workers);
        polling.start();
        if (scaling != null) {
            scaling.start();
        }
        if (timekeeping != null) {
            timekeeping.start();
        }
        if (direct != null) {
            parts.free().open(queue(), direct);
        }
    }

    public String name() {
        return parts.queue().name();
    }

    /** Without threads: claims from every lane that holds rows, and runs what one worker would take up; false when nothing ran. */
    public boolean stepByHand() throws Exception {
        parts.hints().wakeAllLanes();
        store.claims()
                .lanesWithWork(List.of(queue()))
                .forEach(lane -> parts.hints().wake(List.of(lane.lane())));
        poller.runOnce();
        return worker.stepByHand();
    }

    /** Without threads: what has been claimed and has not started is given back. */
    public void stopByHand() {
        Collection<Claim> unstarted = buffer.close();
        if (!unstarted.isEmpty()) {
            store.claims().requeueIfClaimed(unstarted, Duration.ZERO);
        }
    }

    public void resume() {
        parts.hints().wakeAllLanes();
        buffer.wake();
    }

    /** No new claims; what was claimed and has not started is given back. */
    void stopClaiming() throws InterruptedException {
        if (direct != null) {
            parts.free().close(queue(), direct);
        }
        polling.stop(GRACE);
        if (scaling != null) {
            scaling.stop(GRACE);
        }
        if (direct != null) {
            direct.close(MOMENT);
        }
        stopByHand();
    }

    /** Lets running handlers finish, and interrupts those that have not by then: whether every handler finished by itself. */
    boolean stopHandlers(Duration patience) throws InterruptedException {
        pool.close();
        boolean clean = buffer.awaitIdle(patience);
        boolean ended = clean;
        if (!clean) {
            worker.interruptHandlers();
            ended = buffer.awaitIdle(GRACE);
        }
        if (ended) {
            pool.awaitGone(GIVING_BACK);
        }
        if (timekeeping != null) {
            timekeeping.stop(GRACE);
        }
        return clean;
    }

    /** What is deaf to the interrupt: whatever it does now, its acknowledgement hits nothing. */
    void giveBackTheDeaf() {
        Set<Claim> deaf = buffer.known();
        if (!deaf.isEmpty()) {
            store.claims().requeueIfClaimed(deaf, Duration.ZERO);
        }
    }
}
