package io.acidq.engine.listener;

import io.acidq.Delivery;
import io.acidq.Outcome;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.engine.enqueue.LocalWorkers;
import io.acidq.engine.guard.PauseTracker;
import io.acidq.engine.guard.StartGuards;
import io.acidq.engine.interceptor.InterceptorChain;
import io.acidq.engine.loop.DatabaseMonitor;
import io.acidq.engine.loop.PeriodicTask;
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
import io.acidq.resilience.RetryPolicy;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.MaintenanceStore;
import io.acidq.store.NodeStore;
import io.acidq.store.NodeStore.NodeRow;
import io.acidq.store.QueueStore;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.telemetry.DatabaseState;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** One process: the parts of an engine put together as {@code EngineRuntime} and {@link ListenerContainer} do, stepped by the simulation. */
final class SimulatedNode {

    static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(1);

    private static final EngineConfig CONFIG = EngineConfig.defaults()
            .withHeartbeat(HEARTBEAT_INTERVAL, 4)
            .withMaxCrashes(SimulationAuditor.MAX_CRASHES)
            .withPolling(Duration.ofMillis(20), Duration.ofSeconds(1));
    private static final int WORKERS = 2;

    private final Simulation simulation;
    private final SimulatedTables tables;
    private final SimulatedTransactions transactions;
    private final List<SimulatedActor> actors = new ArrayList<>();
    private final DatabaseMonitor databaseMonitor;
    private final MessageBuffer buffer;
    private final Heartbeat heartbeat;
    private final NodeContext node;
    private final Listener<Integer> listener;
    private final DirectHandoff directHandoff;
    private boolean crashed;

    SimulatedNode(Simulation simulation, SimulatedTables tables, Telemetry telemetry) {
        this.simulation = simulation;
        this.tables = tables;
        this.transactions = new SimulatedTransactions(
                tables, () -> simulation.touch(this, "commit"), () -> simulation.touch(this, "committed"));
        int size = 1 + tables.random.nextInt(3);
        this.listener = Listener.on("q", Integer.class, this::handle)
                .withConcurrency(WORKERS)
                .withTransactionSize(size)
                .withRetry(RetryPolicy.defaults()
                        .withMaxAttempts(SimulationAuditor.MAX_ATTEMPTS)
                        .withFixedBackoff(Duration.ofMillis(200))
                        .withJitter(0));
        NodeStore nodes = simulation.faulty(this, NodeStore.class, new SimulatedNodes(tables, WORKERS * size));
        ClaimStore claims = simulation.faulty(this, ClaimStore.class, new SimulatedClaims(tables, transactions));
        MaintenanceStore schedule = simulation.faulty(this, MaintenanceStore.class, new SimulatedSchedule(tables));
        this.databaseMonitor = new DatabaseMonitor(HEARTBEAT_INTERVAL, tables.now, telemetry);
        databaseMonitor.reset(DatabaseState.UP);
        NodeRow self = new NodeRow(Map.of(SimulatedRow.QUEUE, WORKERS * size), "host", "test");
        this.heartbeat =
                new Heartbeat(nodes, () -> self, HEARTBEAT_INTERVAL, this::dropClaimsOf, databaseMonitor, telemetry);
        databaseMonitor.setWakeHeartbeat(() -> wake("heartbeat"));
        SuspectSlot suspectSlot = new SuspectSlot();
        this.node = new NodeContext(
                heartbeat, new OpenClaims(), suspectSlot, () -> wake("reconciler"), tables.now, telemetry);
        WakeUps wakeUps = new WakeUps();
        PauseTracker pauses = new PauseTracker(wakeUps, telemetry);
        BooleanSupplier paused = () -> pauses.isPaused(SimulatedRow.QUEUE);
        this.buffer =
                new MessageBuffer(() -> heartbeat.isFresh() && !paused.getAsBoolean(), suspectSlot, StartGuards.NONE);
        QueueRow row = new QueueRow(SimulatedRow.QUEUE, "q", Simulation.LANES);
        WakeUps.PollerSignal pollerSignal = wakeUps.pollerSignal(SimulatedRow.QUEUE);
        PrefetchPolicy prefetch = new PrefetchPolicy(WORKERS, size);
        this.directHandoff = new DirectHandoff(buffer, prefetch, StartGuards.NONE, paused, node, () -> WORKERS);
        QueueStore queues = simulation.faulty(this, QueueStore.class, new SimulatedQueues(tables));
        onTime(heartbeat);
        onTime(new NodeMonitor(nodes, CONFIG, node, () -> wake("rescuer")));
        atAnyTime(new Rescuer(nodes, CONFIG, wakeUps, telemetry));
        atAnyTime(new Reconciler(claims, CONFIG, node, List.of(buffer), wakeUps));
        atAnyTime(new DueMessageMover(schedule, CONFIG, wakeUps, heartbeat.commitTracker()));
        atAnyTime(new WorkFinder(new SimulatedCommits(), claims, CONFIG, wakeUps, heartbeat.commitTracker()));
        OutcomeRecorder recorder =
                new OutcomeRecorder(listener, null, claims, buffer, node.reconcile(), node.telemetry(), tables.now);
        databaseMonitor.onOutage(() -> buffer.removeUnstarted());
        atAnyTime(new Poller(
                row,
                new Claimer(SimulatedRow.QUEUE, buffer, prefetch, claims, ClaimStrategy.LANES, node),
                buffer,
                prefetch,
                pollerSignal,
                StartGuards.NONE,
                paused,
                CONFIG,
                claims,
                node,
                recorder));
        atAnyTime(pauses.reader(List.of(row), queues, heartbeat.commitTracker()));
        Worker worker = worker(prefetch, pollerSignal, claims, recorder);
        for (int i = 0; i < WORKERS; i++) {
            actors.add(new SimulatedActor(this, new Work(worker, "worker-" + i), databaseMonitor, this::hasStartable));
        }
    }

    private Worker worker(
            PrefetchPolicy prefetch, WakeUps.PollerSignal pollerSignal, ClaimStore claims, OutcomeRecorder recorder) {
        HandlerInvoker<Integer> invoker = new HandlerInvoker<>(
                listener,
                claims,
                transactions,
                new SimulatedCodec(),
                new InterceptorChain(List.of(), node.telemetry()));
        BatchExecutor<Integer> executor = new BatchExecutor<>(listener, invoker, transactions, recorder);
        return new Worker(
                "q",
                buffer,
                prefetch,
                pollerSignal,
                StartGuards.NONE,
                executor,
                recorder,
                node,
                listener.options().transactionSize());
    }

    private void onTime(PeriodicTask task) {
        actors.add(new SimulatedActor(this, task, databaseMonitor, () -> false));
    }

    /** Whatever wakes it: wake-ups are hints, and one too many harms nobody. */
    private void atAnyTime(PeriodicTask task) {
        actors.add(new SimulatedActor(this, task, databaseMonitor, simulation::wakesSomebody));
    }

    /** Where an enqueue in this process may have one of its workers. */
    LocalWorkers.Reserver directHandoff() {
        return directHandoff;
    }

    private void wake(String task) {
        actors.stream().filter(a -> a.name().equals(task)).forEach(SimulatedActor::wake);
    }

    private boolean hasStartable() {
        return buffer.counts().startable() > 0;
    }

    List<SimulatedActor> actors() {
        return actors;
    }

    /** Whether the others believe that it lives. */
    boolean isDeclaredDead() {
        return !tables.living.containsKey(heartbeat.node());
    }

    boolean isCrashed() {
        return crashed;
    }

    /** Its memory is gone; what it is in the middle of ends at its next word to the database. */
    void crash() {
        crashed = true;
    }

    private void dropClaimsOf(int dead) {
        buffer.removeOwnedBy(dead);
    }

    private Outcome handle(Integer seq, Delivery delivery) throws Exception {
        Claim claim = new Claim(
                SimulatedRow.QUEUE, delivery.id().lane(), 0, delivery.id().uid(), delivery.node(), delivery.claimNo());
        SimulationAuditor.Started start = new SimulationAuditor.Started(
                delivery.id().uid(), delivery.orderingKey().orElse(null), claim);
        boolean isDue = !delivery.dueAt().isAfter(SimulatedRow.at(tables.now.getAsLong()));
        transactions.starts(start);
        tables.simulationAuditor.started(start, delivery.attempt(), isDue, tables.living::containsKey);
        simulation.touch(this, "handler");
        Outcome outcome = simulation.randomOutcome();
        transactions.effect(new SimulationAuditor.Effect(delivery.id().uid(), seq, delivery.claimNo()));
        simulation.touch(this, "handled");
        return outcome;
    }

    /** What a worker's thread does again and again. */
    private final class Work implements PeriodicTask {

        private final Worker worker;
        private final String name;

        Work(Worker worker, String name) {
            this.worker = worker;
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Duration runOnce() throws InterruptedException {
            List<ClaimedMessage> messages =
                    buffer.take(Duration.ZERO, listener.options().transactionSize());
            if (!messages.isEmpty()) {
                Execution execution =
                        new Execution(messages, Map.of(), tables.now.getAsLong(), () -> true, () -> false);
                Throwable failure = worker.execute(execution, true);
                if (failure != null) {
                    worker.failed(failure);
                }
            }
            return HEARTBEAT_INTERVAL;
        }
    }
}
