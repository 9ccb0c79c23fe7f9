package io.acidq.engine;

import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.engine.guard.PauseTracker;
import io.acidq.engine.guard.PolicyRegistry;
import io.acidq.engine.guard.StartGuards;
import io.acidq.engine.listener.EngineParts;
import io.acidq.engine.listener.ListenerContainer;
import io.acidq.engine.listener.ListenerState;
import io.acidq.engine.listener.Listening;
import io.acidq.engine.listener.MessageBuffer;
import io.acidq.engine.listener.PrefetchPolicy;
import io.acidq.engine.listener.QueueParts;
import io.acidq.engine.listener.Steps;
import io.acidq.engine.listener.Stopping;
import io.acidq.engine.loop.DatabaseMonitor;
import io.acidq.engine.loop.TaskLoop;
import io.acidq.engine.loop.WakeUps;
import io.acidq.engine.loop.WorkFinder;
import io.acidq.engine.maintenance.DueMessageMover;
import io.acidq.engine.maintenance.Reconciler;
import io.acidq.engine.maintenance.Rescuer;
import io.acidq.engine.node.Heartbeat;
import io.acidq.engine.node.NodeContext;
import io.acidq.engine.node.NodeMonitor;
import io.acidq.engine.node.OpenClaims;
import io.acidq.engine.node.SuspectSlot;
import io.acidq.engine.node.ThisProcess;
import io.acidq.store.NodeStore.NodeRow;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.store.Store;
import io.acidq.telemetry.QueueState;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An engine between start and stop: its queues and its tasks. */
public final class EngineRuntime {

    private static final Duration GRACE = Duration.ofSeconds(5);

    private final Store store;
    private final Heartbeat heart;
    private final TaskLoop beating;
    private final PauseTracker.Reading pauseReading;
    private final Rescuer rescuer;
    private final DueMessageMover mover;
    private final List<TaskLoop> tasks = new ArrayList<>();
    private final Map<QueueRow, Listening> listenings = new LinkedHashMap<>();
    private final WakeUps signals;

    /** Of the queues that run; those of a queue that is being stopped too. */
    private final List<MessageBuffer> buffers = new CopyOnWriteArrayList<>();

    public EngineRuntime(EngineParts parts, EngineMemory memory) {
        this.store = parts.store();
        this.signals = memory.signals();
        EngineConfig config = parts.config();
        Telemetry telemetry = parts.telemetry();
        DatabaseMonitor watch = memory.watch();
        Map<Listener<?>, QueueRow> rows = new LinkedHashMap<>();
        parts.listeners().forEach(l -> rows.put(l, memory.queues().row(l.queue())));
        memory.queues().chooseClaimStrategies(store, rows.values(), telemetry);
        store.queues()
                .openDirectLanes(rows.values().stream()
                        .filter(row -> config.queue(row.name()).directHandoff())
                        .toList());
        this.heart = new Heartbeat(
                store.nodes(),
                () -> self(rows, memory),
                config.heartbeatInterval(),
                this::dropClaimsOf,
                watch,
                telemetry);
        this.beating = new TaskLoop(heart, watch);
        watch.heartbeat(beating::wake);
        watch.onOutage(this::dropUnstarted);
        WakeUps.Signal reconciling = new WakeUps.Signal();
        NodeContext node = new NodeContext(
                heart, new OpenClaims(), new SuspectSlot(), reconciling::wake, watch.nanoTime(), telemetry);
        PolicyRegistry.Guarding guarding = parts.known().guarding(node.nanoTime(), telemetry);
        rows.forEach((listener, row) -> {
            ListenerState listenerState = standing(memory, row);
            StartGuards guards = guarding.of(listener);
            BooleanSupplier paused =
                    () -> listenerState.isPaused() || memory.pauses().isPaused(row.id());
            listenings.put(
                    row,
                    new Listening(
                            listenerState,
                            () -> new ListenerContainer(
                                    queueParts(listener, row, memory, guards, paused, node), listener, parts, node),
                            buffers));
        });
        this.pauseReading = memory.pauses().reading(rows.values(), store.queues(), heart.commitTracker());
        tasks.add(new TaskLoop(pauseReading, watch));
        this.rescuer = new Rescuer(store.nodes(), config, signals, telemetry);
        this.mover = new DueMessageMover(store.maintenance(), config, signals, heart.commitTracker());
        addDuties(config, node, reconciling);
    }

    private static QueueParts queueParts(
            Listener<?> listener,
            QueueRow row,
            EngineMemory memory,
            StartGuards guards,
            BooleanSupplier paused,
            NodeContext node) {
        BooleanSupplier mayStart = () -> node.heartbeat().isFresh() && !paused.getAsBoolean();
        MessageBuffer buffer = new MessageBuffer(mayStart, node.suspectSlot(), guards);
        PrefetchPolicy pace = new PrefetchPolicy(
                listener.concurrency().min(), listener.options().transactionSize());
        WakeUps.PollerSignal hints = memory.signals().of(row.id());
        return new QueueParts(
                row, buffer, pace, hints, guards, paused, memory.queues().claimStrategy(row.name()), memory.free());
    }

    private void addDuties(EngineConfig config, NodeContext node, WakeUps.Signal reconciling) {
        DatabaseMonitor watch = node.database();
        WakeUps.Signal moving = new WakeUps.Signal();
        signals.onScheduled(() -> {
            mover.scheduled();
            moving.wake();
        });
        TaskLoop rescue = new TaskLoop(rescuer, watch);
        tasks.add(rescue);
        tasks.add(new TaskLoop(new NodeMonitor(store.nodes(), config, node, rescue::wake), watch));
        tasks.add(new TaskLoop(new Reconciler(store.claims(), config, node, buffers, signals), reconciling, watch));
        WorkFinder lookout = new WorkFinder(store.server(), store.claims(), config, signals, heart.commitTracker());
        tasks.add(looking(lookout, signals, watch));
        tasks.add(new TaskLoop(heart.stallCheck(), watch));
        tasks.add(new TaskLoop(mover, moving, watch));
    }

    private static TaskLoop looking(WorkFinder lookout, WakeUps signals, DatabaseMonitor watch) {
        TaskLoop looking = new TaskLoop(lookout, watch);
        signals.onIdle(() -> {
            if (lookout.isResting()) {
                looking.wake();
            }
        });
        return looking;
    }

    private static ListenerState standing(EngineMemory memory, QueueRow row) {
        return Objects.requireNonNull(memory.standings().get(row.name()));
    }

    public void start() {
        pauseReading.runOnce(); // nothing of a paused queue is claimed, not even for a moment
        heart.beat(); // a database that can not be reached is told to the caller of start
        beating.start();
        tasks.forEach(TaskLoop::start);
        listenings.values().forEach(Listening::startIfWanted);
    }

    /** Without threads: registers, and frees what the dead have left. */
    public void startByHand() {
        pauseReading.runOnce();
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
        for (Listening listening : listenings.values()) {
            ListenerContainer queue = listening.runByHand();
            if (which.test(queue.name()) && queue.stepByHand()) {
                return true;
            }
        }
        return false;
    }

    /** Without threads: gives back what has not started, and signs off. */
    public void stopByHand() {
        queues().forEach(ListenerContainer::stopByHand);
        heart.retire();
    }

    /** An outage is over: whoever waits for the database may go on. */
    public void resume() {
        tasks.forEach(TaskLoop::wake);
        queues().forEach(ListenerContainer::resume);
    }

    public int node() {
        return heart.node();
    }

    /** What runs of a queue; null when nothing does. */
    @Nullable
    public ListenerContainer queue(int id) {
        return queues().filter(q -> q.queue() == id).findFirst().orElse(null);
    }

    public List<QueueState> states() {
        return queues().map(ListenerContainer::state).toList();
    }

    /** Whether all listeners of these queues run. */
    public boolean isRunning(Collection<String> names) {
        return of(names).stream().allMatch(listening -> listening.run() != null);
    }

    /** What was asked for of these listeners has changed: what is wanted starts, pauses are seen. */
    public void changed(Collection<String> names) {
        beating.wake(); // the node's row is to tell of them
        of(names).forEach(Listening::startIfWanted);
        listenings.keySet().stream()
                .filter(row -> names.contains(row.name()))
                .forEach(row -> signals.wakeAllLanes(row.id()));
    }

    /** Stops the listeners of these queues, which run no more until they are wanted: whether every handler finished by itself. */
    public boolean stop(Collection<String> names, Duration patience) {
        Map<ListenerContainer, Listening> stopping = new LinkedHashMap<>();
        for (Listening listening : of(names)) {
            ListenerContainer run = listening.run();
            if (run != null) {
                stopping.put(run, listening);
            }
        }
        try {
            return Stopping.stop(stopping.keySet(), patience);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            stopping.forEach((run, listening) -> listening.ended(run));
            beating.wake();
        }
    }

    private List<Listening> of(Collection<String> names) {
        return listenings.entrySet().stream()
                .filter(e -> names.contains(e.getKey().name()))
                .map(Map.Entry::getValue)
                .toList();
    }

    private Stream<ListenerContainer> queues() {
        return listenings.values().stream().map(Listening::run).filter(Objects::nonNull);
    }

    public boolean stop(Duration patience) {
        boolean clean = true;
        try {
            listenings.values().forEach(Listening::over);
            clean = Stopping.stop(queues().toList(), patience);
            Steps steps = new Steps();
            tasks.forEach(TaskLoop::end);
            beating.end();
            steps.begin("ending the tasks", this::stopDuties);
            steps.await(GRACE); // a task may wait in the server; what it does later harms nobody
            steps.begin("signing off", heart::retire);
            clean &= steps.await(GRACE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            clean = false;
        }
        return clean;
    }

    private void stopDuties() throws InterruptedException {
        beating.stop(GRACE);
        if (heart.isFresh()) {
            heart.runOnce(); // a commit: the lookout may be waiting for one
        }
        for (TaskLoop task : tasks) {
            task.stop(GRACE);
        }
    }

    /** Behind the outage may be another server, which has lost commits: what it says is claimed is what the reconciler gives back. */
    private void dropUnstarted() {
        buffers.forEach(MessageBuffer::removeUnstarted);
    }

    private void dropClaimsOf(int buried) {
        buffers.forEach(b -> b.removeOwnedBy(buried));
    }

    /** What others are to know. A listener that was stopped is told of until it has come to its end. */
    private NodeRow self(Map<Listener<?>, QueueRow> rows, EngineMemory memory) {
        Map<Integer, Integer> workers = new LinkedHashMap<>();
        rows.forEach((listener, row) -> {
            Listening listening = listenings.get(row);
            if (standing(memory, row).isWanted() || (listening != null && listening.run() != null)) {
                workers.put(row.id(), listener.maxRunning());
            }
        });
        String version = EngineRuntime.class.getPackage().getImplementationVersion();
        return new NodeRow(workers, ThisProcess.name(), version == null ? "development" : version);
    }
}
