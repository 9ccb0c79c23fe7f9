package io.acidq.engine.listener;

import io.acidq.Delivery;
import io.acidq.Interceptor;
import io.acidq.Outcome;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.engine.enqueue.LocalWorkers;
import io.acidq.engine.enqueue.QueueRegistry;
import io.acidq.engine.guard.PauseTracker;
import io.acidq.engine.guard.StartGuards;
import io.acidq.engine.interceptor.InterceptorChain;
import io.acidq.engine.loop.DatabaseMonitor;
import io.acidq.engine.loop.HistoryCounters;
import io.acidq.engine.loop.PeriodicTask;
import io.acidq.engine.loop.WakeUps;
import io.acidq.engine.loop.WorkFinder;
import io.acidq.engine.maintenance.DueMessageMover;
import io.acidq.engine.maintenance.Reconciler;
import io.acidq.engine.maintenance.Rescuer;
import io.acidq.engine.node.Heartbeat;
import io.acidq.engine.node.NodeContext;
import io.acidq.engine.node.NodeContext.OpenClaims;
import io.acidq.engine.node.NodeContext.SuspectSlot;
import io.acidq.engine.node.NodeMonitor;
import io.acidq.resilience.RetryPolicy;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.MaintenanceStore;
import io.acidq.store.NodeStore;
import io.acidq.store.NodeStore.NodeRow;
import io.acidq.store.PortStub;
import io.acidq.store.QueueStore;
import io.acidq.store.ServerStore;
import io.acidq.store.Store;
import io.acidq.store.Transactions;
import io.acidq.telemetry.EngineHealth.DatabaseState;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;

/**
 * One process of a simulation: the parts of an engine, put together as {@code EngineRuntime} does, whose threads the
 * simulation steps.
 */
final class SimulatedNode {

    static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(1);

    private static final EngineConfig CONFIG = EngineConfig.defaults()
            .withHeartbeat(HEARTBEAT_INTERVAL, 4)
            .withMaxCrashes(SimulationAuditor.MAX_CRASHES)
            .withPolling(Duration.ofMillis(20), Duration.ofSeconds(1))
            .withQueue("q", QueueConfig.defaults().withDirectHandoff(true));
    private static final int WORKERS = 2;

    private final Simulation simulation;
    private final SimulatedTables tables;
    private final SimulatedTransactions transactions;
    private final List<SimulatedActor> actors = new ArrayList<>();
    private final DatabaseMonitor databaseMonitor;
    private final Heartbeat heartbeat;
    private final Listener<Integer> listener;
    private final ListenerContainer container;
    private final ListenerContainer.RunningListener run;
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
        SimulatedSchedule moves = new SimulatedSchedule(tables);
        MaintenanceStore schedule = simulation.faulty(
                this,
                MaintenanceStore.class,
                PortStub.of(MaintenanceStore.class, Map.of("moveDue", args -> moves.moveDue())));
        QueueStore queues = simulation.faulty(this, QueueStore.class, new SimulatedQueues(tables));
        this.databaseMonitor = new DatabaseMonitor(HEARTBEAT_INTERVAL, tables.now, telemetry);
        databaseMonitor.reset(DatabaseState.UP);
        NodeRow self = new NodeRow(Map.of(SimulatedRow.QUEUE, WORKERS * size), "host", "test");
        this.heartbeat =
                new Heartbeat(nodes, () -> self, HEARTBEAT_INTERVAL, this::dropClaimsOf, databaseMonitor, telemetry);
        databaseMonitor.setWakeHeartbeat(() -> wake("heartbeat"));
        NodeContext node = new NodeContext(
                heartbeat,
                new OpenClaims(),
                new SuspectSlot(),
                new NodeContext.CancelRequests(),
                () -> wake("reconciler"),
                tables.now,
                new HistoryCounters(false),
                telemetry);
        WakeUps wakeUps = new WakeUps();
        PauseTracker pauses = new PauseTracker(wakeUps, telemetry);
        this.container = container(listener, tables, claims, transactions, List.of(), wakeUps, pauses, node);
        this.run = Objects.requireNonNull(container.run);
        databaseMonitor.onOutage(run.buffer::removeUnstarted);
        onTime(heartbeat);
        onTime(new NodeMonitor(nodes, CONFIG, node, () -> wake("rescuer")));
        atAnyTime(new Rescuer(nodes, CONFIG, wakeUps, telemetry));
        atAnyTime(new Reconciler(claims, CONFIG, node, container::buffer, wakeUps));
        atAnyTime(new DueMessageMover(schedule, CONFIG, wakeUps, heartbeat.commitTracker(), tables.now));
        ServerStore withoutCommits = PortStub.of(ServerStore.class, Map.of("lastCommit", args -> Optional.empty()));
        atAnyTime(new WorkFinder(withoutCommits, claims, CONFIG, wakeUps, heartbeat.commitTracker()));
        atAnyTime(run.poller);
        atAnyTime(pauses.reader(List.of(container.queue()), queues, heartbeat.commitTracker(), found -> {}));
        for (int i = 0; i < WORKERS; i++) {
            actors.add(new SimulatedActor(this, new Work("worker-" + i), databaseMonitor, this::hasStartable));
        }
    }

    /**
     * A container of queue "q" whose poller and workers the test runs itself: the threads of its workers never start.
     */
    static ListenerContainer container(
            Listener<?> listener,
            SimulatedTables tables,
            ClaimStore claims,
            Transactions transactions,
            List<Interceptor> interceptors,
            WakeUps wakeUps,
            PauseTracker pauses,
            NodeContext node) {
        QueueStore queues = new SimulatedQueues(tables);
        Store store = new Store(
                transactions, queues, null, claims, null, null, null, null, null, null, null, null, null, null);
        ThreadFactory noThreads = work -> new Thread(work) {
            @Override
            public void start() {}
        };
        ListenerContainer container = new ListenerContainer(
                new HandlerInvoker<>(
                        listener,
                        claims,
                        transactions,
                        new SimulatedCodec(),
                        new InterceptorChain(interceptors, node.telemetry()),
                        node.cancelRequests()),
                new ListenerState(true),
                new QueueRegistry(queues, CONFIG),
                StartGuards.NONE,
                pauses,
                wakeUps,
                new LocalWorkers(),
                noThreads,
                store,
                CONFIG,
                node);
        container.startManually();
        Objects.requireNonNull(container.run).pool.resize(listener.concurrency().max());
        return container;
    }

    private void onTime(PeriodicTask task) {
        actors.add(new SimulatedActor(this, task, databaseMonitor, () -> false));
    }

    /** Runs a task at any moment, as if something had woken it: a surplus wake-up does no harm. */
    private void atAnyTime(PeriodicTask task) {
        actors.add(new SimulatedActor(this, task, databaseMonitor, simulation::wakesByChance));
    }

    /** Reserves workers of this process for enqueues. */
    LocalWorkers.Reserver directHandoff() {
        return Objects.requireNonNull(run.directHandoff);
    }

    private void wake(String task) {
        actors.stream().filter(a -> a.name().equals(task)).forEach(SimulatedActor::wake);
    }

    private boolean hasStartable() {
        return run.buffer.counts().startable() > 0;
    }

    List<SimulatedActor> actors() {
        return actors;
    }

    /** Returns whether another node has declared this one dead. */
    boolean isDeclaredDead() {
        return !tables.living.containsKey(heartbeat.node());
    }

    boolean isCrashed() {
        return crashed;
    }

    /** Ends the process: a step in progress ends at its next access to the store. */
    void crash() {
        crashed = true;
    }

    private void dropClaimsOf(int dead) {
        run.buffer.removeOwnedBy(dead);
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

    /** The steps of a worker's thread. */
    private final class Work implements PeriodicTask {

        private final String name;

        Work(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Duration runOnce() throws InterruptedException {
            List<ClaimedMessage> messages =
                    run.buffer.take(Duration.ZERO, listener.options().transactionSize());
            if (!messages.isEmpty()) {
                Execution execution =
                        new Execution(messages, Map.of(), tables.now.getAsLong(), () -> true, () -> false, m -> {});
                Throwable failure = run.worker.execute(execution, Worker.AfterExecution.TAKE_NEXT);
                if (failure != null) {
                    run.worker.reportFailure(failure);
                }
            }
            return HEARTBEAT_INTERVAL;
        }
    }
}
