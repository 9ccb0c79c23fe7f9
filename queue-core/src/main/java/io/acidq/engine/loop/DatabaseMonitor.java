package io.acidq.engine.loop;

import io.acidq.store.DatabaseError;
import io.acidq.telemetry.EngineHealth;
import io.acidq.telemetry.EngineHealth.DatabaseState;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The state of the database as an engine sees it. The heartbeat decides: when another task fails, the heartbeat only runs at once. So a single lost connection
 * changes nothing, and an outage is reported once and not by every task. Thread-safe.
 */
public final class DatabaseMonitor {

    /** How much later than this node other nodes may reach the server again after an outage, because pools increase the wait between their attempts. */
    static final Duration SETTLING = Duration.ofSeconds(15);

    /** A node that has just started does not know whether there was an outage: it waits for this many intervals, in which other nodes may be silent. */
    private static final int UNKNOWN_INTERVALS = 6;

    /** A heartbeat that is late by this many intervals, and by this time, does not get a connection. */
    private static final int STALE_INTERVALS = 3;

    private static final Duration STALE = Duration.ofSeconds(5);

    /** A shortage of connections is over when no task has failed to get one for this time. */
    private static final Duration UP_AFTER = Duration.ofSeconds(15);

    private static final Duration FORGET_FAILURE_AFTER = Duration.ofMinutes(1);
    private static final Set<DatabaseError> OUTAGES = EnumSet.of(DatabaseError.CONNECTION, DatabaseError.UNAVAILABLE);

    private final long intervalNanos;
    private final LongSupplier nanoTime;
    private final Telemetry telemetry;
    private final Map<String, FailingTask> failingTasks = new HashMap<>();

    private volatile DatabaseState state = DatabaseState.UNKNOWN;
    private final AtomicInteger outages = new AtomicInteger();
    private long since;
    private @Nullable String lastError;
    private @Nullable Long lastHeartbeat;
    private long settledAt;
    private long lastFailure;
    private @Nullable Runnable wakeHeartbeat;
    private Runnable onOutage = () -> {};
    private Runnable onEndOfOutage = () -> {};

    public DatabaseMonitor(Duration heartbeatInterval, LongSupplier nanoTime, Telemetry telemetry) {
        this.intervalNanos = heartbeatInterval.toNanos();
        this.nanoTime = nanoTime;
        this.telemetry = telemetry;
        this.since = nanoTime.getAsLong();
    }

    /** Consecutive failures of one task. */
    private record FailingTask(long first, long last, Throwable failure) {}

    public LongSupplier nanoTime() {
        return nanoTime;
    }

    public FailureTracker trackFailures(String name) {
        return new FailureTracker(name, telemetry, this);
    }

    /** Sets what wakes the heartbeat, which decides from now on; null when the engine has no heartbeat. */
    public synchronized void setWakeHeartbeat(@Nullable Runnable wake) {
        wakeHeartbeat = wake;
    }

    /** Sets what runs when an outage begins. At that time no message may start any more. */
    public synchronized void onOutage(Runnable action) {
        onOutage = action;
    }

    /** Sets what runs when an outage ends. */
    public synchronized void onEndOfOutage(Runnable action) {
        onEndOfOutage = action;
    }

    /** The engine starts, or stops. */
    public synchronized void reset(DatabaseState first) {
        failingTasks.clear();
        state = first;
        since = nanoTime.getAsLong();
        lastHeartbeat = null;
        settledAt = since + Math.min(SETTLING.toNanos(), UNKNOWN_INTERVALS * intervalNanos);
    }

    /** Checks that the heartbeat is not late. Its thread may be blocked for long while it waits for a connection of a pool. */
    public synchronized void checkHeartbeat() {
        Long last = lastHeartbeat;
        long silent = last == null ? 0 : nanoTime.getAsLong() - last;
        if (wakeHeartbeat != null
                && !state.isOutage()
                && silent > Math.max(STALE_INTERVALS * intervalNanos, STALE.toNanos())) {
            change(
                    DatabaseState.DOWN,
                    new TimeoutException("no heartbeat has reached the database for "
                            + Duration.ofNanos(silent).toMillis() + " ms"));
        }
    }

    /** Returns how many outages have begun. After an outage the engine may be connected to another server. */
    public int outages() {
        return outages.get();
    }

    public boolean letsWork() {
        return state.letsWork();
    }

    /**
     * Returns whether a silent node can be declared dead: not during an outage, nor right after an outage or a start, when other nodes may not be
     * connected yet.
     */
    public synchronized boolean isSettled() {
        return letsWork() && nanoTime.getAsLong() - settledAt >= 0;
    }

    /** A heartbeat was written. */
    public synchronized void heartbeatWorked() {
        lastHeartbeat = nanoTime.getAsLong();
        if (state.isOutage()) {
            settledAt = nanoTime.getAsLong() + SETTLING.toNanos();
            failingTasks.clear();
            change(DatabaseState.UP, null);
            onEndOfOutage.run();
            return;
        }
        long now = nanoTime.getAsLong();
        failingTasks.values().removeIf(f -> now - f.last >= FORGET_FAILURE_AFTER.toNanos());
        Optional<FailingTask> lastingFailure = failingTasks.values().stream()
                .filter(f -> f.last - f.first >= intervalNanos)
                .findFirst();
        if (lastingFailure.isPresent()) {
            change(DatabaseState.IMPAIRED, lastingFailure.get().failure);
        } else if (failingTasks.isEmpty() && now - lastFailure >= UP_AFTER.toNanos()) {
            change(DatabaseState.UP, null);
        }
    }

    /** A heartbeat could not be written. */
    public synchronized void heartbeatFailed(Throwable failure) {
        boolean readOnly = DatabaseError.of(failure) == DatabaseError.UNAVAILABLE;
        change(readOnly ? DatabaseState.READ_ONLY : DatabaseState.DOWN, failure);
    }

    /** A task failed. Returns whether the database is the cause: then this monitor reports the failure, and the task does not. */
    synchronized boolean taskFailed(String task, Throwable failure) {
        DatabaseError error = DatabaseError.of(failure);
        if (error == null || !OUTAGES.contains(error)) {
            return false;
        }
        long now = nanoTime.getAsLong();
        FailingTask before = failingTasks.get(task);
        failingTasks.put(task, new FailingTask(before == null ? now : before.first, now, failure));
        lastFailure = now;
        Runnable wake = wakeHeartbeat;
        if (wake == null) {
            heartbeatFailed(failure);
        } else if (before == null && !state.isOutage()) {
            wake.run();
        }
        return true;
    }

    synchronized void taskWorked(String task) {
        failingTasks.remove(task);
        if (wakeHeartbeat == null && state.isOutage()) {
            change(DatabaseState.UP, null);
        }
    }

    private void change(DatabaseState to, @Nullable Throwable failure) {
        if (failure != null) {
            lastError = failure.toString();
        }
        if (to == state || state == DatabaseState.UNKNOWN) {
            return;
        }
        state = to;
        since = nanoTime.getAsLong();
        if (to.isOutage()) {
            outages.incrementAndGet();
            onOutage.run();
        }
        telemetry.databaseChanged(to, failure);
    }

    public synchronized EngineHealth health(int node) {
        checkHeartbeat();
        long now = nanoTime.getAsLong();
        return new EngineHealth(
                state,
                Duration.ofNanos(now - since),
                Optional.ofNullable(lastError),
                node,
                Optional.ofNullable(lastHeartbeat).map(last -> Duration.ofNanos(now - last)));
    }
}
