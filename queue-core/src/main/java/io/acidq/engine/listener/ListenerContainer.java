package io.acidq.engine.listener;

import io.acidq.config.Concurrency;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.engine.enqueue.LocalWorkers;
import io.acidq.engine.enqueue.QueueRegistry;
import io.acidq.engine.guard.PauseTracker;
import io.acidq.engine.guard.StartGuards;
import io.acidq.engine.loop.StopSteps;
import io.acidq.engine.loop.TaskLoop;
import io.acidq.engine.loop.WakeUps;
import io.acidq.engine.node.NodeContext;
import io.acidq.resilience.GuardState;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.NodeReport;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.store.Store;
import io.acidq.telemetry.QueueState;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The container of one listener in a running engine. It starts the poller, the workers and the helper tasks of the
 * listener's queue, stops them, and starts them again. Each start creates a new {@link Run} with an empty buffer. The
 * container's monitor is held only while threads are started: a stop waits outside of it. Thread-safe.
 */
public final class ListenerContainer {

    /** How long a step of a stop may take. */
    private static final Duration STOP_STEP_TIMEOUT = Duration.ofSeconds(5);

    /**
     * How long a stop waits for workers to return their connections: the application may close its pool right after the
     * stop.
     */
    private static final Duration WORKER_EXIT_TIMEOUT = Duration.ofSeconds(2);

    /** How long a stop waits for the end of transactions that have enqueued a message for an idle worker. */
    private static final Duration HANDOFF_TIMEOUT = Duration.ofSeconds(1);

    private final HandlerInvoker<?> invoker;
    private final ListenerState state;
    private final QueueRow queue;
    private final QueueRegistry queues;
    private final ClaimStrategy strategy;
    private final StartGuards guards;
    private final BooleanSupplier paused;
    private final WakeUps.PollerSignal pollerSignal;
    private final LocalWorkers localWorkers;
    private final ThreadFactory workerThreads;
    private final Store store;
    private final EngineConfig config;
    private final NodeContext node;

    /** Read by tests of this package too, as are the parts of a run. */
    volatile @Nullable RunningListener run;

    private boolean closed;

    /**
     * Creates a stopped container.
     *
     * @param invoker       calls the handler of the listener
     * @param state         whether the listener is wanted, and whether it is paused in this process
     * @param guards        circuit breaker, rate limit and bulkhead of the listener
     * @param pauses        the queues that operators have paused
     * @param localWorkers  offers the idle workers of the queue to enqueues of this process
     * @param workerThreads creates the threads of the workers
     * @param node          the parts of the node that all containers share
     */
    public ListenerContainer(
            HandlerInvoker<?> invoker,
            ListenerState state,
            QueueRegistry queues,
            StartGuards guards,
            PauseTracker pauses,
            WakeUps wakeUps,
            LocalWorkers localWorkers,
            ThreadFactory workerThreads,
            Store store,
            EngineConfig config,
            NodeContext node) {
        this.invoker = invoker;
        this.state = state;
        this.queues = queues;
        this.queue = queues.getOrCreate(invoker.listener().queue());
        this.strategy = queues.claimStrategy(queue.name());
        this.guards = guards;
        this.paused = () -> state.isPaused() || pauses.isPaused(queue.id());
        this.pollerSignal = wakeUps.pollerSignal(queue.id());
        this.localWorkers = localWorkers;
        this.workerThreads = workerThreads;
        this.store = store;
        this.config = config;
        this.node = node;
    }

    public QueueRow queue() {
        return queue;
    }

    /** Returns whether the listener runs. Takes no lock: the heartbeat calls this. */
    public boolean isRunning() {
        return run != null;
    }

    /** Returns the largest number of messages that the listener runs at once; 0 when it neither runs nor is wanted. */
    public int maxRunning() {
        return isRunning() || state.shouldRun() ? invoker.listener().maxRunning() : 0;
    }

    /** Returns the strategy by which this engine claims from the queue. */
    public ClaimStrategy strategy() {
        return strategy;
    }

    /** Returns the buffer of the listener while it runs or is being stopped, else nothing. */
    public Stream<MessageBuffer> buffer() {
        return Stream.ofNullable(run).map(current -> current.buffer);
    }

    /**
     * Returns whether this engine holds the claim: its message waits or runs here, or its enqueue has reserved a
     * worker.
     */
    public boolean knows(Claim claim) {
        return buffer().anyMatch(buffer -> buffer.knownClaims().contains(claim));
    }

    /** Returns how long the message has been running; null when it does not run here. */
    @Nullable
    public Duration runningFor(Claim claim) {
        RunningListener current = run;
        return current == null ? null : current.worker.runningFor(claim);
    }

    /** Operators have asked to cancel messages: interrupts their handlers if the listener wants it. */
    public void cancelRequested() {
        RunningListener current = run;
        if (current != null && invoker.listener().options().interruptOnCancel()) {
            current.worker.interruptCancelled(node.cancelRequests());
        }
    }

    /** Returns the state of the guard that lets nothing start now; empty when there is none. */
    public Optional<GuardState> blockingGuard() {
        return guards.states().stream()
                .filter(g -> g.status() == GuardState.Status.STOPS)
                .findFirst();
    }

    /** Returns a snapshot of the running listener; empty when it does not run. */
    public Optional<QueueState> snapshot() {
        RunningListener current = run;
        return current == null ? Optional.empty() : Optional.of(current.snapshot());
    }

    /** Returns what the running listener does, for other processes; empty when it does not run. */
    public Optional<NodeReport.ServedQueue> report() {
        RunningListener current = run;
        return current == null ? Optional.empty() : Optional.of(current.report());
    }

    /** Starts the listener when it is wanted and does not run. Does nothing after {@link #close}. */
    public synchronized void startIfWanted() {
        if (closed || run != null || !state.shouldRun()) {
            return;
        }
        RunningListener starting = new RunningListener(invoker);
        run = starting; // before the first claim: the reconciler requeues claims that no buffer knows
        try {
            starting.start();
        } catch (Throwable e) { // no thread is available: a half-started run must not look like a running listener
            try {
                stopRuns(List.of(starting), Duration.ZERO);
            } catch (InterruptedException interrupt) {
                Thread.currentThread().interrupt();
            } finally {
                run = null;
            }
            throw e;
        }
    }

    /** Lets the poller and the workers continue after an outage of the database. */
    public void resume() {
        RunningListener current = run;
        if (current != null) {
            pollerSignal.wakeAllLanes();
            current.buffer.wake();
        }
    }

    /** Prepares the listener for {@link #runOnceManually}, without threads. */
    public synchronized void startManually() {
        if (run == null) {
            run = new RunningListener(invoker);
        }
    }

    /**
     * Claims from every lane that holds rows and runs on the calling thread what one worker would take.
     *
     * @return false when nothing may start
     * @throws Exception a failure that a worker would report as one of the engine
     */
    public boolean runOnceManually() throws Exception {
        RunningListener current = Objects.requireNonNull(run, "not started");
        pollerSignal.wakeAllLanes();
        store.claims().lanesWithWork(List.of(queue.id())).forEach(lane -> pollerSignal.wake(List.of(lane.lane())));
        current.poller.runOnce();
        return current.worker.runOnceManually();
    }

    /** Requeues the messages that are claimed and have not started. */
    public void stopManually() {
        RunningListener current = run;
        if (current != null) {
            current.requeueUnstarted();
        }
    }

    /**
     * Stops these containers in parallel. A listener that was asked to start meanwhile starts again. Two concurrent
     * stops of the same container are harmless.
     *
     * @param timeout  how long running handlers may take before they are interrupted
     * @return whether every handler ended by itself and everything that had to be written is written
     */
    public static boolean stop(Collection<ListenerContainer> containers, Duration timeout) {
        Map<ListenerContainer, RunningListener> stopping = running(containers);
        try {
            return stopRuns(stopping.values(), timeout);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            stopping.forEach(ListenerContainer::stopped);
        }
    }

    /** Stops these containers in parallel. None of them can start again. */
    public static boolean close(Collection<ListenerContainer> containers, Duration timeout)
            throws InterruptedException {
        containers.forEach(ListenerContainer::forbidStart);
        return stopRuns(running(containers).values(), timeout);
    }

    private static Map<ListenerContainer, RunningListener> running(Collection<ListenerContainer> containers) {
        Map<ListenerContainer, RunningListener> running = new LinkedHashMap<>();
        for (ListenerContainer container : containers) {
            RunningListener current = container.run;
            if (current != null) {
                running.put(container, current);
            }
        }
        return running;
    }

    private synchronized void forbidStart() {
        closed = true;
    }

    private synchronized void stopped(RunningListener ended) {
        if (run == ended) {
            run = null;
            startIfWanted();
        }
    }

    private static boolean stopRuns(Collection<RunningListener> runs, Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        StopSteps steps = new StopSteps();
        AtomicBoolean clean = new AtomicBoolean(true);
        runs.forEach(each -> steps.begin("requeueing unstarted messages", each::stopClaiming));
        boolean written = steps.await(STOP_STEP_TIMEOUT.multipliedBy(2));
        Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
        runs.forEach(each -> steps.begin("waiting for running handlers", () -> {
            if (!each.stopHandlers(left)) {
                clean.set(false);
            }
        }));
        written &= steps.await(left.plus(STOP_STEP_TIMEOUT.multipliedBy(3)));
        runs.forEach(each -> steps.begin(
                "requeueing the messages of handlers that ignore the interrupt", each::requeueUninterruptible));
        written &= steps.await(STOP_STEP_TIMEOUT);
        return written && clean.get();
    }

    /** The listener between one start and the next stop. */
    final class RunningListener {

        final MessageBuffer buffer;
        final Claimer claimer;
        final Poller poller;
        final Worker worker;
        final WorkerPool pool;
        final @Nullable DirectHandoff directHandoff;
        private final Concurrency concurrency;
        private final TaskLoop pollLoop;
        private final @Nullable TaskLoop scalingLoop;
        private final @Nullable TaskLoop timeoutLoop;

        <T> RunningListener(HandlerInvoker<T> invoker) {
            Listener<T> listener = invoker.listener();
            this.concurrency = listener.concurrency();
            QueueConfig settings = config.queue(queue.name());
            StartRules startRules = new StartRules(listener, settings, node);
            this.buffer = new MessageBuffer(
                    () -> node.heartbeat().isFresh() && !paused.getAsBoolean(),
                    node.suspectSlot(),
                    guards,
                    startRules::hasExpired);
            PrefetchPolicy prefetch =
                    new PrefetchPolicy(concurrency.min(), listener.options().transactionSize());
            ResultEncoder results = new ResultEncoder(queue.name(), invoker.codec());
            OutcomeRecorder recorder = new OutcomeRecorder(
                    listener,
                    settings,
                    !config.retention().attempts().isZero(),
                    store.claims(),
                    startRules,
                    results,
                    buffer,
                    node);
            BatchExecutor<T> executor = new BatchExecutor<>(invoker, store.transactions(), recorder);
            this.claimer = new Claimer(queue, strategy, buffer, prefetch, store.claims(), node);
            this.poller =
                    new Poller(claimer, buffer, prefetch, pollerSignal, guards, paused, config, node, recorder, queues);
            this.pollLoop = new TaskLoop(poller, pollerSignal, node.database());
            this.worker =
                    new Worker(listener, buffer, prefetch, pollerSignal, guards, startRules, executor, recorder, node);
            this.pool = new WorkerPool(
                    queue.name(),
                    concurrency,
                    worker::run,
                    workerThreads,
                    buffer,
                    prefetch,
                    pollerSignal,
                    node.nanoTime(),
                    node.telemetry());
            this.scalingLoop = concurrency.isElastic() ? new TaskLoop(pool, node.database()) : null;
            this.directHandoff = config.queue(queue.name()).directHandoff()
                    ? new DirectHandoff(buffer, prefetch, guards, paused, node, pool::targetSize)
                    : null;
            Duration limit = listener.options().timeout();
            this.timeoutLoop = limit == null && !listener.options().deadline()
                    ? null
                    : new TaskLoop(
                            new HandlerTimeoutEnforcer(
                                    listener, limit, worker, pool, executor, recorder, node.nanoTime()),
                            node.database());
        }

        void start() {
            pool.resize(concurrency.min());
            pollLoop.start();
            if (scalingLoop != null) {
                scalingLoop.start();
            }
            if (timeoutLoop != null) {
                timeoutLoop.start();
            }
            if (directHandoff != null) {
                localWorkers.register(queue.id(), directHandoff);
            }
        }

        QueueState snapshot() {
            MessageBuffer.Counts counts = buffer.counts();
            return new QueueState(
                    queue.name(),
                    pool.targetSize(),
                    counts.running(),
                    counts.unstarted(),
                    paused.getAsBoolean(),
                    buffer.suspect(queue.name()),
                    guards.states(),
                    strategy);
        }

        NodeReport.ServedQueue report() {
            MessageBuffer.Counts counts = buffer.counts();
            List<String> stopping = guards.states().stream()
                    .filter(guard -> guard.status() != GuardState.Status.LETS_THROUGH)
                    .map(guard -> guard.kind().text() + " '" + guard.name() + "' "
                            + (guard.status() == GuardState.Status.STOPS ? NodeReport.STOPS : "tests"))
                    .toList();
            return new NodeReport.ServedQueue(
                    queue.name(),
                    pool.targetSize(),
                    counts.running(),
                    counts.unstarted(),
                    stopping,
                    buffer.suspect(queue.name())
                            .map(suspect -> suspect.id().toString())
                            .orElse(""),
                    worker.longestRuns(NodeReport.MAX_RUNS));
        }

        /** Stops claiming and requeues the messages that have not started. */
        void stopClaiming() throws InterruptedException {
            if (directHandoff != null) {
                localWorkers.unregister(queue.id(), directHandoff);
            }
            pollLoop.stop(STOP_STEP_TIMEOUT);
            if (scalingLoop != null) {
                scalingLoop.stop(STOP_STEP_TIMEOUT);
            }
            if (directHandoff != null) {
                directHandoff.close(HANDOFF_TIMEOUT);
            }
            requeueUnstarted();
        }

        void requeueUnstarted() {
            requeue(buffer.close());
        }

        /**
         * Waits for running handlers, then interrupts those that still run. Returns whether every handler ended by
         * itself.
         */
        boolean stopHandlers(Duration timeout) throws InterruptedException {
            pool.close();
            boolean clean = buffer.awaitIdle(timeout);
            boolean ended = clean;
            if (!clean) {
                worker.interruptHandlers();
                ended = buffer.awaitIdle(STOP_STEP_TIMEOUT);
            }
            if (ended) {
                pool.awaitTermination(WORKER_EXIT_TIMEOUT);
            }
            if (timeoutLoop != null) {
                timeoutLoop.stop(STOP_STEP_TIMEOUT);
            }
            return clean;
        }

        /**
         * Requeues the messages whose handlers ignore the interrupt. When such a handler ends later, the fence rejects
         * its acknowledgement.
         */
        void requeueUninterruptible() {
            requeue(buffer.knownClaims());
        }

        private void requeue(Collection<Claim> claims) {
            if (!claims.isEmpty()) {
                store.claims().requeueIfClaimed(claims, Duration.ZERO);
            }
        }
    }
}
