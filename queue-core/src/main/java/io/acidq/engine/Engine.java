package io.acidq.engine;

import io.acidq.Inbox;
import io.acidq.MessageId;
import io.acidq.MessageQueue;
import io.acidq.QueueMisuseException;
import io.acidq.admin.Archive;
import io.acidq.admin.AuditLog;
import io.acidq.admin.Backlog;
import io.acidq.admin.BlockedKeys;
import io.acidq.admin.DeadLetters;
import io.acidq.admin.Diagnosis;
import io.acidq.admin.ListenerControl;
import io.acidq.admin.Messages;
import io.acidq.admin.QueueControl;
import io.acidq.config.EngineConfig;
import io.acidq.config.QueueConfig;
import io.acidq.engine.admin.AdminService;
import io.acidq.engine.admin.DeadLetterAdmin;
import io.acidq.engine.admin.MessageDiagnosis;
import io.acidq.engine.enqueue.QueueRegistry;
import io.acidq.engine.enqueue.TransactionalInbox;
import io.acidq.engine.enqueue.TransactionalQueue;
import io.acidq.engine.listener.EngineParts;
import io.acidq.engine.listener.ListenerContainer;
import io.acidq.engine.listener.ListenerState;
import io.acidq.engine.loop.TaskLoop;
import io.acidq.engine.maintenance.BacklogMonitor;
import io.acidq.engine.maintenance.Cleaner;
import io.acidq.store.Store;
import io.acidq.telemetry.DatabaseState;
import io.acidq.telemetry.EngineHealth;
import io.acidq.telemetry.QueueState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A running AcidQ over one database: enqueues, and runs the handlers of its listeners. Thread-safe. Enqueueing, the inbox and dead
 * letters work from {@link EngineBuilder#build} on; messages are processed and old rows removed between {@link #start} and {@link #stop}.
 */
public final class Engine implements AutoCloseable {

    private static final Duration GRACE = Duration.ofSeconds(5);

    private final EngineParts parts;
    private final EngineMemory memory;
    private final MessageQueue queue;
    private final TransactionalInbox inbox;
    private final DeadLetterAdmin deadLetters;
    private final AdminService admin;
    private final MessageDiagnosis diagnosis;
    private volatile @Nullable EngineRuntime run;
    private List<TaskLoop> chores = List.of();
    private boolean stepped;

    /** Started, and no node: none of its listeners is to run. */
    private volatile boolean waiting;

    Engine(EngineParts parts) {
        this.parts = parts;
        this.memory = EngineMemory.of(parts);
        Store store = parts.store();
        QueueRegistry queues = memory.queues();
        EngineConfig config = parts.config();
        MessageQueue enqueueing =
                new TransactionalQueue(store, parts.codec(), config, queues, memory.signals(), memory.free());
        this.queue = parts.interceptors().around(enqueueing, store.transactions());
        this.inbox = new TransactionalInbox(store.inbox(), store.transactions(), config.inboxRetention());
        this.deadLetters = new DeadLetterAdmin(
                store.dead(), queues, memory.signals(), parts.telemetry(), config.maxPayloadBytes());
        this.admin = new AdminService(store, queues, memory.pauses(), memory.signals(), parts.telemetry());
        this.diagnosis = new MessageDiagnosis(store, queues, this::runOf);
    }

    /** Begins to put an engine together over a store. */
    public static EngineBuilder builder(Store store) {
        return new EngineBuilder(store);
    }

    /** Enqueues in the caller's transaction. */
    public MessageQueue queue() {
        return queue;
    }

    /** Does work once for each message from anywhere, in the caller's transaction. */
    public Inbox inbox() {
        return inbox;
    }

    /** Finds, replays and discards dead letters. */
    public DeadLetters deadLetters() {
        return deadLetters;
    }

    /** Finds and releases ordering keys that a dead letter holds up. */
    public BlockedKeys blockedKeys() {
        return admin.blockedKeys();
    }

    /** Pauses queues and resumes them. */
    public QueueControl control() {
        return admin.control();
    }

    /**
     * Starts, stops and pauses the listener of a queue, in this engine alone.
     *
     * @throws QueueMisuseException when this engine has none
     */
    public ListenerControl listener(String queue) {
        return listeners(List.of(queue));
    }

    /** The same for several at once, whose stop takes no longer than that of one. */
    public ListenerControl listeners(Collection<String> queues) {
        Map<String, ListenerState> chosen = new LinkedHashMap<>();
        for (String name : queues) {
            ListenerState listenerState = memory.standings().get(name);
            if (listenerState == null) {
                throw new QueueMisuseException("this engine has no listener of queue '" + name + "' (it has: "
                        + String.join(
                                ", ",
                                memory.standings().keySet().stream().sorted().toList())
                        + "): add one before the engine is built");
            }
            chosen.put(name, listenerState);
        }
        return new ListenerControls(
                chosen, this::startNodeIfWaiting, () -> run, parts.config().stopTimeout());
    }

    /**
     * How much there is of a queue in the database, whichever nodes serve it.
     *
     * @throws QueueMisuseException when there is no such queue
     */
    public Backlog backlog(String queue) {
        return admin.backlog(queue);
    }

    /**
     * Why a message does not run. A few plain reads, of which the first may read the message's whole lane; what only this engine knows (its guards,
     * what it runs) is said of this engine.
     *
     * @throws QueueMisuseException when there is no such queue
     */
    public Diagnosis why(MessageId id) {
        return diagnosis.why(id);
    }

    /** Shows queues and what lies in them. */
    public Messages messages() {
        return admin.messages();
    }

    private synchronized @Nullable ListenerContainer runOf(int queue) {
        return run == null ? null : run.queue(queue);
    }

    /** Tells who has replayed and discarded dead letters, or paused and resumed queues, when, and why. */
    public AuditLog audit() {
        return admin.audit();
    }

    /** Finds done messages of the queues that keep them: see {@link QueueConfig#archive}. */
    public Archive archive() {
        return admin.archive();
    }

    /** From now on {@link #start} checks the tables and starts nothing: for tests, which run messages by a {@link ManualEngine}. */
    public synchronized void stepped() {
        stepped = true;
    }

    /** Whether {@link #start} starts nothing. */
    public synchronized boolean isStepped() {
        return stepped;
    }

    /** What it was built of; for a {@link ManualEngine}. */
    public EngineParts parts() {
        return parts;
    }

    /**
     * Checks the tables; when there are listeners that start with it, tries what the server does with locks, registers as a node and begins to
     * process, otherwise when the first is started by {@link #listener}; begins to remove old rows in any case. Does nothing when it has been started.
     *
     * @throws QueueMisuseException when the tables are not those that the store needs: it names each difference and its fix; or when the
     *                              server's locks can not keep the order that messages of a listener's queue need
     */
    public synchronized void start() {
        if (!chores.isEmpty()) {
            return;
        }
        parts.store().server().checkTables();
        memory.queues().writeSettings(parts.telemetry());
        if (stepped) {
            return;
        }
        memory.watch().begin(DatabaseState.UP);
        try {
            startNode();
        } catch (RuntimeException e) {
            endWatch();
            throw e;
        }
        List<TaskLoop> starting = chores();
        starting.forEach(TaskLoop::start);
        chores = starting;
        memory.watch().onEndOfOutage(() -> resume(starting));
    }

    private boolean isAnyWanted() {
        return memory.standings().values().stream().anyMatch(ListenerState::isWanted);
    }

    /** A listener may have been asked to start: the first one makes a node of the engine. */
    private void startNodeIfWaiting() {
        if (waiting) {
            synchronized (this) {
                if (waiting) {
                    startWaitingNode();
                }
            }
        }
    }

    private void startWaitingNode() {
        try {
            startNode();
        } catch (RuntimeException e) {
            waiting = true; // the next one that is asked to start tries again
            throw e;
        }
    }

    private void startNode() {
        waiting = true; // before the look: who is asked to start after it sees this
        if (isAnyWanted()) {
            waiting = false;
            EngineRuntime starting = new EngineRuntime(parts, memory);
            run = starting; // before its start: a listener that is asked to start meanwhile is not overlooked
            try {
                starting.start();
            } catch (Throwable e) { // nothing of it stays behind: neither threads nor a node that heartbeats
                run = null;
                starting.stop(Duration.ZERO);
                throw e;
            }
        }
    }

    private void endWatch() {
        memory.watch().heartbeat(null);
        memory.watch().begin(DatabaseState.UNKNOWN);
    }

    private void resume(List<TaskLoop> waiting) {
        EngineRuntime running = run;
        if (running != null) {
            running.resume();
        }
        waiting.forEach(TaskLoop::wake);
    }

    /** What every engine does for all. */
    private List<TaskLoop> chores() {
        Store store = parts.store();
        List<TaskLoop> loops = new ArrayList<>();
        BacklogMonitor monitor =
                new BacklogMonitor(store.queues(), store.inspection(), parts.config(), parts.telemetry());
        if (monitor.hasWork()) {
            loops.add(new TaskLoop(monitor, memory.watch()));
        }
        Cleaner janitor = Cleaner.of(store.maintenance(), parts.config(), parts.telemetry());
        loops.add(new TaskLoop(janitor, memory.watch()));
        return loops;
    }

    /**
     * Stops in good order: no new claims, what has not started is given back, running handlers finish within the time; those
     * that have not are interrupted and their messages given back. While the database is away it takes up to half a minute longer, and
     * others free what could not be given back.
     *
     * @return whether every handler finished by itself, and all that was to be written is
     */
    public synchronized boolean stop(Duration patience) {
        waiting = false;
        EngineRuntime stopping = run;
        run = null;
        boolean clean = stopping == null || stopping.stop(patience);
        stopChores();
        endWatch();
        return clean;
    }

    private void stopChores() {
        List<TaskLoop> stopping = chores;
        chores = List.of();
        stopping.forEach(TaskLoop::end);
        try {
            for (TaskLoop chore : stopping) {
                chore.stop(GRACE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops with the configured patience. */
    @Override
    public void close() {
        stop(parts.config().stopTimeout());
    }

    /** The queues that this engine processes now, with what holds up their starts; empty when it does not run. */
    public List<QueueState> queues() {
        EngineRuntime running = run;
        return running == null ? List.of() : running.states();
    }

    /** How this engine finds its database, and what it is there. */
    public EngineHealth health() {
        EngineRuntime running = run;
        return memory.watch().health(running == null ? 0 : running.node());
    }

    /** The queues that this process has used: those of its listeners, and those that it has enqueued to or asked for; {@link #messages} tells all. */
    public Set<String> knownQueues() {
        return memory.queues().names();
    }

    public synchronized boolean isRunning() {
        return run != null;
    }

    /** The number of the node that this engine is at the moment; 0 when it is none. */
    public int node() {
        EngineRuntime running = run;
        return running == null ? 0 : running.node();
    }
}
