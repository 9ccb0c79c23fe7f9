package io.acidq.boot;

import io.acidq.QueueMisuseException;
import io.acidq.engine.Engine;
import io.acidq.engine.EngineDefinition;
import io.acidq.store.ServerStore;
import io.acidq.telemetry.EngineHealth;
import io.acidq.telemetry.QueueState;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * The health of an engine. It is DOWN if the database is unavailable or read-only, or if the tables are wrong, and never because of a backlog,
 * dead letters or pauses. Answers within about a second in every state of the database: the heartbeat detects an outage, and the tables are
 * checked on a separate thread. If heartbeats succeed, a check that gets no connection does not make it DOWN, because the pool is only busy.
 */
final class AcidqHealthIndicator implements HealthIndicator {

    private final Supplier<Engine> engine;
    private final SchemaProbe tables;

    AcidqHealthIndicator(Supplier<Engine> engine) {
        this.engine = engine;
        this.tables =
                new SchemaProbe(() -> EngineDefinition.of(engine.get()).store().server());
    }

    @Override
    public Health health() {
        Engine current = engine.get();
        EngineHealth now = current.health();
        Health.Builder health = new Health.Builder()
                .withDetail("database", now.database())
                .withDetail("for", now.inStateFor().toString())
                .withDetail("node", now.node());
        now.lastError().ifPresent(error -> health.withDetail("lastError", error));
        Map<String, Object> queues = new LinkedHashMap<>();
        for (QueueState state : current.queues()) {
            queues.put(state.queue(), Map.of("running", state.running(), "unstarted", state.unstarted()));
        }
        return health.withDetail("queues", queues).status(status(now, health)).build();
    }

    private Status status(EngineHealth now, Health.Builder health) {
        if (now.database().isOutage()) {
            return Status.DOWN;
        }
        if (!now.database().letsWork()) {
            return Status.UNKNOWN; // not started yet, or stopped
        }
        SchemaProbe.SchemaResult result = tables.result();
        health.withDetail("tables", result.text());
        boolean hasHeartbeat = now.lastHeartbeat().isPresent();
        return switch (result.state()) {
            case SOUND -> Status.UP;
            case WRONG -> Status.DOWN;
            case FAILED, HANGS, UNCHECKED -> hasHeartbeat ? Status.UP : Status.DOWN;
        };
    }

    /**
     * Checks the tables on a separate thread, so that a caller does not wait long for an exhausted pool. Thread-safe.
     */
    private static final class SchemaProbe {

        private static final Duration MAX_WAIT = Duration.ofSeconds(1);
        private static final Duration MAX_AGE = Duration.ofSeconds(10);

        private final Supplier<ServerStore> server;
        private @Nullable CompletableFuture<SchemaResult> running;
        private long startedAt;
        private SchemaResult last = new SchemaResult(TableState.UNCHECKED, "the tables have not been checked yet");
        private long foundAt;

        SchemaProbe(Supplier<ServerStore> server) {
            this.server = server;
        }

        /**
         * The result of a check.
         *
         * @param state the state of the tables
         * @param text  its description
         */
        record SchemaResult(TableState state, String text) {}

        /** The state of the tables, as far as it is known. */
        enum TableState {
            SOUND,
            /** The engine cannot use the tables. */
            WRONG,
            /** The check itself failed. */
            FAILED,
            /** No check has completed yet. */
            UNCHECKED,
            /** The current check has not completed in time. */
            HANGS
        }

        /** Returns the latest result. Waits at most a second for a new one. */
        SchemaResult result() {
            CompletableFuture<SchemaResult> check = check();
            if (check != null) {
                try {
                    return take(check.get(MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } catch (TimeoutException e) {
                    return hanging();
                } catch (ExecutionException e) {
                    return new SchemaResult(TableState.FAILED, String.valueOf(e.getCause()));
                }
            }
            return latest();
        }

        /** Returns the running check, or starts one. Returns null if the last result is recent. */
        private synchronized @Nullable CompletableFuture<SchemaResult> check() {
            boolean isRecent = last.state() == TableState.SOUND && System.nanoTime() - foundAt < MAX_AGE.toNanos();
            if (isRecent) {
                return null;
            }
            CompletableFuture<SchemaResult> current = running;
            if (current == null || current.isDone()) {
                CompletableFuture<SchemaResult> started = new CompletableFuture<>();
                running = started;
                startedAt = System.nanoTime();
                Thread thread = new Thread(() -> started.complete(checkTables()), "acidq-health");
                thread.setDaemon(true);
                thread.start();
                current = started;
            }
            return current;
        }

        private SchemaResult checkTables() {
            try {
                server.get().checkTables();
                return new SchemaResult(TableState.SOUND, "sound");
            } catch (QueueMisuseException e) {
                return new SchemaResult(TableState.WRONG, String.valueOf(e.getMessage()));
            } catch (Throwable e) { // an Error too: the caller waits for an answer
                return new SchemaResult(TableState.FAILED, e.toString());
            }
        }

        private synchronized SchemaResult take(SchemaResult result) {
            last = result;
            foundAt = System.nanoTime();
            return result;
        }

        private synchronized SchemaResult latest() {
            return last;
        }

        private synchronized SchemaResult hanging() {
            long seconds = Duration.ofNanos(System.nanoTime() - startedAt).toSeconds();
            return new SchemaResult(TableState.HANGS, "the check of the tables has been waiting for " + seconds + " s");
        }
    }
}
