package io.acidq.dashboard.read;

import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.admin.Messages.QueueInfo;
import io.acidq.admin.PrivilegedAction;
import io.acidq.doctor.Doctor;
import io.acidq.doctor.DoctorOptions;
import io.acidq.doctor.Report;
import io.acidq.engine.Engine;
import io.acidq.engine.EngineDefinition;
import io.acidq.store.DatabaseError;
import io.acidq.store.DeadLetterStore.BulkProgress;
import io.acidq.store.DeadLetterStore.OperatorAction;
import io.acidq.store.ServerStore.SessionInfo;
import io.acidq.store.Store;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The database of an engine, as the dashboard uses it. At most a few requests use it at once; another one waits for at most a second and is refused then. While the
 * database is away, one request in 5 seconds asks it again, and the others are refused at once, so that viewers do not use up the threads of the server.
 * Thread-safe.
 */
public final class Database {

    /** The longest time limit that a request may ask for. */
    public static final Duration LONGEST_READ_LIMIT = Duration.ofSeconds(20);

    private static final Duration MAX_WAIT = Duration.ofSeconds(1);
    private static final Duration TRY_AGAIN_AFTER = Duration.ofSeconds(5);
    private static final Duration CLOCK_KEPT = Duration.ofMinutes(1);
    private static final Duration PRIVILEGES_KEPT = Duration.ofMinutes(10);
    private static final Duration DOCTOR_REST = Duration.ofMinutes(1);
    private static final int MAX_NEAREST = 5;

    private final String name;
    private final Engine engine;
    private final Store store;
    private final Semaphore connections;
    private final Semaphore longReads = new Semaphore(1);
    private final Duration readLimit;
    private final Clock clock;
    private final LongSupplier nanoTime;
    private final Sampler sampler;
    private final SharedReads shared;
    private final BulkActions bulkActions;
    private final RecentHistory history;
    private final Doctor doctor;

    private final Lock doctorLock = new ReentrantLock();
    private volatile @Nullable DoctorRun doctorRun;

    private volatile boolean tablesFit;
    private volatile Status status;
    private volatile @Nullable ServerTime serverTime;
    private volatile @Nullable Privileges privileges;
    private final AtomicLong nextTry = new AtomicLong();

    /**
     * The database of an engine.
     *
     * @param connections how many requests may use the database at once
     * @param readLimit   how long a statement of a read may take
     */
    public Database(String name, Engine engine, int connections, Duration readLimit) {
        this(name, engine, connections, readLimit, Clock.systemUTC(), System::nanoTime);
    }

    Database(String name, Engine engine, int connections, Duration readLimit, Clock clock, LongSupplier nanoTime) {
        EngineDefinition definition = EngineDefinition.of(engine);
        this.name = name;
        this.engine = engine;
        this.store = definition.store();
        this.connections = new Semaphore(connections);
        this.readLimit = readLimit;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.status = new Status(State.UNKNOWN, clock.instant(), "");
        this.sampler = new Sampler(this, nanoTime);
        this.shared = new SharedReads(nanoTime);
        this.bulkActions = new BulkActions(this);
        this.history = new RecentHistory(this, nanoTime);
        this.doctor = new Doctor(
                store,
                DoctorOptions.of(clock).withMaxPayloadBytes(definition.config().maxPayloadBytes()));
    }

    /** The name of the engine. */
    public String name() {
        return name;
    }

    /** The engine, for what it has in memory. What asks the database goes through {@link #call}. */
    public Engine engine() {
        return engine;
    }

    /** The sample of the queues, from which lists are answered. */
    public Sampler sampler() {
        return sampler;
    }

    /** Results of other reads that many viewers ask for. */
    public SharedReads shared() {
        return shared;
    }

    /** Bulk actions that run in this process. */
    public BulkActions bulkActions() {
        return bulkActions;
    }

    /** Stops the bulk actions after their current transactions, and waits for them. */
    public void close(Duration atMost) {
        bulkActions.close(atMost);
    }

    /** The history, from which rates and charts are answered. */
    public RecentHistory history() {
        return history;
    }

    /** Returns the state that the last access to the database has shown. */
    public Status status() {
        return status;
    }

    /**
     * Reads or changes something in the database.
     *
     * @throws TransientQueueException when the database is away, or all its connections for the dashboard are in use for a second
     * @throws QueueMisuseException    when the tables are not those of this version, or the engine refuses
     */
    public <T> T call(Function<Engine, T> access) {
        return guarded(() -> {
            if (!tablesFit) {
                checkTables();
                tablesFit = true;
            }
            return access.apply(engine);
        });
    }

    /** The time limit of a read whose request asks for no other. */
    public Duration readLimit() {
        return readLimit;
    }

    /**
     * Runs the reads of a request. The server ends each statement that takes longer than the limit. One request at once has a limit above {@link #readLimit}, so that
     * slow reads leave a connection to the others.
     *
     * @throws TransientQueueException when a statement took longer, or another request with a longer limit runs
     */
    public <T> T reads(Duration limit, Supplier<T> reads) {
        if (limit.compareTo(readLimit) <= 0) {
            return limited(limit, reads);
        }
        if (!longReads.tryAcquire()) {
            throw new TransientQueueException(
                    "busy: another request reads with a longer time limit, and the dashboard lets only one do so: try again",
                    new TimeoutException());
        }
        try {
            return limited(limit, reads);
        } finally {
            longReads.release();
        }
    }

    private <T> T limited(Duration limit, Supplier<T> reads) {
        try {
            return store.server().withReadLimit(limit, reads);
        } catch (TransientQueueException e) {
            if (!isReadLimit(e)) {
                throw e;
            }
            throw new TransientQueueException(
                    "the read took longer than " + limit.toMillis() / 1_000.0
                            + " seconds, and the database server ended it: ask for less, or try again when the server is less busy",
                    e);
        }
    }

    /** Whether a read failed because a statement took longer than its limit. */
    public static boolean isReadLimit(TransientQueueException e) {
        return DatabaseError.of(e) == DatabaseError.LOCK_TIMEOUT; // plain reads wait for no lock
    }

    /** Compares the tables. The message of the store has the statements of the repair too, which are no answer to a request. */
    private void checkTables() {
        try {
            store.server().checkTables();
        } catch (QueueMisuseException e) {
            String differences = String.valueOf(e.getMessage()).split("\nHow to \\w+ it: ", 2)[0];
            throw new QueueMisuseException(
                    differences + "\nThe doctor and acidq schema check say how to repair them", e);
        }
    }

    private <T> T guarded(Supplier<T> access) {
        refuseWhileAway();
        acquire();
        try {
            T result = access.get();
            reached();
            return result;
        } catch (TransientQueueException e) {
            failed(e);
            throw e;
        } catch (QueueMisuseException e) {
            reached();
            throw e;
        } finally {
            connections.release();
        }
    }

    private void refuseWhileAway() {
        Status last = status;
        if (last.state() != State.DOWN) {
            return;
        }
        long due = nextTry.get();
        long now = nanoTime.getAsLong();
        if (now - due < 0 || !nextTry.compareAndSet(due, now + TRY_AGAIN_AFTER.toNanos())) {
            throw new TransientQueueException(
                    "the database is away since " + last.since() + " and is asked again every "
                            + TRY_AGAIN_AFTER.toSeconds() + " seconds: " + last.error(),
                    new TimeoutException());
        }
    }

    private void acquire() {
        try {
            if (!connections.tryAcquire(MAX_WAIT.toNanos(), TimeUnit.NANOSECONDS)) {
                throw busy();
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Waits for a lock as for a connection: a database that hangs must not use up the threads of the server. Returns whether it got it. */
    static boolean lock(Lock lock) {
        try {
            return lock.tryLock(MAX_WAIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    static TransientQueueException busy() {
        return new TransientQueueException(
                "busy: other requests of the dashboard use all its connections to the database: try again",
                new TimeoutException());
    }

    private static TransientQueueException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new TransientQueueException("the request was interrupted: try again", e);
    }

    private void reached() {
        if (status.state() != State.UP) {
            status = new Status(State.UP, clock.instant(), "");
        }
    }

    private void failed(TransientQueueException e) {
        if (DatabaseError.of(e) == DatabaseError.CONNECTION) {
            Status last = status;
            nextTry.set(nanoTime.getAsLong() + TRY_AGAIN_AFTER.toNanos());
            tablesFit = false; // what comes back may be another server
            serverTime = null;
            status = new Status(
                    State.DOWN,
                    last.state() == State.DOWN ? last.since() : clock.instant(),
                    String.valueOf(e.getMessage()));
        }
    }

    /**
     * The time by the database's clock. It is read once a minute; in between, this process counts. While the database is away, the time by the clock of this
     * process.
     */
    public Instant now() {
        ServerTime known = serverTime;
        long nanos = nanoTime.getAsLong();
        if (known == null || nanos - known.nanos() > CLOCK_KEPT.toNanos()) {
            try {
                SessionInfo session = guarded(() -> store.server().session());
                nanos = nanoTime.getAsLong();
                known = new ServerTime(session.now(), nanos, session.server());
                serverTime = known;
            } catch (TransientQueueException e) {
                if (known == null) {
                    return clock.instant();
                }
            }
        }
        return known.now().plusNanos(nanos - known.nanos());
    }

    /** The product and version of the server; empty while it is not known. */
    public Optional<String> server() {
        return Optional.ofNullable(serverTime).map(ServerTime::server);
    }

    /** Whether there is a queue of this name. Reads the database only if the sample does not have it. */
    public boolean exists(String queue) {
        return sampler.names().contains(queue)
                || call(e -> {
                    try {
                        e.control().isPaused(queue);
                        return true;
                    } catch (QueueMisuseException unknown) {
                        return false;
                    }
                });
    }

    /**
     * The actions that the account of the database may not do, each with the privileges that it lacks. Looked for once in 10 minutes; none while that is not possible.
     */
    public Map<PrivilegedAction, List<String>> missingPrivileges() {
        Privileges known = privileges;
        long nanos = nanoTime.getAsLong();
        if (known == null || nanos - known.nanos() > PRIVILEGES_KEPT.toNanos()) {
            try {
                known = new Privileges(call(e -> store.server().missingPrivileges()), nanos);
                privileges = known;
            } catch (TransientQueueException | QueueMisuseException e) {
                return known == null ? Map.of() : known.missing();
            }
        }
        return known.missing();
    }

    /** The names of the queues most like this one, among those that match. */
    public List<String> nearest(String queue, Function<String, Boolean> matches) {
        return SimilarNames.of(queue, sampler.names().stream().filter(matches::apply), MAX_NEAREST);
    }

    /** Returns the last report of the doctor; empty when it has not run. */
    public Optional<DoctorRun> lastDoctorRun() {
        return Optional.ofNullable(doctorRun);
    }

    /**
     * Runs the doctor, at most once a minute: returns the last report if it is younger. The doctor finds out by itself when the database is away. It uses
     * connections besides those of the other requests.
     *
     * @throws TransientQueueException when another request runs it
     */
    public DoctorRun runDoctor() {
        if (!lock(doctorLock)) {
            throw new TransientQueueException("the doctor is running: try again", new TimeoutException());
        }
        try {
            DoctorRun last = doctorRun;
            long nanos = nanoTime.getAsLong();
            if (last == null || nanos - last.nanos() > DOCTOR_REST.toNanos()) {
                last = new DoctorRun(doctor.examine(), clock.instant(), nanos);
                doctorRun = last;
            }
            return last;
        } finally {
            doctorLock.unlock();
        }
    }

    /** Records that an operator stops a bulk action. */
    void recordStop(OperatorAction action, BulkProgress stopped) {
        call(e -> {
            store.dead().recordStop(action, stopped);
            return stopped;
        });
    }

    /** Lists the queues for the sample. */
    List<QueueInfo> queues(int limit) {
        return call(e -> e.messages().queues(limit));
    }

    /** The state of a database as the dashboard sees it. */
    public enum State {
        /** It has not been asked yet. */
        UNKNOWN,
        /** It answers. */
        UP,
        /** It does not answer. */
        DOWN
    }

    /**
     * The state of the database, as the last access has shown it.
     *
     * @param since when it changed to this state, by the clock of this process
     * @param error the error of the last access; empty if it succeeded
     */
    public record Status(State state, Instant since, String error) {}

    /**
     * A run of the doctor.
     *
     * @param ranAt by the clock of this process
     */
    public record DoctorRun(Report report, Instant ranAt, long nanos) {}

    private record Privileges(Map<PrivilegedAction, List<String>> missing, long nanos) {}

    private record ServerTime(Instant now, long nanos, String server) {}
}
