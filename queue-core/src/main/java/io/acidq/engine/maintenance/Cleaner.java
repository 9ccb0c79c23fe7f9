package io.acidq.engine.maintenance;

import io.acidq.config.EngineConfig;
import io.acidq.config.Retention;
import io.acidq.engine.loop.PeriodicTask;
import io.acidq.store.MaintenanceStore;
import io.acidq.store.MaintenanceStore.Pruned;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The removal of rows that have outlived their time, in small steps, whatever their queue: every engine removes for all, beside the others. It
 * rests between the steps, so that a large heap of old rows costs the database little at any moment.
 */
public final class Cleaner implements PeriodicTask {

    /** Rows of one step: one short transaction. */
    static final int ROWS_PER_STEP = 500;

    private static final Duration BETWEEN_STEPS = Duration.ofMillis(100);
    private static final Duration BETWEEN_ROUNDS = Duration.ofMinutes(1);

    /** The rest when nothing was to be removed since the last one. */
    private static final Duration IDLE = Duration.ofMinutes(5);

    private final List<Cleanup> cleanups;
    private final Telemetry telemetry;

    /** Whether something was to be removed since the last rest. */
    private boolean deletedRows;

    Cleaner(List<Cleanup> cleanups, Telemetry telemetry) {
        this.cleanups = List.copyOf(cleanups);
        this.telemetry = telemetry;
    }

    /** All that an engine removes. */
    public static Cleaner of(MaintenanceStore store, EngineConfig config, Telemetry telemetry) {
        Retention times = config.retention();
        return new Cleaner(
                List.of(
                        new Cleanup("keys of the inbox", limit -> store.pruneInbox(limit)),
                        new Cleanup("message keys", limit -> store.pruneKeys(limit)),
                        new Cleanup("dead letters", limit -> store.pruneDead(config::deadLetterRetention, limit)),
                        new Cleanup("done messages", limit -> store.pruneArchive(limit)),
                        new Cleanup("audit", limit -> store.pruneAudit(times.audit(), limit)),
                        new Cleanup("nodes", limit -> store.pruneNodes(times.nodes(), limit)),
                        new Cleanup("crashes", limit -> store.pruneCrashes(limit))),
                telemetry);
    }

    /**
     * One kind of old rows.
     *
     * @param rows what operators call them
     * @param step removes at most so many
     */
    record Cleanup(String rows, IntFunction<Pruned> step) {}

    @Override
    public String name() {
        return "cleaner";
    }

    /** One step of each part. A part that fails does not keep the others from their step. */
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

    /** Whether there may be more to remove. */
    private boolean step(Cleanup cleanup) {
        Pruned pruned = cleanup.step().apply(ROWS_PER_STEP);
        if (pruned.rows() > 0) {
            deletedRows = true;
            telemetry.pruned(cleanup.rows(), pruned.rows());
        }
        return pruned.more();
    }

    private Duration nextRoundIn() {
        Duration rest = deletedRows ? BETWEEN_ROUNDS : IDLE;
        deletedRows = false;
        return rest;
    }

    private static RuntimeException withSuppressed(@Nullable RuntimeException earlier, RuntimeException later) {
        if (earlier == null) {
            return later;
        }
        earlier.addSuppressed(later);
        return earlier;
    }
}
