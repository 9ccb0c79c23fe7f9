package io.acidq.chaos.role;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The parent of a process holds its standard input. The server is not available. */
class ParentWatchTest {

    private static final String AWAY = "jdbc:mariadb://127.0.0.1:1/d";

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"WorkerMain %s u p %s 2 1", "ProducerMain %s u p %s p1 2 1 7 '' 150 10 10 10"})
    void endsWithItsParentAndNotBefore(String role) throws Exception {
        Process process = start(role.formatted(AWAY, folder.resolve("one.journal")));
        try {
            assertThat(process.waitFor(2, TimeUnit.SECONDS)).isFalse();
            process.getOutputStream().close();
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(1);
        } finally {
            process.destroyForcibly();
        }
    }

    private static Process start(String role) throws IOException {
        List<String> command = Stream.concat(
                        Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-Xmx64m",
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path")),
                        Stream.of(("io.acidq.chaos.role." + role).split(" ", -1))
                                .map(argument -> argument.equals("''") ? "" : argument))
                .toList();
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
