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
    public static Cleaner of(Store database, EngineConfig config, Telemetry telemetry) {
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
                        new Cleanup(
                                "drained subscriptions", limit -> new Pruned(subscriptions.removeDrained(), false))),
                telemetry);
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
