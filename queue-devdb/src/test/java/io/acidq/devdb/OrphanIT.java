package io.acidq.devdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server ends with its JVM, however the JVM ends. */
class OrphanIT {
    @ParameterizedTest
    @ValueSource(strings = {"return", "halt", "be killed"})
    void leavesNoServerBehindWhenTheJvmEndsWithoutClosing(String end) throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Child.class.getName(),
                        end)
                .redirectError(Redirect.DISCARD)
                .start();
        try (BufferedReader said = child.inputReader()) {
            ProcessHandle server =
                    ProcessHandle.of(Long.parseLong(said.readLine())).orElseThrow();
            Path folder = Path.of(said.readLine());
            assertThat(server.isAlive()).isTrue();

            if (end.equals("be killed")) {
                child.destroyForcibly();
            } else {
                child.getOutputStream().close();
            }

            await().atMost(Duration.ofSeconds(20)).until(() -> !child.isAlive());
            await().atMost(Duration.ofSeconds(20)).until(() -> !server.isAlive());
            await().atMost(Duration.ofSeconds(20)).until(() -> !Files.exists(folder));
        } finally {
            child.destroyForcibly();
        }
    }

    /** A JVM with a database, which ends in the given way when its input ends. */
    static final class Child {
        private Child() {}

        public static void main(String[] args) throws IOException {
            DevDatabase db = DevDatabase.start();
            System.out.println(db.pid());
            System.out.println(db.dataFolder());
            System.in.transferTo(OutputStream.nullOutputStream());
            if (args[0].equals("halt")) {
                Runtime.getRuntime().halt(1);
            }
        }
    }
}
