package io.acidq.engine.duty;

import io.acidq.store.DatabaseError;
import io.acidq.telemetry.DatabaseState;
import io.acidq.telemetry.EngineHealth;
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
 * The one place in an engine that knows whether its database can be worked with. The heartbeat decides: another's failure only makes it beat
 * at once, so that a single lost connection changes nothing and an outage is told once, and not by everybody. Thread-safe.
 */
public final class DatabaseWatch {

    /** Pools try to reach the server again ever more seldom: the others may come back so much later than this engine. */
    static final Duration SETTLING = Duration.ofSeconds(15);

    /** As many beats as the others may be silent: whoever has just started does not know what was before. */
    private static final int UNKNOWN_BEATS = 6;

    /** A heart that has not beaten for so many beats, and for so long, waits for a connection that it does not get. */
    private static final int STALE_BEATS = 3;

    private static final Duration STALE = Duration.ofSeconds(5);

    /** What is short comes and goes: it is over when nobody has missed it for so long. */
    private static final Duration CALM = Duration.ofSeconds(15);

    private static final Duration FORGETTING = Duration.ofMinutes(1);
    private static final Set<DatabaseError> OF_THE_DATABASE =
            EnumSet.of(DatabaseError.CONNECTION, DatabaseError.UNAVAILABLE);

    private final long patience;
    private final LongSupplier nanoTime;
    private final Telemetry telemetry;
    private final Map<String, Failing> failing = new HashMap<>();

    private volatile DatabaseState state = DatabaseState.UNKNOWN;
    private final AtomicInteger outages = new AtomicInteger();
    private long since;
    private @Nullable String lastError;
    private @Nullable Long lastBeat;
    private long settled;
    private long lastFailure;
    private @Nullable Runnable askHeart;
    private Runnable onOutage = () -> {};
    private Runnable onEndOfOutage = () -> {};

    public DatabaseWatch(Duration beat, LongSupplier nanoTime, Telemetry telemetry) {
        this.patience = beat.toNanos();
        this.nanoTime = nanoTime;
        this.telemetry = telemetry;
        this.since = nanoTime.getAsLong();
    }

    /** Failures of one thing in a row. */
    private record Failing(long first, long last, Throwable cause) {}

    public LongSupplier nanoTime() {
        return nanoTime;
    }

    public Trouble trouble(String name) {
        return new Trouble(name, telemetry, this);
    }

    /** There is a heart now that decides, and can be asked for a beat; or there is none any more. */
    public synchronized void heart(@Nullable Runnable ask) {
        askHeart = ask;
    }

    /** What must not outlive the beginning of an outage. It runs when nothing is let start any more. */
    public synchronized void onOutage(Runnable forget) {
        onOutage = forget;
    }

    /** What waits for the end of an outage. */
    public synchronized void onEndOfOutage(Runnable wake) {
        onEndOfOutage = wake;
    }

    /** The engine starts, or stops. */
    public synchronized void begin(DatabaseState first) {
        failing.clear();
        state = first;
        since = nanoTime.getAsLong();
        lastBeat = null;
        settled = since + Math.min(SETTLING.toNanos(), UNKNOWN_BEATS * patience);
    }

    /** Looks whether the heart still beats: it may stand still for long where a pool lets it wait. */
    public synchronized void look() {
        Long last = lastBeat;
        long silent = last == null ? 0 : nanoTime.getAsLong() - last;
        if (askHeart != null && !state.isOutage() && silent > Math.max(STALE_BEATS * patience, STALE.toNanos())) {
            change(
                    DatabaseState.DOWN,
                    new TimeoutException("no heartbeat has reached the database for "
                            + Duration.ofNanos(silent).toMillis() + " ms"));
        }
    }

    /** How many outages have begun: behind each of them may be another server. */
    public int outages() {
        return outages.get();
    }

    public boolean letsWork() {
        return state.letsWork();
    }

    /** Whether the silence of others means something: not in an outage, not before all of them can have come out of it, nor right after a start. */
    public synchronized boolean isSettled() {
        return letsWork() && nanoTime.getAsLong() - settled >= 0;
    }

    public synchronized void beat() {
        lastBeat = nanoTime.getAsLong();
        if (state.isOutage()) {
            settled = nanoTime.getAsLong() + SETTLING.toNanos();
            failing.clear();
            change(DatabaseState.UP, null);
            onEndOfOutage.run();
            return;
        }
        long now = nanoTime.getAsLong();
        failing.values().removeIf(f -> now - f.last >= FORGETTING.toNanos());
        Optional<Failing> lasting = failing.values().stream()
                .filter(f -> f.last - f.first >= patience)
                .findFirst();
        if (lasting.isPresent()) {
            change(DatabaseState.IMPAIRED, lasting.get().cause);
        } else if (failing.isEmpty() && now - lastFailure >= CALM.toNanos()) {
            change(DatabaseState.UP, null);
        }
    }

    public synchronized void noBeat(Throwable cause) {
        boolean writes = DatabaseError.of(cause) != DatabaseError.UNAVAILABLE;
        change(writes ? DatabaseState.DOWN : DatabaseState.READ_ONLY, cause);
    }

    /** Something failed; whether that is the database's doing, and not to be told of by whoever failed. */
    synchronized boolean takes(String who, Throwable cause) {
        DatabaseError error = DatabaseError.of(cause);
        if (error == null || !OF_THE_DATABASE.contains(error)) {
            return false;
        }
        long now = nanoTime.getAsLong();
        Failing before = failing.get(who);
        failing.put(who, new Failing(before == null ? now : before.first, now, cause));
        lastFailure = now;
        Runnable ask = askHeart;
        if (ask == null) {
            noBeat(cause);
        } else if (before == null && !state.isOutage()) {
            ask.run();
        }
        return true;
    }

    synchronized void worked(String who) {
        failing.remove(who);
        if (askHeart == null && state.isOutage()) {
            change(DatabaseState.UP, null);
        }
    }

    private void change(DatabaseState to, @Nullable Throwable cause) {
        if (cause != null) {
            lastError = cause.toString();
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
        telemetry.databaseChanged(to, cause);
    }

    public synchronized EngineHealth health(int node) {
        look();
        long now = nanoTime.getAsLong();
        return new EngineHealth(
                state,
                Duration.ofNanos(now - since),
                Optional.ofNullable(lastError),
                node,
                Optional.ofNullable(lastBeat).map(beat -> Duration.ofNanos(now - beat)));
    }
}
