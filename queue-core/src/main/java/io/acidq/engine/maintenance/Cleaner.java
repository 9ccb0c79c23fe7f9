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
    static final int STEP = 500;

    private static final Duration BETWEEN_STEPS = Duration.ofMillis(100);
    private static final Duration BETWEEN_ROUNDS = Duration.ofMinutes(1);

    /** The rest when nothing was to be removed since the last one. */
    private static final Duration IDLE = Duration.ofMinutes(5);

    private final List<Part> parts;
    private final Telemetry telemetry;

    /** Whether something was to be removed since the last rest. */
    private boolean foundSome;

    Cleaner(List<Part> parts, Telemetry telemetry) {
        this.parts = List.copyOf(parts);
        this.telemetry = telemetry;
    }

    /** All that an engine removes. */
    public static Cleaner of(MaintenanceStore store, EngineConfig config, Telemetry telemetry) {
        Retention times = config.retention();
        return new Cleaner(
                List.of(
                        new Part("keys of the inbox", limit -> store.pruneInbox(limit)),
                        new Part("message keys", limit -> store.pruneKeys(limit)),
                        new Part("dead letters", limit -> store.pruneDead(config::deadLetterRetention, limit)),
                        new Part("done messages", limit -> store.pruneArchive(limit)),
                        new Part("audit", limit -> store.pruneAudit(times.audit(), limit)),
                        new Part("nodes", limit -> store.pruneNodes(times.nodes(), limit)),
                        new Part("crashes", limit -> store.pruneCrashes(limit))),
                telemetry);
    }

    /**
     * One kind of old rows.
     *
     * @param rows what operators call them
     * @param step removes at most so many
     */
    record Part(String rows, IntFunction<Pruned> step) {}

    @Override
    public String name() {
        return "cleaner";
    }

    /** One step of each part. A part that fails does not keep the others from their step. */
    @Override
    public Duration runOnce() {
        boolean more = false;
        RuntimeException failure = null;
        for (Part part : parts) {
            try {
                more |= step(part);
            } catch (RuntimeException e) {
                failure = first(failure, e);
            }
        }
        if (failure != null) {
            throw failure;
        }
        return more ? BETWEEN_STEPS : rest();
    }

    /** Whether there may be more to remove. */
    private boolean step(Part part) {
        Pruned pruned = part.step().apply(STEP);
        if (pruned.rows() > 0) {
            foundSome = true;
            telemetry.pruned(part.rows(), pruned.rows());
        }
        return pruned.more();
    }

    private Duration rest() {
        Duration rest = foundSome ? BETWEEN_ROUNDS : IDLE;
        foundSome = false;
        return rest;
    }

    private static RuntimeException first(@Nullable RuntimeException earlier, RuntimeException later) {
        if (earlier == null) {
            return later;
        }
        earlier.addSuppressed(later);
        return earlier;
    }
}
