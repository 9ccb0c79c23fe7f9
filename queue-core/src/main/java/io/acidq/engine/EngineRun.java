package io.acidq.engine;

import io.acidq.codec.Codec;
import io.acidq.store.NodeStore.NodeRow;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An engine between start and stop: its queues and its duties. */
final class EngineRun {

    private static final Logger log = LoggerFactory.getLogger(EngineRun.class);
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final Store store;
    private final Heart heart;
    private final DutyLoop beating;
    private final List<DutyLoop> duties = new ArrayList<>();
    private final List<QueueRun> queues = new ArrayList<>();

    EngineRun(Engine.Builder parts, QueueCatalog catalog, Signals signals) {
        this.store = parts.store;
        EngineConfig config = parts.config;
        Telemetry telemetry = new SafeTelemetry(parts.telemetry);
        Map<Listener<?>, QueueRow> rows = new LinkedHashMap<>();
        parts.listeners.values().forEach(l -> rows.put(l, catalog.row(l.queue())));
        NodeRow self = self(rows);
        this.heart =
                new Heart(store.nodes(), () -> self, config.beat(), System::nanoTime, this::dropClaimsOf, telemetry);
        this.beating = new DutyLoop(heart, new Hints(), telemetry);
        Hints reconciling = new Hints();
        NodeParts node =
                new NodeParts(heart, new OpenClaims(), new Probation(), reconciling::look, System::nanoTime, telemetry);
        Codec codec = parts.codec();
        KnownPolicies.Guarding guarding = parts.known.guarding(node.nanoTime(), telemetry);
        rows.forEach((listener, row) -> {
            QueueParts queue = queueParts(listener, row, signals, guarding.of(listener), node);
            queues.add(new QueueRun(queue, listener, store, codec, config, node));
        });
        addDuties(config, node, signals, reconciling);
    }

    private static QueueParts queueParts(
            Listener<?> listener, QueueRow row, Signals signals, Guards guards, NodeParts node) {
        Buffer buffer = new Buffer(node.heart()::isFresh, node.probation(), guards);
        Pace pace = new Pace(listener.workers(), listener.mostRunning());
        return new QueueParts(row, buffer, pace, signals.of(row.id()), guards);
    }

    private void addDuties(EngineConfig config, NodeParts node, Signals signals, Hints reconciling) {
        Telemetry telemetry = node.telemetry();
        List<Buffer> buffers = queues.stream().map(QueueRun::buffer).toList();
        Hints moving = new Hints();
        signals.onScheduled(moving::look);
        DutyLoop rescue = new DutyLoop(new Rescuer(store.nodes(), config, signals, telemetry), new Hints(), telemetry);
        duties.add(rescue);
        duties.add(new DutyLoop(new Observer(store.nodes(), config, node, rescue::wake), new Hints(), telemetry));
        duties.add(
                new DutyLoop(new Reconciler(store.claims(), config, node, buffers, signals), reconciling, telemetry));
        duties.add(new DutyLoop(new Lookout(store.commits(), store.claims(), config, signals), new Hints(), telemetry));
        duties.add(new DutyLoop(new Mover(store.schedule(), config, signals), moving, telemetry));
    }

    void start() {
        heart.runOnce(); // a database that can not be reached is told to the caller of start
        beating.start();
        duties.forEach(DutyLoop::start);
        queues.forEach(QueueRun::start);
    }

    int node() {
        return heart.node();
    }

    List<QueueState> states() {
        return queues.stream().map(QueueRun::state).toList();
    }

    boolean stop(Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        boolean clean = true;
        try {
            for (QueueRun queue : queues) {
                guarded("giving back what had not started", queue::stopClaiming);
            }
            for (QueueRun queue : queues) {
                clean &= stopHandlers(queue, Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
            }
            for (DutyLoop duty : duties) {
                duty.stop(GRACE);
            }
            beating.stop(GRACE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            clean = false;
        }
        guarded("signing off", heart::retire);
        return clean;
    }

    private static boolean stopHandlers(QueueRun queue, Duration patience) throws InterruptedException {
        try {
            return queue.stopHandlers(patience);
        } catch (RuntimeException e) {
            log.warn("giving back what could not be interrupted failed while stopping; other nodes will free it", e);
            return false;
        }
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

    /** What fails here does not hold up the stop: other nodes free whatever is left. */
    private static void guarded(String what, Step step) throws RuntimeException {
        try {
            step.run();
        } catch (RuntimeException e) {
            log.warn("{} failed while stopping; other nodes will free the claims", what, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A step of the stop. */
    private interface Step {
        void run() throws InterruptedException;
    }
}
