package io.acidq.testservers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * Identifies a process, also if a later process has the same pid.
 *
 * @param started the start time, in a unit that depends on the platform
 */
record ProcessIdentity(long pid, String started) {
    private static final String NOT_RUNNING = "";

    static ProcessIdentity of(ProcessHandle process) {
        return new ProcessIdentity(process.pid(), startOf(process.pid()));
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
