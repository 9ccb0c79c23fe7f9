package io.acidq.devdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** One run of a database server. */
final class ServerProcess {
    private static final int LOG_LINES_IN_MESSAGES = 15;

    private final String name;
    private final Process process;
    private final Path log;

    private ServerProcess(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
    }

    static ServerProcess start(String name, List<String> command, Map<String, String> environment, Path log) {
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            return new ServerProcess(name, process, log);
        } catch (IOException e) {
            throw new DevDatabaseException(
                    "could not start " + name + " (" + e.getMessage() + "). If its file in the cache folder is damaged,"
                            + " delete that folder; the next start creates it again",
                    e);
        }
    }

    long pid() {
        return process.pid();
    }

    CompletableFuture<Process> onExit() {
        return process.onExit();
    }

    /**
     * Waits until the server accepts connections. Reads the log instead of connecting, because another server can answer on
     * a port that was taken meanwhile.
     *
     * @return false if the server has ended because its port is taken
     */
    boolean awaitReady(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        do {
            boolean ended = awaitExit(Duration.ofMillis(20));
            String said = said();
            if (said.contains("ready for connections")) {
                return true;
            }
            if (ended && said.contains("Bind on TCP/IP port")) {
                return false;
            }
            if (ended) {
                throw failure("ended with exit code " + process.exitValue() + " instead of getting ready");
            }
        } while (System.nanoTime() < deadline);
        kill();
        throw failure("was not ready within " + timeout.toSeconds() + " s");
    }

    /** Shuts the server down, and kills it if that takes longer than {@code timeout}. */
    void stop(Duration timeout) {
        process.destroy();
        if (!awaitExit(timeout)) {
            kill();
        }
    }

    /** Kills the process. */
    void kill() {
        process.destroyForcibly();
        if (!awaitExit(Duration.ofSeconds(30))) {
            throw failure("does not end (pid " + pid() + ")");
        }
    }

    private boolean awaitExit(Duration timeout) {
        try {
            return process.waitFor(timeout.toMillis(), MILLISECONDS);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new DevDatabaseException("interrupted while waiting for " + name + ", which was killed", e);
        }
    }

    private DevDatabaseException failure(String what) {
        List<String> lines = said().lines().toList();
        return new DevDatabaseException(name + " " + what + ". The last lines of its log " + log + ":\n"
                + String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES_IN_MESSAGES), lines.size())));
    }

    private String said() {
        try {
            return new String(Files.readAllBytes(log), UTF_8);
        } catch (IOException e) {
            return "(unreadable: " + e + ")";
        }
    }
}
