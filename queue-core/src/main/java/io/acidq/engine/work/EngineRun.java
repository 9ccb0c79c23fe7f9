package io.acidq.engine.work;

import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.engine.duty.DatabaseWatch;
import io.acidq.engine.duty.DutyLoop;
import io.acidq.engine.duty.Hints;
import io.acidq.engine.duty.Signals;
import io.acidq.engine.guard.Holds;
import io.acidq.engine.guard.KnownPolicies;
import io.acidq.engine.guard.PauseWatch;
import io.acidq.engine.node.Heart;
import io.acidq.engine.node.Lookout;
import io.acidq.engine.node.Mover;
import io.acidq.engine.node.NodeParts;
import io.acidq.engine.node.Observer;
import io.acidq.engine.node.OpenClaims;
import io.acidq.engine.node.Probation;
import io.acidq.engine.node.Pulse;
import io.acidq.engine.node.Rescuer;
import io.acidq.engine.node.ThisProcess;
import io.acidq.store.NodeStore.NodeRow;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.store.Store;
import io.acidq.telemetry.QueueState;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** An engine between start and stop: its queues and its duties. */
public final class EngineRun {

    private static final Duration GRACE = Duration.ofSeconds(5);

    private final Store store;
    private final Heart heart;
    private final DutyLoop beating;
    private final PauseWatch pauseWatch;
    private final Rescuer rescuer;
    private final Mover mover;
    private final List<DutyLoop> duties = new ArrayList<>();
    private final List<QueueRun> queues = new ArrayList<>();

    public EngineRun(EngineParts parts, EngineMemory memory) {
        this.store = parts.store();
        EngineConfig config = parts.config();
        Telemetry telemetry = parts.telemetry();
        DatabaseWatch watch = memory.watch();
        Map<Listener<?>, QueueRow> rows = new LinkedHashMap<>();
        parts.listeners().forEach(l -> rows.put(l, memory.catalog().row(l.queue())));
        memory.strategies().choose(store.claims(), rows.values(), telemetry);
        NodeRow self = self(rows);
        this.heart = new Heart(store.nodes(), () -> self, config.beat(), this::dropClaimsOf, watch, telemetry);
        this.beating = new DutyLoop(heart, new Hints(), watch);
        watch.heart(beating::wake);
        watch.onOutage(this::dropUnstarted);
        Hints reconciling = new Hints();
        NodeParts node =
                new NodeParts(heart, new OpenClaims(), new Probation(), reconciling::look, watch.nanoTime(), telemetry);
        KnownPolicies.Guarding guarding = parts.known().guarding(node.nanoTime(), telemetry);
        rows.forEach((listener, row) -> {
            Holds holds = new Holds(guarding.of(listener), () -> memory.pauses().isPaused(row.id()));
            QueueParts queue = queueParts(listener, row, memory, holds, node);
            queues.add(new QueueRun(queue, listener, store, parts.codec(), config, node));
        });
        this.pauseWatch = new PauseWatch(store.queues(), memory.pauses(), rows.values());
        duties.add(new DutyLoop(pauseWatch, new Hints(), watch));
        this.rescuer = new Rescuer(store.nodes(), config, memory.signals(), telemetry);
        this.mover = new Mover(store.schedule(), config, memory.signals());
        addDuties(config, node, memory.signals(), reconciling);
    }

    private static QueueParts queueParts(
            Listener<?> listener, QueueRow row, EngineMemory memory, Holds holds, NodeParts node) {
        BooleanSupplier mayStart = () -> node.heart().isFresh() && !holds.isPaused();
        Buffer buffer = new Buffer(mayStart, node.probation(), holds.guards());
        Pace pace = new Pace(listener.workers().min(), listener.options().transactionSize());
        Hints hints = memory.signals().of(row.id());
        return new QueueParts(
                row, buffer, pace, hints, holds, memory.strategies().of(row.name()));
    }

    private void addDuties(EngineConfig config, NodeParts node, Signals signals, Hints reconciling) {
        DatabaseWatch watch = node.watch();
        List<Buffer> buffers = queues.stream().map(QueueRun::buffer).toList();
        Hints moving = new Hints();
        signals.onScheduled(moving::look);
        DutyLoop rescue = new DutyLoop(rescuer, new Hints(), watch);
        duties.add(rescue);
        duties.add(new DutyLoop(new Observer(store.nodes(), config, node, rescue::wake), new Hints(), watch));
        duties.add(new DutyLoop(new Reconciler(store.claims(), config, node, buffers, signals), reconciling, watch));
        duties.add(looking(new Lookout(store.commits(), store.claims(), config, signals), signals, watch));
        duties.add(new DutyLoop(new Pulse(watch, config.beat()), new Hints(), watch));
        duties.add(new DutyLoop(mover, moving, watch));
    }

    private static DutyLoop looking(Lookout lookout, Signals signals, DatabaseWatch watch) {
        DutyLoop looking = new DutyLoop(lookout, new Hints(), watch);
        signals.onHunger(() -> {
            if (lookout.isResting()) {
                looking.wake();
            }
        });
        return looking;
    }

    public void start() {
        pauseWatch.runOnce(); // nothing of a paused queue is claimed, not even for a moment
        heart.beat(); // a database that can not be reached is told to the caller of start
        beating.start();
        duties.forEach(DutyLoop::start);
        queues.forEach(QueueRun::start);
    }

    /** Without threads: registers, and frees what the dead have left. */
    public void startByHand() {
        pauseWatch.runOnce();
        heart.beat();
        rescuer.runOnce();
    }

    /**
     * Without threads, on the calling one: moves what is due, claims, and runs what one worker would take up.
     *
     * @param which the queues, by name
     * @return false when nothing of them may start now
     */
    public boolean stepByHand(Predicate<String> which) throws Exception {
        if (!heart.isFresh()) {
            heart.beat();
        }
        mover.runOnce();
        for (QueueRun queue : queues) {
            if (which.test(queue.name()) && queue.stepByHand()) {
                return true;
            }
        }
        return false;
    }

    /** Without threads: gives back what has not started, and signs off. */
    public void stopByHand() {
        queues.forEach(QueueRun::stopByHand);
        heart.retire();
    }

    /** An outage is over: whoever waits for the database may go on. */
    public void resume() {
        duties.forEach(DutyLoop::wake);
        queues.forEach(QueueRun::resume);
    }

    public int node() {
        return heart.node();
    }

    /** What runs of a queue; null when nothing does. */
    @Nullable
    public QueueRun queue(int id) {
        return queues.stream().filter(q -> q.queue() == id).findFirst().orElse(null);
    }

    public List<QueueState> states() {
        return queues.stream().map(QueueRun::state).toList();
    }

    public boolean stop(Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        boolean clean = true;
        try {
            Steps steps = new Steps();
            queues.forEach(queue -> steps.begin("giving back what had not started", queue::stopClaiming));
            clean = steps.await(GRACE.multipliedBy(2));
            for (QueueRun queue : queues) {
                clean &= queue.stopHandlers(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
            }
            queues.forEach(queue -> steps.begin("giving back what could not be interrupted", queue::giveBackTheDeaf));
            duties.forEach(DutyLoop::end);
            beating.end();
            clean &= steps.await(GRACE);
            steps.begin("ending the duties", this::stopDuties);
            steps.await(GRACE); // a duty may wait in the server; what it does later harms nobody
            steps.begin("signing off", heart::retire);
            clean &= steps.await(GRACE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            clean = false;
        }
        return clean;
    }

    private void stopDuties() throws InterruptedException {
        for (DutyLoop duty : duties) {
            duty.stop(GRACE);
        }
        beating.stop(GRACE);
    }

    /** Behind the outage may be another server, which has lost commits: what it says is claimed is what the reconciler gives back. */
    private void dropUnstarted() {
        queues.forEach(q -> q.buffer().removeUnstarted());
    }

    private void dropClaimsOf(int buried) {
        queues.forEach(q -> q.buffer().removeOwnedBy(buried));
    }

    private static NodeRow self(Map<Listener<?>, QueueRow> rows) {
        Map<Integer, Integer> workers = new LinkedHashMap<>();
        rows.forEach((listener, row) -> workers.put(row.id(), listener.mostRunning()));
        String version = EngineRun.class.getPackage().getImplementationVersion();
        return new NodeRow(workers, ThisProcess.name(), version == null ? "development" : version);
    }
}
