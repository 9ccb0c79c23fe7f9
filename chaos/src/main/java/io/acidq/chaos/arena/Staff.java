package io.acidq.chaos.arena;

import io.acidq.testservers.FakeClock;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** So many processes of one role, each replaced when it ends, and each with a wall clock of its own where that is wanted. Thread-safe. */
public final class Staff implements AutoCloseable {

    private final String role;
    private final Path folder;
    private final boolean ownClocks;
    private final IntFunction<List<String>> arguments;
    private final List<Process> alive = new ArrayList<>();
    private final Map<Process, FakeClock> clocks = new HashMap<>();
    private final Map<Process, Path> journals = new HashMap<>();
    private int launched;
    private int ended;
    private boolean closing;

    /**
     * @param arguments main class and arguments of the process of this number
     */
    Staff(String role, Path folder, boolean ownClocks, IntFunction<List<String>> arguments) {
        this.role = role;
        this.folder = folder;
        this.ownClocks = ownClocks;
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
                bury(process);
                TimeUnit.MILLISECONDS.sleep(100);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void bury(Process process) {
        alive.remove(process);
        journals.remove(process);
        ended++;
        FakeClock clock = clocks.remove(process);
        if (clock != null) {
            clock.close();
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
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log));
            Process process = ownClocks ? startByItsClock(builder, number) : builder.start();
            alive.add(process);
            journals.put(process, journal(number));
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start a " + role, e);
        }
    }

    /** What the process of this number writes down. */
    Path journal(int number) {
        return folder.resolve(role + '-' + number + ".journal");
    }

    private Process startByItsClock(ProcessBuilder builder, int number) throws IOException {
        FakeClock clock = FakeClock.keptIn(folder.resolve(role + "-" + number + ".clock"));
        builder.environment().putAll(clock.environment());
        Process process = builder.start();
        clocks.put(process, clock);
        return process;
    }

    /** Whether each has a wall clock of its own. */
    public boolean hasClocks() {
        return ownClocks;
    }

    /** Lets one of those that are alive see the true time and so much more, or less; false when nobody has a clock. */
    public synchronized boolean moveClock(Random random, Duration shift) {
        FakeClock clock = clocks.get(any(random));
        if (clock != null) {
            clock.move(shift);
        }
        return clock != null;
    }

    /** One of those that are alive and have begun to work, or null. */
    public synchronized @Nullable Process any(Random random) {
        List<Process> working = alive.stream()
                .filter(process -> hasWritten(journals.get(process)))
                .toList();
        return working.isEmpty() ? null : working.get(random.nextInt(working.size()));
    }

    private static boolean hasWritten(@Nullable Path journal) {
        return journal != null && journal.toFile().length() > 0;
    }

    /** How many have ended, for whatever reason. */
    public synchronized int ended() {
        return ended;
    }

    /** At once, also those that stand still. */
    synchronized void kill() {
        closing = true;
        alive.forEach(Process::destroyForcibly);
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
