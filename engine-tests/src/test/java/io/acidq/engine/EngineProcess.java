package io.acidq.engine;

import com.zaxxer.hikari.HikariDataSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** A JVM of its own on the database of a test. The arguments of its main method begin with {@link #pool URL, user and password}. */
class EngineProcess implements AutoCloseable {

    private final Process process;
    private final Set<String> lines = ConcurrentHashMap.newKeySet();

    EngineProcess(Class<?> main, HikariDataSource database, String... args) {
        this(main, 128, Map.of(), database, args);
    }

    EngineProcess(
            Class<?> main, int megabytes, Map<String, String> environment, HikariDataSource database, String... args) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + megabytes + "m",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName(),
                database.getJdbcUrl(),
                database.getUsername(),
                String.valueOf(database.getPassword())));
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(environment);
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        Thread reader = new Thread(this::read, "output-of-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            output.lines().forEach(lines::add);
        } catch (IOException | RuntimeException e) {
            // the process was killed
        }
    }

    /** Returns the pool of the process, from its first three arguments. It opens at its first use. */
    static HikariDataSource pool(String[] args, int size) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(args[0]);
        pool.setUsername(args[1]);
        pool.setPassword(args[2]);
        pool.setMaximumPoolSize(size);
        pool.setMinimumIdle(0);
        return pool;
    }

    boolean hasPrinted(String line) {
        return lines.contains(line);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    /** Waits until the process has ended by itself. */
    void awaitExit() throws InterruptedException {
        if (!process.waitFor(EngineTests.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("process " + pid() + " has not ended");
        }
    }

    /** Kills the process with SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Sends a signal with {@code kill}. */
    void signal(String name) throws Exception {
        int result = new ProcessBuilder("kill", "-" + name, String.valueOf(pid()))
                .start()
                .waitFor();
        if (result != 0) {
            throw new IllegalStateException("kill -" + name + " ended with " + result);
        }
    }

    /** Writes a line to the standard input of the process. */
    void proceed() throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
