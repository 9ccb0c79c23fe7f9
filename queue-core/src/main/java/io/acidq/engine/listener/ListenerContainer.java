package io.acidq.engine.listener;

import io.acidq.codec.Codec;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.engine.enqueue.LocalWorkers;
import io.acidq.engine.guard.PauseTracker;
import io.acidq.engine.guard.StartGuards;
import io.acidq.engine.interceptor.InterceptorChain;
import io.acidq.engine.loop.TaskLoop;
import io.acidq.engine.loop.WakeUps;
import io.acidq.engine.node.NodeContext;
import io.acidq.resilience.GuardState;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.store.Store;
import io.acidq.telemetry.QueueState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The container of one listener in a running engine: starts the poller, the workers and the helper tasks of its queue, stops them, and starts them
 * again. Each start makes a new {@link Run} with a new, empty buffer. The monitor is held only while threads are started: a stop waits outside of
 * it. Thread-safe.
 */
public final class ListenerContainer {

    private static final Logger log = LoggerFactory.getLogger(ListenerContainer.class);

    private static final Duration GRACE = Duration.ofSeconds(5);

    /** How long a stop waits for workers that return the connection they kept: the application may close its pool next. */
    private static final Duration WORKER_EXIT_TIMEOUT = Duration.ofSeconds(2);

    /** How long a stop waits for transactions that have enqueued for an idle worker and are about to end. */
    private static final Duration HANDOFF_TIMEOUT = Duration.ofSeconds(1);

    private final QueueRow queue;
    private final Listener<?> listener;
    private final ListenerState state;
    private final StartGuards guards;
    private final BooleanSupplier paused;
    private final ClaimStrategy strategy;
    private final WakeUps.PollerSignal pollerSignal;
    private final LocalWorkers localWorkers;
    private final Collection<MessageBuffer> buffers;
    private final ThreadFactory workerThreads;
    private final Codec codec;
    private final InterceptorChain interceptors;
    private final Store store;
    private final EngineConfig config;
    private final NodeContext node;

    private volatile @Nullable Run run;
    private boolean closed;

    /**
     * Creates a stopped container.
     *
     * @param state         whether the listener is wanted, and whether it is paused in this process
     * @param guards        circuit breaker, rate limit and bulkhead of the queue
     * @param pauses        the queues that operators have paused
     * @param pollerSignal  wakes the poller of the queue
     * @param localWorkers  offers the idle workers of the queue to enqueues of this process
     * @param buffers       the buffers of all running queues of the node; the container adds and removes its own
     * @param workerThreads makes the threads of the workers
     * @param node          what the containers of one node share
     */
    public ListenerContainer(
            QueueRow queue,
            Listener<?> listener,
            ListenerState state,
            StartGuards guards,
            PauseTracker pauses,
            ClaimStrategy strategy,
            WakeUps.PollerSignal pollerSignal,
            LocalWorkers localWorkers,
            Collection<MessageBuffer> buffers,
            ThreadFactory workerThreads,
            Codec codec,
            InterceptorChain interceptors,
            Store store,
            EngineConfig config,
            NodeContext node) {
        this.queue = queue;
        this.listener = listener;
        this.state = state;
        this.guards = guards;
        this.paused = () -> state.isPaused() || pauses.isPaused(queue.id());
        this.strategy = strategy;
        this.pollerSignal = pollerSignal;
        this.localWorkers = localWorkers;
        this.buffers = buffers;
        this.workerThreads = workerThreads;
        this.codec = codec;
        this.interceptors = interceptors;
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
        return isRunning() || state.isWanted() ? listener.maxRunning() : 0;
    }

    /** Returns the strategy by which this engine claims from the queue. */
    public ClaimStrategy strategy() {
        return strategy;
    }

    /** Returns whether this engine holds the claim: its message waits or runs here, or is about to be handed over. */
    public boolean knows(Claim claim) {
        Run current = run;
        return current != null && current.buffer.knownClaims().contains(claim);
    }

    /** Returns for how long the message has been running; null when it does not run here. */
    @Nullable
    public Duration runningFor(Claim claim) {
        Run current = run;
        return current == null ? null : current.worker.runningFor(claim);
    }

    /** Returns the state of the guard that lets nothing start now. */
    public Optional<GuardState> blockingGuard() {
        return guards.states().stream()
                .filter(g -> g.status() == GuardState.Status.STOPS)
                .findFirst();
    }

    /** Returns a snapshot of the running listener; empty when it does not run. */
    public Optional<QueueState> snapshot() {
        Run current = run;
        return current == null ? Optional.empty() : Optional.of(current.snapshot());
    }

    /** Starts the listener when it is wanted and does not run. Does nothing after {@link #close}. */
    public synchronized void startIfWanted() {
        if (closed || run != null || !state.isWanted()) {
            return;
        }
        Run starting = createRun();
        try {
            starting.start();
        } catch (Throwable e) { // no thread is available: a half-started run must not look like a running listener
            run = null;
            abandon(starting);
            throw e;
        }
    }

    private Run createRun() {
        Run created = new Run(listener);
        buffers.add(created.buffer); // before the first claim: the reconciler requeues what no buffer knows
        run = created;
        return created;
    }

    private void abandon(Run failed) {
        try {
            stopRuns(List.of(failed), Duration.ZERO);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            buffers.remove(failed.buffer);
        }
    }

    /** Lets the poller and the workers continue after an outage of the database. */
    public void resume() {
        Run current = run;
        if (current != null) {
            pollerSignal.wakeAllLanes();
            current.buffer.wake();
        }
    }

    /** Prepares the listener for {@link #runOnceManually}, without threads. */
    public synchronized void startManually() {
        if (run == null) {
            createRun();
        }
    }

    /**
     * Claims from every lane that holds rows and runs on the calling thread what one worker would take.
     *
     * @return false when nothing may start
     * @throws Exception what a worker would report as a failure of the engine
     */
    public boolean runOnceManually() throws Exception {
        Run current = Objects.requireNonNull(run, "not started");
        pollerSignal.wakeAllLanes();
        store.claims().lanesWithWork(List.of(queue.id())).forEach(lane -> pollerSignal.wake(List.of(lane.lane())));
        current.poller.runOnce();
        return current.worker.runOnceManually();
    }

    /** Requeues the messages that are claimed and have not started. */
    public void stopManually() {
        Run current = run;
        if (current != null) {
            current.requeueUnstarted();
        }
    }

    /**
     * Stops these containers in parallel. A listener that was asked to start meanwhile starts again. Two concurrent stops of the same container are
     * harmless.
     *
     * @param patience how long running handlers may take; one grace follows it
     * @return whether every handler ended by itself and everything that had to be written is written
     */
    public static boolean stop(Collection<ListenerContainer> containers, Duration patience) {
        Map<ListenerContainer, Run> stopping = running(containers);
        try {
            return stopRuns(stopping.values(), patience);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            stopping.forEach(ListenerContainer::stopped);
        }
    }

    /** Stops these containers in parallel, for good: none of them starts again. */
    public static boolean close(Collection<ListenerContainer> containers, Duration patience)
            throws InterruptedException {
        containers.forEach(ListenerContainer::forbidStart);
        return stopRuns(running(containers).values(), patience);
    }

    private static Map<ListenerContainer, Run> running(Collection<ListenerContainer> containers) {
        Map<ListenerContainer, Run> running = new LinkedHashMap<>();
        for (ListenerContainer container : containers) {
            Run current = container.run;
            if (current != null) {
                running.put(container, current);
            }
        }
        return running;
    }

    private synchronized void forbidStart() {
        closed = true;
    }

    private synchronized void stopped(Run ended) {
        if (run == ended) {
            run = null;
            buffers.remove(ended.buffer);
            startIfWanted();
        }
    }

    private static boolean stopRuns(Collection<Run> runs, Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        ParallelSteps steps = new ParallelSteps();
        AtomicBoolean clean = new AtomicBoolean(true);
        runs.forEach(each -> steps.begin("requeueing unstarted messages", each::stopClaiming));
        boolean written = steps.await(GRACE.multipliedBy(2));
        Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
        runs.forEach(each -> steps.begin("waiting for running handlers", () -> {
            if (!each.stopHandlers(left)) {
                clean.set(false);
            }
        }));
        written &= steps.await(left.plus(GRACE.multipliedBy(3)));
        runs.forEach(each -> steps.begin(
                "requeueing the messages of handlers that ignore the interrupt", each::requeueUninterruptible));
        written &= steps.await(GRACE);
        return written && clean.get();
    }

    /** What runs between one start and the next stop. */
    private final class Run {

        private final MessageBuffer buffer;
        private final Poller poller;
        private final TaskLoop pollLoop;
        private final Worker worker;
        private final WorkerPool pool;
        private final @Nullable TaskLoop scalingLoop;
        private final @Nullable TaskLoop timeoutLoop;
        private final @Nullable DirectHandoff directHandoff;

        <T> Run(Listener<T> listener) {
            int transactionSize = listener.options().transactionSize();
            this.buffer = new MessageBuffer(
                    () -> node.heartbeat().isFresh() && !paused.getAsBoolean(), node.suspectSlot(), guards);
            PrefetchPolicy prefetch = new PrefetchPolicy(listener.concurrency().min(), transactionSize);
            OutcomeRecorder recorder = new OutcomeRecorder(
                    listener,
                    config.queue(queue.name()).retention().archive(),
                    store.claims(),
                    buffer,
                    node.reconcile(),
                    node.telemetry(),
                    node.nanoTime());
            HandlerInvoker<T> invoker =
                    new HandlerInvoker<>(listener, store.claims(), store.transactions(), codec, interceptors);
            BatchExecutor<T> executor = new BatchExecutor<>(listener, invoker, store.transactions(), recorder);
            Claimer claimer = new Claimer(queue.id(), buffer, prefetch, store.claims(), strategy, node);
            this.poller = new Poller(
                    queue,
                    claimer,
                    buffer,
                    prefetch,
                    pollerSignal,
                    guards,
                    paused,
                    config,
                    store.claims(),
                    node,
                    recorder);
            this.pollLoop = new TaskLoop(poller, pollerSignal, node.database());
            this.worker = new Worker(
                    queue.name(), buffer, prefetch, pollerSignal, guards, executor, recorder, node, transactionSize);
            this.pool = new WorkerPool(
                    queue.name(),
                    listener.concurrency(),
                    worker::run,
                    workerThreads,
                    buffer,
                    prefetch,
                    pollerSignal,
                    node.nanoTime(),
                    node.telemetry());
            this.scalingLoop = listener.concurrency().isElastic() ? new TaskLoop(pool, node.database()) : null;
            this.directHandoff = config.queue(queue.name()).directHandoff()
                    ? new DirectHandoff(buffer, prefetch, guards, paused, node, pool::targetSize)
                    : null;
            Duration limit = listener.options().timeout();
            this.timeoutLoop = limit == null
                    ? null
                    : new TaskLoop(
                            new HandlerTimeoutEnforcer(
                                    listener, limit, worker, pool, executor, recorder, node.nanoTime()),
                            node.database());
        }

        void start() {
            pool.resize(listener.concurrency().min());
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
                    counts.waiting(),
                    paused.getAsBoolean(),
                    buffer.suspect(queue.name()),
                    guards.states(),
                    strategy);
        }

        /** Stops claiming and requeues the messages that have not started. */
        void stopClaiming() throws InterruptedException {
            if (directHandoff != null) {
                localWorkers.unregister(queue.id(), directHandoff);
            }
            pollLoop.stop(GRACE);
            if (scalingLoop != null) {
                scalingLoop.stop(GRACE);
            }
            if (directHandoff != null) {
                directHandoff.close(HANDOFF_TIMEOUT);
            }
            requeueUnstarted();
        }

        void requeueUnstarted() {
            Collection<Claim> unstarted = buffer.close();
            if (!unstarted.isEmpty()) {
                store.claims().requeueIfClaimed(unstarted, Duration.ZERO);
            }
        }

        /** Waits for running handlers, then interrupts those that still run. Returns whether every handler ended by itself. */
        boolean stopHandlers(Duration patience) throws InterruptedException {
            pool.close();
            boolean clean = buffer.awaitIdle(patience);
            boolean ended = clean;
            if (!clean) {
                worker.interruptHandlers();
                ended = buffer.awaitIdle(GRACE);
            }
            if (ended) {
                pool.awaitTermination(WORKER_EXIT_TIMEOUT);
            }
            if (timeoutLoop != null) {
                timeoutLoop.stop(GRACE);
            }
            return clean;
        }

        /** Requeues the messages whose handlers ignore the interrupt. When such a handler ends later, the fence rejects its acknowledgement. */
        void requeueUninterruptible() {
            Set<Claim> stillHeld = buffer.knownClaims();
            if (!stillHeld.isEmpty()) {
                store.claims().requeueIfClaimed(stillHeld, Duration.ZERO);
            }
        }
    }

    /**
     * Steps of a stop that run in parallel for a limited time: neither a step that fails nor one that waits for an unreachable database holds up the
     * stop. Other nodes free the claims that are left. Confined to the stopping thread.
     */
    public static final class ParallelSteps {

        private final List<RunningStep> running = new ArrayList<>();

        /** Starts a step on a thread of its own. */
        public void begin(String name, Step step) {
            RunningStep started = new RunningStep(name, step);
            started.thread.start();
            running.add(started);
        }

        /** Waits for the steps that were begun. Returns whether all of them ended within the time without a failure. */
        public boolean await(Duration patience) throws InterruptedException {
            long deadline = System.nanoTime() + patience.toNanos();
            boolean succeeded = true;
            for (RunningStep step : running) {
                step.thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
                if (step.thread.isAlive()) {
                    log.warn("{} takes too long while stopping; other nodes will free the claims", step.name);
                }
                succeeded &= step.done;
            }
            running.clear();
            return succeeded;
        }

        /** One step of a stop. */
        public interface Step {
            void run() throws InterruptedException;
        }

        private static final class RunningStep {
            private final String name;
            private final Thread thread;
            private volatile boolean done;

            RunningStep(String name, Step step) {
                this.name = name;
                this.thread = new Thread(() -> run(step), "acidq-stop");
                thread.setDaemon(true);
            }

            private void run(Step step) {
                try {
                    step.run();
                    done = true;
                } catch (RuntimeException e) {
                    log.warn("{} failed while stopping; other nodes will free the claims", name, e);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }
}
