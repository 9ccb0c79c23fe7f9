package io.acidq.chaos.environment;

import io.acidq.chaos.role.Journal;
import io.acidq.chaos.role.Journal.Phase;
import io.acidq.testservers.FakeClock;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Processes of one role. Each is replaced when it ends, and can have a wall clock of its own. Thread-safe. */
public final class ProcessGroup implements AutoCloseable {

    private final String role;
    private final Path folder;
    private final boolean ownClocks;
    private final IntFunction<List<String>> arguments;
    private final List<Member> alive = new ArrayList<>();
    private int launched;
    private int ended;
    private boolean closing;

    /**
     * @param arguments returns the main class and the arguments of the process with a number
     */
    ProcessGroup(String role, Path folder, boolean ownClocks, IntFunction<List<String>> arguments) {
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
            for (Member member = launch(); member != null; member = launch()) {
                member.process.waitFor();
                remove(member);
                TimeUnit.MILLISECONDS.sleep(100);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void remove(Member member) {
        alive.remove(member);
        ended++;
        if (member.clock != null) {
            member.clock.close();
        }
    }

    private synchronized @Nullable Member launch() {
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
                "-Dorg.slf4j.simpleLogger.log.io.acidq=info", // logs the cause of each retry, which explains violations
                "-Dorg.slf4j.simpleLogger.showDateTime=true",
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(arguments.apply(number));
        File log = folder.resolve(role + ".log").toFile();
        try {
            FakeClock clock = ownClocks ? FakeClock.keptIn(folder.resolve(role + '-' + number + ".clock")) : null;
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log));
            if (clock != null) {
                builder.environment().putAll(clock.environment());
            }
            Member member = new Member(builder.start(), journal(folder, role, number), clock);
            alive.add(member);
            return member;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start a " + role, e);
        }
    }

    /** The journal of the process with this number. */
    static Path journal(Path folder, String role, int number) {
        return folder.resolve(role + '-' + number + ".journal");
    }

    /** Whether each has a wall clock of its own. */
    public boolean hasClocks() {
        return ownClocks;
    }

    /** Shifts the clock of one working process from the true time. Returns false if there is none or it has no clock of its own. */
    public synchronized boolean moveClock(Random random, Duration shift) {
        Member member = anyMember(random);
        if (member == null || member.clock == null) {
            return false;
        }
        member.clock.move(shift);
        return true;
    }

    /** A random process that is alive and has begun to work, or null. */
    public synchronized @Nullable Process any(Random random) {
        Member member = anyMember(random);
        return member == null ? null : member.process;
    }

    private @Nullable Member anyMember(Random random) {
        List<Member> working = alive.stream().filter(Member::isAtWork).toList();
        return working.isEmpty() ? null : working.get(random.nextInt(working.size()));
    }

    /** The number of processes that have ended for any reason. */
    public synchronized int ended() {
        return ended;
    }

    /** Kills all processes, also frozen ones. */
    synchronized void kill() {
        closing = true;
        alive.forEach(member -> member.process.destroyForcibly());
    }

    /** Asks all processes to stop, and kills those that do not. */
    @Override
    public void close() {
        List<Member> last;
        synchronized (this) {
            closing = true;
            last = List.copyOf(alive);
        }
        last.forEach(member -> askToStop(member.process));
        for (Member member : last) {
            try {
                if (!member.process.waitFor(60, TimeUnit.SECONDS)) {
                    member.process.destroyForcibly().waitFor();
                    member.hung();
                }
            } catch (InterruptedException e) {
                member.process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Uses the handle, because {@link Process#destroy} also closes the standard input, and {@code ParentWatch} would end the process at once. */
    public static void askToStop(Process process) {
        process.toHandle().destroy();
    }

    /** A process, its journal, and its clock if it has one of its own. */
    private record Member(
            Process process, Path journal, @Nullable FakeClock clock) {

        boolean isAtWork() {
            return journal.toFile().length() > 0;
        }

        void hung() {
            try (Journal appended = Journal.open(journal)) {
                appended.write(Phase.HUNG);
            }
        }
    }
}
