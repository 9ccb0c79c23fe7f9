package io.acidq.chaos.arena;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** So many processes of one role, each replaced when it ends. Thread-safe. */
public final class Staff implements AutoCloseable {

    private final String role;
    private final Path folder;
    private final IntFunction<List<String>> arguments;
    private final List<Process> alive = new ArrayList<>();
    private int launched;
    private int ended;
    private boolean closing;

    /**
     * @param arguments main class and arguments of the process of this number
     */
    Staff(String role, Path folder, IntFunction<List<String>> arguments) {
        this.role = role;
        this.folder = folder;
        this.arguments = arguments;
    }

    void start(int count) {
        for (int i = 0; i < count; i++) {
            Thread keeper = new Thread(this::keepOne, role + "-keeper-" + i);
            keeper.setDaemon(true);
            keeper.start();
        }
    }

    private void keepOne() {
        try {
            for (Process process = launch(); process != null; process = launch()) {
                process.waitFor();
                synchronized (this) {
                    alive.remove(process);
                    ended++;
                }
                TimeUnit.MILLISECONDS.sleep(100);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized @Nullable Process launch() {
        if (closing) {
            return null;
        }
        int number = ++launched;
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx192m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-Dorg.slf4j.simpleLogger.log.io.acidq=info", // the cause of each retry: what a violation is traced by
                "-Dorg.slf4j.simpleLogger.showDateTime=true",
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(arguments.apply(number));
        File log = folder.resolve(role + ".log").toFile();
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
                    .start();
            alive.add(process);
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start a " + role, e);
        }
    }

    /** One of those that are alive, or null. */
    public synchronized @Nullable Process any(Random random) {
        return alive.isEmpty() ? null : alive.get(random.nextInt(alive.size()));
    }

    /** How many have ended, for whatever reason. */
    public synchronized int ended() {
        return ended;
    }

    /** Tells all to stop, and kills those that do not. */
    @Override
    public void close() {
        List<Process> last;
        synchronized (this) {
            closing = true;
            last = List.copyOf(alive);
        }
        last.forEach(Process::destroy);
        for (Process process : last) {
            try {
                if (!process.waitFor(60, TimeUnit.SECONDS)) {
                    process.destroyForcibly().waitFor();
                }
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }
}
