package io.acidq.engine;

import io.acidq.engine.admin.RecurringAdmin;
import io.acidq.engine.admin.SubscriptionAdmin;
import io.acidq.engine.enqueue.LocalWorkers;
import io.acidq.engine.enqueue.QueueRegistry;
import io.acidq.engine.enqueue.TransactionalQueue;
import io.acidq.engine.guard.PauseTracker;
import io.acidq.engine.listener.ListenerState;
import io.acidq.engine.loop.DatabaseMonitor;
import io.acidq.engine.loop.WakeUps;
import io.acidq.engine.maintenance.TickEnqueuer;
import io.acidq.engine.maintenance.Ticker;
import io.acidq.telemetry.EngineHealth.DatabaseState;
import io.acidq.telemetry.QueueState;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * An engine without threads, for tests: claims, runs and acknowledges messages in the same steps as an {@link Engine},
 * but only in {@link #runOnce}, on the calling thread. Registers as a node of its own. Enforces no handler timeout. Not
 * part of the public API: the module {@code queue-test} offers it to applications. Not thread-safe.
 */
public final class ManualEngine implements AutoCloseable {

    private final Map<String, ListenerState> listenerStates;
    private final EngineRuntime runtime;
    private final Predicate<String> paused;
    private final RecurringAdmin recurring;
    private final Ticker ticker;

    /**
     * Registers a node and frees the claims of nodes that are dead or have stopped.
     *
     * @param definition the definition of an {@link EngineDefinition#of engine}, or a variant of it
     * @param paused     whether the listener of a queue is paused, by the name of the queue; asked at each step
     */
    public ManualEngine(EngineDefinition definition, Predicate<String> paused) {
        this(definition, paused, System::nanoTime);
    }

    ManualEngine(EngineDefinition definition, Predicate<String> paused, LongSupplier nanoTime) {
        WakeUps wakeUps = new WakeUps();
        DatabaseMonitor databaseMonitor =
                new DatabaseMonitor(definition.config().heartbeatInterval(), nanoTime, definition.telemetry());
        this.listenerStates = definition.listenerStates();
        this.paused = paused;
        QueueRegistry queues = new QueueRegistry(definition.store().queues(), definition.config());
        SubscriptionAdmin subscriptions = new SubscriptionAdmin(definition.store(), queues);
        LocalWorkers localWorkers = new LocalWorkers();
        TransactionalQueue queue = definition.transactionalQueue(queues, wakeUps, localWorkers);
        TickEnqueuer tickEnqueuer = definition.tickEnqueuer(queue);
        this.recurring = definition.recurringAdmin(queue, tickEnqueuer, queues, () -> {});
        this.ticker = new Ticker(
                definition.store().recurring(),
                definition.store().transactions(),
                tickEnqueuer,
                databaseMonitor.nanoTime());
        this.runtime = new EngineRuntime(
                definition,
                queues,
                wakeUps,
                new PauseTracker(wakeUps, definition.telemetry()),
                databaseMonitor,
                listenerStates,
                localWorkers,
                () -> subscriptions.subscribeAll(definition.listeners()));
        databaseMonitor.reset(DatabaseState.UP);
        runtime.startManually();
    }

    /**
     * Makes {@link Engine#start} start no threads: manual engines run the messages.
     *
     * @throws io.acidq.QueueMisuseException when the engine is started already, with or without listeners
     */
    public static void takeOver(Engine engine) {
        engine.setManual();
    }

    /** Adds the subscriptions of the listeners of an engine, as its start does. Reads nothing when no listener is of a topic. */
    public static void subscribeListeners(Engine engine) {
        engine.subscribeListeners();
    }

    /** Returns whether manual engines run the messages of this engine. */
    public static boolean hasTakenOver(Engine engine) {
        return engine.isManual();
    }

    /**
     * Moves due messages, claims, and runs one message, or as many as its listener takes in one transaction.
     *
     * @param queues selects the queues by name
     * @return false when no message of them may start now
     * @throws Exception a failure that a running engine would report as its own; never the failure of a handler
     */
    public boolean runOnce(Predicate<String> queues) throws Exception {
        listenerStates.forEach((queue, state) -> state.setPaused(paused.test(queue)));
        return runtime.runOnceManually(queues);
    }

    /** Returns the recurring messages, as this engine sees and changes them. */
    public RecurringAdmin recurring() {
        return recurring;
    }

    /**
     * Enqueues the messages of all recurring messages whose ticks are due.
     *
     * @throws Exception a failure that a running engine would report as its own
     */
    public void enqueueDueTicks() throws Exception {
        boolean more;
        do {
            more = ticker.runOnce().isZero();
        } while (more);
    }

    /** Returns the number of the engine's node. */
    public int node() {
        return runtime.node();
    }

    /** Returns the state of each queue of the engine. */
    public List<QueueState> queues() {
        return runtime.states();
    }

    /**
     * Requeues the messages that have not started and signs the node off. Without this call the engine looks like a
     * crashed process, whose claims wait until another node declares it dead.
     */
    @Override
    public void close() {
        runtime.stopManually();
    }
}
