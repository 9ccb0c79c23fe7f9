package io.acidq.testservers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The build that this JVM belongs to.
 *
 * @param process the process of Maven, which forks a test JVM per module; without Maven, as in an IDE, this JVM
 */
record Build(ProcessIdentity process) {
    /** In the command line of Maven, started by its script or by the older kind of its wrapper. */
    private static final Pattern MAVEN =
            Pattern.compile("org\\.codehaus\\.plexus\\.classworlds|org\\.apache\\.maven\\.wrapper");

    static Build current() {
        ProcessHandle self = ProcessHandle.current();
        ProcessHandle maven = Stream.iterate(
                        self.parent(), parent -> parent.isPresent(), parent -> parent.flatMap(ProcessHandle::parent))
                .flatMap(parent -> parent.stream())
                .filter(parent -> MAVEN.matcher(commandLine(parent)).find())
                .findFirst()
                .orElse(self);
        return new Build(ProcessIdentity.of(maven));
    }

    /** Returns the complete command line on Linux; the JDK truncates long ones. */
    private static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
        } catch (IOException e) {
            return process.info().commandLine().orElse("");
        }
    }

    /** Returns the folder for the server of this kind and number in this build. */
    Path folder(ServerKind kind, int number) {
        return Path.of(
                System.getProperty("java.io.tmpdir"),
                "acidq-build-" + process + "-" + kind.name().toLowerCase(Locale.ROOT) + "-" + number);
    }
}
