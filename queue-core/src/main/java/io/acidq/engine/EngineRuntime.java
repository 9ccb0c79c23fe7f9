package io.acidq.engine;

import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.engine.enqueue.LocalWorkers;
import io.acidq.engine.enqueue.QueueRegistry;
import io.acidq.engine.guard.PauseTracker;
import io.acidq.engine.guard.PolicyRegistry;
import io.acidq.engine.listener.HandlerInvoker;
import io.acidq.engine.listener.ListenerContainer;
import io.acidq.engine.listener.ListenerState;
import io.acidq.engine.listener.MessageBuffer;
import io.acidq.engine.loop.DatabaseMonitor;
import io.acidq.engine.loop.StopSteps;
import io.acidq.engine.loop.TaskLoop;
import io.acidq.engine.loop.WakeUps;
import io.acidq.engine.loop.WorkFinder;
import io.acidq.engine.maintenance.DueMessageMover;
import io.acidq.engine.maintenance.NodeReporter;
import io.acidq.engine.maintenance.Reconciler;
import io.acidq.engine.maintenance.Rescuer;
import io.acidq.engine.node.Heartbeat;
import io.acidq.engine.node.NodeContext;
import io.acidq.engine.node.NodeContext.CancelRequests;
import io.acidq.engine.node.NodeContext.OpenClaims;
import io.acidq.engine.node.NodeContext.SuspectSlot;
import io.acidq.engine.node.NodeMonitor;
import io.acidq.store.NodeReport;
import io.acidq.store.NodeStore.NodeRow;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.store.QueueStore.StoredQueue;
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
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A running engine, from one start to the next stop: a node with its listener containers and its periodic tasks. */
final class EngineRuntime {

    /** How long a step of a stop may take. */
    private static final Duration STOP_STEP_TIMEOUT = Duration.ofSeconds(5);

    private final Store store;
    private final WakeUps wakeUps;
    private final Heartbeat heartbeat;
    private final TaskLoop heartbeatLoop;
    private final PauseTracker.PauseReader pauseReader;
    private final TaskLoop pauseReaderLoop;
    private final Rescuer rescuer;
    private final DueMessageMover dueMessageMover;
    private final NodeReporter nodeReporter;
    private final List<TaskLoop> taskLoops = new ArrayList<>();
    private final List<ListenerContainer> containers = new ArrayList<>();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private @Nullable Thread keepAlive;

    /**
     * Creates what a node runs.
     *
     * @param onMissingRows called after missing rows of queues were written again: adds the subscriptions and recurring messages that the application
     *                      declares
     */
    EngineRuntime(
            EngineDefinition definition,
            QueueRegistry queues,
            WakeUps wakeUps,
            PauseTracker pauseTracker,
            DatabaseMonitor databaseMonitor,
            Map<String, ListenerState> listenerStates,
            LocalWorkers localWorkers,
            Runnable onMissingRows) {
        this.store = definition.store();
        this.wakeUps = wakeUps;
        EngineConfig config = definition.config();
        Telemetry telemetry = definition.telemetry();
        List<QueueRow> rows = definition.listeners().stream()
                .map(listener -> queues.getOrCreate(listener.queue()))
                .toList();
        queues.chooseClaimStrategies(store, rows, telemetry);
        queues.createMissing(
                rows, store.queues().readQueues(rows.stream().map(QueueRow::id).toList()), telemetry);
        this.heartbeat = new Heartbeat(
                store.nodes(), this::nodeRow, config.heartbeatInterval(), this::nodeEnded, databaseMonitor, telemetry);
        this.heartbeatLoop = new TaskLoop(heartbeat, databaseMonitor);
        databaseMonitor.setWakeHeartbeat(heartbeatLoop::wake);
        // a server that takes over may have lost commits: the reconciler requeues the messages that it has as claimed
        databaseMonitor.onOutage(() -> buffers().forEach(MessageBuffer::removeUnstarted));
        WakeUps.Signal reconcilerSignal = new WakeUps.Signal();
        CancelRequests cancelRequests = new CancelRequests();
        NodeContext node = new NodeContext(
                heartbeat,
                new OpenClaims(),
                new SuspectSlot(),
                cancelRequests,
                reconcilerSignal::wake,
                databaseMonitor.nanoTime(),
                definition.history(),
                telemetry);
        PolicyRegistry.GuardFactory guards = definition.policies().guardFactory(node.nanoTime(), telemetry);
        for (Listener<?> listener : definition.listeners()) {
            containers.add(new ListenerContainer(
                    new HandlerInvoker<>(
                            listener,
                            store.claims(),
                            store.transactions(),
                            definition.codec(),
                            definition.interceptors(),
                            cancelRequests),
                    Objects.requireNonNull(listenerStates.get(listener.queue())),
                    queues,
                    guards.guardsOf(listener),
                    pauseTracker,
                    wakeUps,
                    localWorkers,
                    definition.workerThreads(),
                    store,
                    config,
                    node));
        }
        this.pauseReader = pauseTracker.reader(rows, store.queues(), heartbeat.commitTracker(), found -> {
            readCancelRequests(found, cancelRequests);
            List<String> missing = queues.createMissing(rows, found, telemetry);
            if (!missing.isEmpty()) {
                onMissingRows.run();
                telemetry.rowsMissing(String.join(", ", missing));
                wakeUps.wakeAllLanes();
            }
        });
        this.pauseReaderLoop = new TaskLoop(pauseReader, databaseMonitor);
        taskLoops.add(pauseReaderLoop);
        this.rescuer = new Rescuer(store.nodes(), config, wakeUps, telemetry);
        this.dueMessageMover = new DueMessageMover(
                store.maintenance(), config, wakeUps, heartbeat.commitTracker(), databaseMonitor.nanoTime());
        this.nodeReporter = new NodeReporter(store.nodes(), heartbeat::node, this::report);
        addTaskLoops(config, node, reconcilerSignal);
    }

    private NodeReport report() {
        return new NodeReport(containers.stream()
                .flatMap(container -> container.report().stream())
                .toList());
    }

    /** Reads which messages operators have asked to cancel, if there are any, and interrupts their handlers where the listener wants it. */
    private void readCancelRequests(List<StoredQueue> found, CancelRequests cancelRequests) {
        boolean any = found.stream().anyMatch(queue -> queue.cancelRequests() > 0);
        if (any || !cancelRequests.messages().isEmpty()) {
            cancelRequests.set(any ? store.queues().cancelRequests() : Set.of());
            containers.forEach(ListenerContainer::cancelRequested);
        }
    }

    private void addTaskLoops(EngineConfig config, NodeContext node, WakeUps.Signal reconcilerSignal) {
        DatabaseMonitor databaseMonitor = node.database();
        WakeUps.Signal moverSignal = new WakeUps.Signal();
        wakeUps.onScheduled(() -> {
            dueMessageMover.messageScheduled();
            moverSignal.wake();
        });
        TaskLoop rescuerLoop = new TaskLoop(rescuer, databaseMonitor);
        taskLoops.add(rescuerLoop);
        taskLoops.add(new TaskLoop(new NodeMonitor(store.nodes(), config, node, rescuerLoop::wake), databaseMonitor));
        Reconciler reconciler = new Reconciler(store.claims(), config, node, this::buffers, wakeUps);
        taskLoops.add(new TaskLoop(reconciler, reconcilerSignal, databaseMonitor));
        WorkFinder workFinder =
                new WorkFinder(store.server(), store.claims(), config, wakeUps, heartbeat.commitTracker());
        TaskLoop workFinderLoop = new TaskLoop(workFinder, databaseMonitor);
        wakeUps.onIdle(() -> {
            if (workFinder.isInactive()) {
                workFinderLoop.wake();
            }
        });
        taskLoops.add(workFinderLoop);
        taskLoops.add(new TaskLoop(nodeReporter, databaseMonitor));
        taskLoops.add(new TaskLoop(heartbeat.stallCheck(), databaseMonitor));
        taskLoops.add(new TaskLoop(dueMessageMover, moverSignal, databaseMonitor));
    }

    /** The node was declared dead, or its row was deleted: then the rows of its queues may be missing too. */
    private void nodeEnded(int node) {
        buffers().forEach(buffer -> buffer.removeOwnedBy(node));
        pauseReaderLoop.wake();
    }

    private Stream<MessageBuffer> buffers() {
        return containers.stream().flatMap(ListenerContainer::buffer);
    }

    /**
     * Returns the row by which other nodes know this one. A stopped listener stays in it until its last handler has
     * ended.
     */
    private NodeRow nodeRow() {
        Map<Integer, Integer> workers = new LinkedHashMap<>();
        for (ListenerContainer container : containers) {
            int maxRunning = container.maxRunning();
            if (maxRunning > 0) {
                workers.put(container.queue().id(), maxRunning);
            }
        }
        return new NodeRow(workers, NodeContext.processName(), version());
    }

    /** Returns the version of this library. */
    static String version() {
        String version = EngineRuntime.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    /** Registers the node and starts the tasks and the wanted listeners. Throws when the database cannot be reached. */
    void start() {
        pauseReader.runOnce(); // before the first claim, which must not take messages of a paused queue
        heartbeat.send();
        heartbeatLoop.start();
        taskLoops.forEach(TaskLoop::start);
        containers.forEach(ListenerContainer::startIfWanted);
        keepJvmAlive();
    }

    /**
     * Starts the only thread of the engine that is no daemon, so that a process that only listens does not exit at the
     * end of its main method. It does nothing else, because a thread that uses the database may hang in the driver, and
     * would keep the JVM alive after the stop.
     */
    private void keepJvmAlive() {
        Thread thread = new Thread(this::awaitStop, "acidq-keep-alive");
        thread.setDaemon(false);
        thread.start();
        keepAlive = thread;
    }

    private void awaitStop() {
        while (stopped.getCount() > 0) {
            try {
                stopped.await();
            } catch (InterruptedException e) {
                // only a stop ends this thread
            }
        }
    }

    /** Registers the node and frees the claims of nodes that are dead or have stopped, without threads. */
    void startManually() {
        pauseReader.runOnce();
        heartbeat.send();
        rescuer.runOnce();
        containers.forEach(ListenerContainer::startManually);
    }

    /**
     * Moves due messages, claims, and runs on the calling thread the messages that one worker would take.
     *
     * @param queues selects the queues by name
     * @return false when no message of them may start now
     */
    boolean runOnceManually(Predicate<String> queues) throws Exception {
        do {
            if (!heartbeat.isFresh()) {
                heartbeat.send();
            }
            dueMessageMover.runOnce();
            for (ListenerContainer container : containers) {
                if (queues.test(container.queue().name()) && container.runOnceManually()) {
                    return true;
                }
            }
        } while (!heartbeat.isFresh()); // it may have become stale before the take, and then no message could start
        return false;
    }

    /** Requeues the messages that have not started and signs the node off, without threads. */
    void stopManually() {
        containers.forEach(ListenerContainer::stopManually);
        heartbeat.markStopped();
    }

    /** Wakes the tasks and the listeners after an outage of the database. */
    void resume() {
        taskLoops.forEach(TaskLoop::wake);
        containers.forEach(ListenerContainer::resume);
    }

    /** Returns the number of the node; 0 while it is not registered. */
    int node() {
        return heartbeat.node();
    }

    /** Returns the container of a queue whose listener runs; null when none does. */
    @Nullable
    ListenerContainer container(int queue) {
        return containers.stream()
                .filter(container -> container.queue().id() == queue && container.isRunning())
                .findFirst()
                .orElse(null);
    }

    List<QueueState> states() {
        return containers.stream()
                .flatMap(container -> container.snapshot().stream())
                .toList();
    }

    /** Returns whether all listeners of these queues run. */
    boolean isRunning(Collection<String> queues) {
        return containersOf(queues).stream().allMatch(ListenerContainer::isRunning);
    }

    /**
     * Applies changed {@link ListenerState}s: starts the listeners that are wanted and lets their pollers see pauses.
     */
    void listenersChanged(Collection<String> queues) {
        heartbeatLoop.wake(); // writes the listeners into the node's row
        List<ListenerContainer> changed = containersOf(queues);
        changed.forEach(ListenerContainer::startIfWanted);
        changed.forEach(container -> wakeUps.wakeAllLanes(container.queue().id()));
    }

    /** Stops the listeners of these queues. Returns whether every handler ended by itself. */
    boolean stop(Collection<String> queues, Duration timeout) {
        try {
            return ListenerContainer.stop(containersOf(queues), timeout);
        } finally {
            heartbeatLoop.wake();
        }
    }

    private List<ListenerContainer> containersOf(Collection<String> queues) {
        return containers.stream()
                .filter(container -> queues.contains(container.queue().name()))
                .toList();
    }

    private void endKeepAlive() {
        stopped.countDown();
        if (keepAlive != null) {
            try {
                keepAlive.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Stops everything. Returns whether every handler ended by itself and everything that had to be written is written.
     */
    boolean stop(Duration timeout) {
        boolean clean = true;
        try {
            clean = ListenerContainer.close(containers, timeout);
            StopSteps steps = new StopSteps();
            taskLoops.forEach(TaskLoop::requestStop);
            heartbeatLoop.requestStop();
            steps.begin("stopping the tasks", this::stopTaskLoops);
            // a task that still waits for the server after this changes nothing that matters
            steps.await(STOP_STEP_TIMEOUT);
            steps.begin("signing off the node", this::signOff);
            clean &= steps.await(STOP_STEP_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            clean = false;
        } finally {
            endKeepAlive();
        }
        return clean;
    }

    private void signOff() {
        try {
            nodeReporter.remove();
        } finally {
            heartbeat.markStopped();
        }
    }

    private void stopTaskLoops() throws InterruptedException {
        heartbeatLoop.stop(STOP_STEP_TIMEOUT);
        if (heartbeat.isFresh()) {
            heartbeat.runOnce(); // its commit wakes a work finder that waits for one on the server
        }
        for (TaskLoop loop : taskLoops) {
            loop.stop(STOP_STEP_TIMEOUT);
        }
    }
}
