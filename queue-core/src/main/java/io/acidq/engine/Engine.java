package io.acidq.engine;

import io.acidq.Inbox;
import io.acidq.InputChecks;
import io.acidq.MessageId;
import io.acidq.MessageQueue;
import io.acidq.QueueMisuseException;
import io.acidq.Receipts;
import io.acidq.admin.Archive;
import io.acidq.admin.Attempts;
import io.acidq.admin.AuditLog;
import io.acidq.admin.Backlog;
import io.acidq.admin.BlockedKeys;
import io.acidq.admin.DeadLetters;
import io.acidq.admin.Diagnosis;
import io.acidq.admin.History;
import io.acidq.admin.ListenerControl;
import io.acidq.admin.Messages;
import io.acidq.admin.Nodes;
import io.acidq.admin.QueueControl;
import io.acidq.admin.RecurringMessages;
import io.acidq.admin.Subscriptions;
import io.acidq.config.EngineConfig;
import io.acidq.engine.admin.ArchiveReader;
import io.acidq.engine.admin.AttemptReader;
import io.acidq.engine.admin.AuditReader;
import io.acidq.engine.admin.DeadLetterAdmin;
import io.acidq.engine.admin.HistoryReader;
import io.acidq.engine.admin.MessageDiagnosis;
import io.acidq.engine.admin.NodeReader;
import io.acidq.engine.admin.QueueAdmin;
import io.acidq.engine.admin.ReceiptReader;
import io.acidq.engine.admin.RecurringAdmin;
import io.acidq.engine.admin.SubscriptionAdmin;
import io.acidq.engine.enqueue.LocalWorkers;
import io.acidq.engine.enqueue.QueueRegistry;
import io.acidq.engine.enqueue.TransactionalInbox;
import io.acidq.engine.enqueue.TransactionalQueue;
import io.acidq.engine.guard.PauseTracker;
import io.acidq.engine.listener.ListenerContainer;
import io.acidq.engine.listener.ListenerState;
import io.acidq.engine.loop.DatabaseMonitor;
import io.acidq.engine.loop.TaskLoop;
import io.acidq.engine.loop.WakeUps;
import io.acidq.engine.maintenance.BacklogMonitor;
import io.acidq.engine.maintenance.Cleaner;
import io.acidq.engine.maintenance.HistoryWriter;
import io.acidq.engine.maintenance.TickEnqueuer;
import io.acidq.engine.maintenance.Ticker;
import io.acidq.store.Store;
import io.acidq.telemetry.EngineHealth;
import io.acidq.telemetry.EngineHealth.DatabaseState;
import io.acidq.telemetry.QueueState;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A message engine over one database: enqueues messages and runs the handlers of its listeners. Enqueueing, the inbox
 * and administration work from {@link EngineBuilder#build} on. Messages are processed and old rows removed between
 * {@link #start} and {@link #stop}; a stopped engine can be started again. Thread-safe.
 *
 * <p>From the start of its first listener until its stop, an engine keeps the JVM alive, also when the main method has
 * ended and when its workers are virtual threads: an engine that is never closed keeps its process from ending by
 * itself. A signal and {@link System#exit} end the process as always; close the engine in a shutdown hook, as Spring
 * does for an engine that is a bean. An engine without listeners keeps nothing alive.
 */
public final class Engine implements AutoCloseable {

    /** How long a step of a stop may take. */
    private static final Duration STOP_STEP_TIMEOUT = Duration.ofSeconds(5);

    private final EngineDefinition definition;
    private final QueueRegistry queues;
    private final WakeUps wakeUps = new WakeUps();
    private final PauseTracker pauseTracker;
    private final DatabaseMonitor databaseMonitor;
    private final Map<String, ListenerState> listenerStates;
    private final LocalWorkers localWorkers = new LocalWorkers();

    private final MessageQueue queue;
    private final TransactionalInbox inbox;
    private final DeadLetterAdmin deadLetters;
    private final QueueAdmin admin;
    private final ArchiveReader archive;
    private final AuditReader audit;
    private final MessageDiagnosis diagnosis;
    private final SubscriptionAdmin subscriptions;
    private final RecurringAdmin recurring;
    private final Ticker ticker;
    private final WakeUps.Signal tickerSignal = new WakeUps.Signal();
    private final ReceiptReader receipts;
    private final History history;
    private final Nodes nodes;
    private final Attempts attempts;
    private final HistoryWriter historyWriter;

    private volatile @Nullable EngineRuntime runtime;
    private List<TaskLoop> backgroundLoops = List.of();
    private boolean manual;

    /** Whether the engine is started without a node, because no listener is wanted yet. */
    private volatile boolean nodeStartPending;

    Engine(EngineDefinition definition) {
        this.definition = definition;
        Store store = definition.store();
        EngineConfig config = definition.config();
        Telemetry telemetry = definition.telemetry();
        this.queues = new QueueRegistry(store.queues(), config);
        this.pauseTracker = new PauseTracker(wakeUps, telemetry);
        this.databaseMonitor = new DatabaseMonitor(config.heartbeatInterval(), System::nanoTime, telemetry);
        this.listenerStates = definition.listenerStates();
        TransactionalQueue enqueueing = definition.transactionalQueue(queues, wakeUps, localWorkers);
        this.queue = definition.interceptors().intercept(enqueueing, store.transactions());
        this.inbox = new TransactionalInbox(store.inbox(), store.transactions(), config.inboxRetention());
        this.deadLetters = new DeadLetterAdmin(store.dead(), queues, wakeUps, telemetry, config.maxPayloadBytes());
        this.admin = new QueueAdmin(store, queues, pauseTracker, wakeUps, telemetry);
        this.archive = new ArchiveReader(store.inspection(), queues);
        this.audit = new AuditReader(store.inspection(), queues);
        this.subscriptions = new SubscriptionAdmin(store, queues);
        TickEnqueuer tickEnqueuer = definition.tickEnqueuer(enqueueing);
        this.recurring = definition.recurringAdmin(enqueueing, tickEnqueuer, queues, tickerSignal::wake);
        this.ticker = new Ticker(store.recurring(), store.transactions(), tickEnqueuer, databaseMonitor.nanoTime());
        this.receipts = new ReceiptReader(store, queues, definition.codec(), definition.receiptSignals());
        this.nodes = new NodeReader(store.inspection());
        this.attempts = new AttemptReader(store.inspection(), queues);
        this.history = new HistoryReader(store.history());
        this.historyWriter = new HistoryWriter(
                definition.history(),
                store.history(),
                this::node,
                this::queues,
                databaseMonitor.trackFailures("history-writer"),
                () -> !databaseMonitor.health(0).database().isOutage(),
                databaseMonitor.nanoTime());
        this.diagnosis = new MessageDiagnosis(store, queues, this::containerOf);
    }

    /** Creates a builder of engines over a store. */
    public static EngineBuilder builder(Store store) {
        return new EngineBuilder(store);
    }

    /** Returns the queue through which messages are enqueued in the caller's transaction. */
    public MessageQueue queue() {
        return queue;
    }

    /**
     * Returns the inbox, which runs work at most once for each message of another system, in the caller's transaction.
     */
    public Inbox inbox() {
        return inbox;
    }

    /** Returns the receipts, which answer whether an enqueue was committed and how a message has ended. */
    public Receipts receipts() {
        return receipts;
    }

    /** Returns the administration of dead letters, which finds, replays and discards them. */
    public DeadLetters deadLetters() {
        return deadLetters;
    }

    /** Returns the administration of blocked keys, which finds and releases ordering keys that a dead letter blocks. */
    public BlockedKeys blockedKeys() {
        return admin.blockedKeys();
    }

    /** Returns the control that pauses and resumes queues on all nodes. */
    public QueueControl control() {
        return admin.control();
    }

    /**
     * Returns the control that starts, stops and pauses the listener of a queue in this engine only.
     *
     * @throws QueueMisuseException when this engine has no listener of the queue
     */
    public ListenerControl listener(String queue) {
        return listeners(List.of(queue));
    }

    /**
     * Returns the control of several listeners at once. They stop in parallel: together they take no longer than one.
     *
     * @throws QueueMisuseException when this engine has no listener of one of the queues
     */
    public ListenerControl listeners(Collection<String> queues) {
        Map<String, ListenerState> chosen = new LinkedHashMap<>();
        for (String name : queues) {
            ListenerState state = listenerStates.get(name);
            if (state == null) {
                throw new QueueMisuseException("this engine has no listener of queue '" + name + "' (it has: "
                        + String.join(
                                ", ", listenerStates.keySet().stream().sorted().toList())
                        + "): add one before the engine is built");
            }
            chosen.put(name, state);
        }
        return new Control(chosen);
    }

    /**
     * Counts the messages of a queue in the database, for all nodes.
     *
     * @throws QueueMisuseException when the queue does not exist
     */
    public Backlog backlog(String queue) {
        return admin.backlog(queue);
    }

    /**
     * Explains why a message does not run. Makes a few plain reads; the first may read the whole lane of the message.
     * Guards and running messages of other nodes are known from their reports, which are up to five seconds old.
     *
     * @throws QueueMisuseException when the queue does not exist
     */
    public Diagnosis why(MessageId id) {
        return diagnosis.diagnose(id);
    }

    /** Returns the browser of queues and their messages. */
    public Messages messages() {
        return admin.messages();
    }

    private synchronized @Nullable ListenerContainer containerOf(int queueId) {
        return runtime == null ? null : runtime.container(queueId);
    }

    /** Returns the administration of subscriptions, which adds, changes, lists and removes them. */
    public Subscriptions subscriptions() {
        return subscriptions;
    }

    /** Returns the recurring messages, which enqueue messages by schedules. */
    public RecurringMessages recurring() {
        return recurring;
    }

    /** Returns the audit log: what operators did to messages, queues, subscriptions and recurring messages. */
    public AuditLog audit() {
        return audit;
    }

    /** Returns the failed attempts of messages. */
    public Attempts attempts() {
        return attempts;
    }

    /** Returns the living nodes, with what they do now. */
    public Nodes nodes() {
        return nodes;
    }

    /** Returns the history: what the engines of the database have done, by minute, ten minutes and hour. */
    public History history() {
        return history;
    }

    /** Returns the archive, which holds the done messages of the queues that keep them; see {@link io.acidq.config.QueueConfig.QueueRetention#archive}. */
    public Archive archive() {
        return archive;
    }

    EngineDefinition definition() {
        return definition;
    }

    synchronized void setManual() {
        InputChecks.require(
                backgroundLoops.isEmpty() && runtime == null,
                "the engine is running, and its threads would take the messages from the test: do not start it");
        manual = true;
        definition.history().onCount(() -> {}); // a test writes no history
    }

    void subscribeListeners() {
        subscriptions.subscribeAll(definition.listeners());
    }

    synchronized boolean isManual() {
        return manual;
    }

    /**
     * Checks the tables, adds the subscriptions of the listeners and the declared recurring messages, and starts the background tasks that need no listener: removal
     * of old rows, backlog alarms, ticks. When a listener is to start with the engine, it also probes the server's locks, registers a node and starts processing;
     * otherwise it does so when {@link #listener} first starts one. Does nothing when the engine is started already.
     *
     * @throws QueueMisuseException when the tables are not those that the store needs (the message names each
     *                              difference and its fix), when a subscription exists with another filter than its
     *                              listener has, when a recurring message is not valid, or when the server's locks
     *                              cannot keep the order of a listener's queue
     */
    public synchronized void start() {
        if (!backgroundLoops.isEmpty()) {
            return;
        }
        definition.store().server().checkTables();
        queues.writeSettings(definition.telemetry());
        subscriptions.subscribeAll(definition.listeners());
        recurring.declareAll(definition.recurring());
        if (manual) {
            return;
        }
        StartReport report = new StartReport(definition, queues);
        databaseMonitor.reset(DatabaseState.UP);
        try {
            startNode();
        } catch (RuntimeException e) {
            endDatabaseMonitoring();
            throw e;
        }
        List<TaskLoop> starting = createBackgroundLoops();
        starting.forEach(TaskLoop::start);
        historyWriter.start();
        backgroundLoops = starting;
        databaseMonitor.onEndOfOutage(() -> resume(starting));
        report.log();
    }

    /** Registers the node of a started engine when the first listener is wanted. */
    private void startNodeIfPending() {
        if (nodeStartPending) {
            synchronized (this) {
                if (nodeStartPending) {
                    startPendingNode();
                }
            }
        }
    }

    private void startPendingNode() {
        try {
            startNode();
        } catch (RuntimeException e) {
            nodeStartPending = true; // the next listener that is asked to start tries again
            throw e;
        }
    }

    private void declareAgain() {
        subscriptions.subscribeAll(definition.listeners());
        recurring.declareMissing(definition.recurring());
    }

    private void startNode() {
        nodeStartPending = true; // before the states are read: a listener that is asked to start later sees this flag
        if (listenerStates.values().stream().anyMatch(ListenerState::shouldRun)) {
            nodeStartPending = false;
            EngineRuntime starting = new EngineRuntime(
                    definition,
                    queues,
                    wakeUps,
                    pauseTracker,
                    databaseMonitor,
                    listenerStates,
                    localWorkers,
                    this::declareAgain);
            // set before its start, so that a listener that an operator starts during it is not missed
            runtime = starting;
            try {
                starting.start();
            } catch (Throwable e) { // leaves neither threads nor a node with a heartbeat behind
                runtime = null;
                starting.stop(Duration.ZERO);
                throw e;
            }
        }
    }

    private void endDatabaseMonitoring() {
        databaseMonitor.setWakeHeartbeat(null);
        databaseMonitor.reset(DatabaseState.UNKNOWN);
    }

    private void resume(List<TaskLoop> loops) {
        EngineRuntime current = runtime;
        if (current != null) {
            current.resume();
        }
        loops.forEach(TaskLoop::wake);
    }

    /** Creates the loops that every started engine runs, with or without a node. */
    private List<TaskLoop> createBackgroundLoops() {
        Store store = definition.store();
        List<TaskLoop> loops = new ArrayList<>();
        BacklogMonitor backlogMonitor =
                new BacklogMonitor(store.queues(), store.inspection(), definition.config(), definition.telemetry());
        if (backlogMonitor.hasWork()) {
            loops.add(new TaskLoop(backlogMonitor, databaseMonitor));
        }
        loops.add(new TaskLoop(
                Cleaner.of(store, definition.config(), historyWriter, definition.telemetry()), databaseMonitor));
        loops.add(new TaskLoop(ticker, tickerSignal, databaseMonitor));
        return loops;
    }

    /**
     * Stops gracefully: claims nothing more, requeues messages that have not started, and lets running handlers finish
     * within the given time. Handlers that still run are then interrupted and their messages requeued. While the
     * database is unreachable, a stop takes up to half a minute longer, and other nodes free what could not be
     * requeued. Does nothing when the engine is not started.
     *
     * @param timeout  how long running handlers may take
     * @return whether every handler finished by itself and everything that had to be written is written
     */
    public synchronized boolean stop(Duration timeout) {
        nodeStartPending = false;
        EngineRuntime stopping = runtime;
        runtime = null;
        boolean clean = stopping == null || stopping.stop(timeout);
        stopBackgroundLoops();
        endDatabaseMonitoring();
        return clean;
    }

    private void stopBackgroundLoops() {
        List<TaskLoop> stopping = backgroundLoops;
        backgroundLoops = List.of();
        stopping.forEach(TaskLoop::requestStop);
        try {
            for (TaskLoop loop : stopping) {
                loop.stop(STOP_STEP_TIMEOUT);
            }
            historyWriter.stop(STOP_STEP_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops with the configured {@link EngineConfig#stopTimeout}. */
    @Override
    public void close() {
        stop(definition.config().stopTimeout());
    }

    /**
     * Returns the state of each queue that this engine processes now, with what holds up its starts; empty when the
     * engine does not run.
     */
    public List<QueueState> queues() {
        EngineRuntime current = runtime;
        return current == null ? List.of() : current.states();
    }

    /** Returns the state of the database as this engine sees it, and the number of its node. */
    public EngineHealth health() {
        return databaseMonitor.health(node());
    }

    /**
     * Returns the names of the queues that this process has used: those of its listeners, and those that it has
     * enqueued to or asked for. {@link #messages} lists all queues of the database.
     */
    public Set<String> knownQueues() {
        return queues.names();
    }

    /** Returns whether the engine is started and processes messages as a node. */
    public synchronized boolean isRunning() {
        return runtime != null;
    }

    /** Returns the number of this engine's node; 0 when it has none. */
    public int node() {
        EngineRuntime current = runtime;
        return current == null ? 0 : current.node();
    }

    /**
     * The control of some listeners of the engine. It does not hold the engine's monitor while handlers run:
     * {@link Engine#stop} may hold it while it waits for the same handlers.
     */
    private final class Control implements ListenerControl {

        private final Map<String, ListenerState> listeners;

        /** @param listeners the state of each listener, by the name of the queue */
        Control(Map<String, ListenerState> listeners) {
            this.listeners = listeners;
        }

        @Override
        public boolean isRunning() {
            EngineRuntime current = runtime;
            return current != null && current.isRunning(listeners.keySet());
        }

        @Override
        public boolean isPaused() {
            return listeners.values().stream().allMatch(ListenerState::isPaused);
        }

        @Override
        public void pause() {
            change(state -> state.setPaused(true));
        }

        @Override
        public void resume() {
            change(state -> state.setPaused(false));
        }

        @Override
        public void start() {
            change(state -> state.setShouldRun(true));
        }

        @Override
        public boolean stop() {
            return stop(definition.config().stopTimeout());
        }

        @Override
        public boolean stop(Duration timeout) {
            listeners.values().forEach(state -> state.setShouldRun(false));
            EngineRuntime current = runtime;
            return current == null || current.stop(listeners.keySet(), timeout);
        }

        private void change(Consumer<ListenerState> change) {
            listeners.values().forEach(change);
            startNodeIfPending();
            EngineRuntime current = runtime; // read after the change: a runtime that starts later sees the new states
            if (current != null) {
                current.listenersChanged(listeners.keySet());
            }
        }
    }
}
