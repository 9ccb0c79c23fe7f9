package io.acidq.engine.maintenance;

import io.acidq.config.EngineConfig;
import io.acidq.config.Retention;
import io.acidq.engine.loop.PeriodicTask;
import io.acidq.store.MaintenanceStore;
import io.acidq.store.MaintenanceStore.Pruned;
import io.acidq.store.Store;
import io.acidq.store.SubscriptionStore;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Removes rows that are older than their retention. Each engine does this for all queues, at the same time as the others. It works in small steps with pauses
 * between them, so that many old rows cause little load at any moment.
 */
public final class Cleaner implements PeriodicTask {

    /** The number of rows that one step removes in one short transaction. */
    static final int ROWS_PER_STEP = 500;

    /** The rows of the history are small. */
    private static final int HISTORY_ROWS_PER_STEP = 1_000;

    private static final Duration BETWEEN_STEPS = Duration.ofMillis(100);
    private static final Duration BETWEEN_ROUNDS = Duration.ofMinutes(1);

    /** The wait after a round that removed nothing. */
    private static final Duration IDLE = Duration.ofMinutes(5);

    private final List<Cleanup> cleanups;
    private final Telemetry telemetry;

    /** Whether this round has removed rows. */
    private boolean deletedRows;

    Cleaner(List<Cleanup> cleanups, Telemetry telemetry) {
        this.cleanups = List.copyOf(cleanups);
        this.telemetry = telemetry;
    }

    /** The cleaner of an engine. */
    public static Cleaner of(Store database, EngineConfig config, HistoryWriter history, Telemetry telemetry) {
        MaintenanceStore store = database.maintenance();
        SubscriptionStore subscriptions = database.subscriptions();
        Retention retention = config.retention();
        return new Cleaner(
                List.of(
                        new Cleanup("keys of the inbox", limit -> store.pruneInbox(limit)),
                        new Cleanup("message keys", limit -> store.pruneKeys(limit)),
                        new Cleanup("dead letters", limit -> store.pruneDead(config::deadLetterRetention, limit)),
                        new Cleanup("done messages", limit -> store.pruneArchive(limit)),
                        new Cleanup("receipts", limit -> store.pruneReceipts(limit)),
                        new Cleanup("audit", limit -> store.pruneAudit(retention.audit(), limit)),
                        new Cleanup("nodes", limit -> store.pruneNodes(retention.nodes(), limit)),
                        new Cleanup("crashes", limit -> store.pruneCrashes(limit)),
                        new Cleanup("ticks", limit -> database.recurring().pruneTicks(retention.ticks(), limit)),
                        new Cleanup("attempts", new HourlyAttempts(store, retention.attempts())::prune),
                        new Cleanup("history", limit -> pruneHistory(database, config, history)),
                        new Cleanup(
                                "drained subscriptions", limit -> new Pruned(subscriptions.removeDrained(), false))),
                telemetry);
    }

    /** Removes old rows of the history, if this engine has written new ones: an idle engine reads nothing. */
    private static Pruned pruneHistory(Store database, EngineConfig config, HistoryWriter history) {
        if (!history.takeHasWritten()) {
            return new Pruned(0, false);
        }
        Pruned pruned = database.history().pruneHistory(config.retention().history(), HISTORY_ROWS_PER_STEP);
        if (pruned.more()) {
            history.setHasWritten();
        }
        return pruned;
    }

    /** Removes old failed attempts, once an hour while there are none: an idle engine reads little. */
    private static final class HourlyAttempts {

        private static final long HOUR_NANOS = Duration.ofHours(1).toNanos();

        private final MaintenanceStore store;
        private final Duration retention;
        private long nextRound = System.nanoTime();

        HourlyAttempts(MaintenanceStore store, Duration retention) {
            this.store = store;
            this.retention = retention;
        }

        Pruned prune(int limit) {
            if (retention.isZero() || System.nanoTime() - nextRound < 0) {
                return new Pruned(0, false);
            }
            Pruned pruned = store.pruneAttempts(retention, limit);
            if (!pruned.more()) {
                nextRound = System.nanoTime() + HOUR_NANOS;
            }
            return pruned;
        }
    }

    /**
     * One kind of old rows.
     *
     * @param rows their name for telemetry
     * @param step removes at most this many of them
     */
    record Cleanup(String rows, IntFunction<Pruned> step) {}

    @Override
    public String name() {
        return "cleaner";
    }

    /** Runs one step of each kind. If one fails, the others run all the same. */
    @Override
    public Duration runOnce() {
        boolean more = false;
        RuntimeException failure = null;
        for (Cleanup cleanup : cleanups) {
            try {
                more |= step(cleanup);
            } catch (RuntimeException e) {
                failure = withSuppressed(failure, e);
            }
        }
        if (failure != null) {
            throw failure;
        }
        return more ? BETWEEN_STEPS : nextRoundIn();
    }

    /** Returns whether there may be more rows to remove. */
    private boolean step(Cleanup cleanup) {
        Pruned pruned = cleanup.step().apply(ROWS_PER_STEP);
        if (pruned.rows() > 0) {
            deletedRows = true;
            telemetry.pruned(cleanup.rows(), pruned.rows());
        }
        return pruned.more();
    }

    private Duration nextRoundIn() {
        Duration wait = deletedRows ? BETWEEN_ROUNDS : IDLE;
        deletedRows = false;
        return wait;
    }

    private static RuntimeException withSuppressed(@Nullable RuntimeException earlier, RuntimeException later) {
        if (earlier == null) {
            return later;
        }
        earlier.addSuppressed(later);
        return earlier;
    }
}
