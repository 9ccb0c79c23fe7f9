package io.acidq.boot;

import io.acidq.QueueMisuseException;
import io.acidq.store.ServerStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Checks the tables now and then, on a thread of its own, so that no caller waits long for a pool that gives no connection. Thread-safe.
 */
final class SchemaProbe {

    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration FRESH = Duration.ofSeconds(10);

    private final Supplier<ServerStore> server;
    private @Nullable CompletableFuture<Finding> running;
    private long began;
    private Finding last = new Finding(Finding.Kind.UNCHECKED, "the tables have not been checked yet");
    private long found;

    SchemaProbe(Supplier<ServerStore> server) {
        this.server = server;
    }

    /**
     * What a check found.
     *
     * @param kind how it ended
     * @param text in words
     */
    record Finding(Kind kind, String text) {

        /** How a check ended. */
        enum Kind {
            SOUND,
            /** The tables are not those that the engine needs. */
            WRONG,
            /** The check itself failed. */
            FAILED,
            /** No check has ended yet. */
            UNCHECKED,
            /** A check has been waiting for long. */
            HANGS
        }
    }

    /** The latest finding; waits a second at most for a new one. */
    Finding finding() {
        CompletableFuture<Finding> check = check();
        if (check != null) {
            try {
                return take(check.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (TimeoutException e) {
                return hanging();
            } catch (ExecutionException e) {
                return new Finding(Finding.Kind.FAILED, String.valueOf(e.getCause()));
            }
        }
        return latest();
    }

    /** The check that is under way, begun now when it is time; null while the last one is fresh. */
    private synchronized @Nullable CompletableFuture<Finding> check() {
        boolean fresh = last.kind() == Finding.Kind.SOUND && System.nanoTime() - found < FRESH.toNanos();
        if (fresh) {
            return null;
        }
        CompletableFuture<Finding> under = running;
        if (under == null || under.isDone()) {
            CompletableFuture<Finding> begun = new CompletableFuture<>();
            running = begun;
            began = System.nanoTime();
            Thread thread = new Thread(() -> begun.complete(checkTables()), "acidq-health");
            thread.setDaemon(true);
            thread.start();
            under = begun;
        }
        return under;
    }

    private Finding checkTables() {
        try {
            server.get().checkTables();
            return new Finding(Finding.Kind.SOUND, "sound");
        } catch (QueueMisuseException e) {
            return new Finding(Finding.Kind.WRONG, String.valueOf(e.getMessage()));
        } catch (Throwable e) { // an Error too: the caller waits for an answer
            return new Finding(Finding.Kind.FAILED, e.toString());
        }
    }

    private synchronized Finding take(Finding finding) {
        last = finding;
        found = System.nanoTime();
        return finding;
    }

    private synchronized Finding latest() {
        return last;
    }

    private synchronized Finding hanging() {
        long seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds();
        return new Finding(Finding.Kind.HANGS, "the check of the tables has been waiting for " + seconds + " s");
    }
}
