package io.acidq.testservers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Identifies a process, also if a later process has the same pid.
 *
 * @param started the start time, in a unit that depends on the platform
 */
record ProcessIdentity(long pid, String started) {
    private static final String NOT_RUNNING = "";

    /** In the command line of Maven, started by its script or by the older kind of its wrapper. */
    private static final Pattern MAVEN =
            Pattern.compile("org\\.codehaus\\.plexus\\.classworlds|org\\.apache\\.maven\\.wrapper");

    static ProcessIdentity of(ProcessHandle process) {
        return new ProcessIdentity(process.pid(), startOf(process.pid()));
    }

    /** Identifies the build of this JVM: the process of Maven, which forks a test JVM per module. Without Maven, as in an IDE, it is this JVM. */
    static ProcessIdentity ofBuild() {
        ProcessHandle self = ProcessHandle.current();
        return of(Stream.iterate(
                        self.parent(), parent -> parent.isPresent(), parent -> parent.flatMap(ProcessHandle::parent))
                .flatMap(parent -> parent.stream())
                .filter(parent -> MAVEN.matcher(commandLine(parent)).find())
                .findFirst()
                .orElse(self));
    }

    /** Returns the complete command line on Linux; the JDK truncates long ones. */
    private static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
        } catch (IOException e) {
            return process.info().commandLine().orElse("");
        }
    }

    static ProcessIdentity parse(String text) {
        int dash = text.indexOf('-');
        return new ProcessIdentity(Long.parseLong(text.substring(0, dash)), text.substring(dash + 1));
    }

    boolean isAlive() {
        return started.equals(startOf(pid));
    }

    @Override
    public String toString() {
        return pid + "-" + started;
    }

    /** Returns ticks since boot on Linux, because the instant of the JDK depends on the clock and differs between JVMs. */
    private static String startOf(long pid) {
        Path stat = Path.of("/proc", Long.toString(pid), "stat");
        try {
            String text = Files.readString(stat);
            // The fields from the third on, behind the program's name, which may contain anything.
            List<String> fields =
                    List.of(text.substring(text.lastIndexOf(')') + 2).split(" "));
            boolean dead = fields.get(0).equals("Z") || fields.get(0).equals("X");
            return dead ? NOT_RUNNING : fields.get(19);
        } catch (IOException e) {
            return ProcessHandle.of(pid)
                    .flatMap(process -> process.info().startInstant())
                    .map(Instant::toEpochMilli)
                    .map(Object::toString)
                    .orElse(NOT_RUNNING);
        }
    }
}
