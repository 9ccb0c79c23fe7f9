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

/** So many processes of one role, each replaced when it ends, and each with a wall clock of its own where that is wanted. Thread-safe. */
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
     * @param arguments main class and arguments of the process of this number
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
                "-Dorg.slf4j.simpleLogger.log.io.acidq=info", // the cause of each retry: what a violation is traced by
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

    /** What the process of this number writes down. */
    static Path journal(Path folder, String role, int number) {
        return folder.resolve(role + '-' + number + ".journal");
    }

    /** Whether each has a wall clock of its own. */
    public boolean hasClocks() {
        return ownClocks;
    }

    /** Lets one of those that are at work see the true time and so much more, or less; false when there is none, or nobody has a clock. */
    public synchronized boolean moveClock(Random random, Duration shift) {
        Member member = anyMember(random);
        if (member == null || member.clock == null) {
            return false;
        }
        member.clock.move(shift);
        return true;
    }

    /** One of those that are alive and have begun to work, or null. */
    public synchronized @Nullable Process any(Random random) {
        Member member = anyMember(random);
        return member == null ? null : member.process;
    }

    private @Nullable Member anyMember(Random random) {
        List<Member> working = alive.stream().filter(Member::isAtWork).toList();
        return working.isEmpty() ? null : working.get(random.nextInt(working.size()));
    }

    /** How many have ended, for whatever reason. */
    public synchronized int ended() {
        return ended;
    }

    /** At once, also those that stand still. */
    synchronized void kill() {
        closing = true;
        alive.forEach(member -> member.process.destroyForcibly());
    }

    /** Tells all to stop, and kills those that do not. */
    @Override
    public void close() {
        List<Member> last;
        synchronized (this) {
            closing = true;
            last = List.copyOf(alive);
        }
        last.forEach(member -> tellToStop(member.process));
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

    /** By its handle: {@link Process#destroy} closes its standard input too, and its leash would end it at once. */
    public static void tellToStop(Process process) {
        process.toHandle().destroy();
    }

    /** A process, what it writes down, and its clock when it has one of its own. */
    private record Member(
            Process process, Path journal, @Nullable FakeClock clock) {

        boolean isAtWork() {
            return journal.toFile().length() > 0;
        }

        void hung() {
            try (Journal its = Journal.open(journal)) {
                its.write(Phase.HUNG);
            }
        }
    }
}
