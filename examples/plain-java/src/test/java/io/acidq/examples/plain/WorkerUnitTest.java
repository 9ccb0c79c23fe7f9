package io.acidq.examples.plain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.InputChecks;
import io.acidq.config.EngineConfig;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The systemd unit of a worker fits the program and the engine's own times. */
class WorkerUnitTest {

    private static final Path UNIT = Path.of("../../docs/en/systemd/acidq-worker@.service");

    @Test
    void givesTheEngineMoreTimeToStopThanItTakesAtMost() throws IOException {
        Duration stop = EngineConfig.defaults().stopTimeout();
        Duration graceOfFiveQueues = Duration.ofSeconds(5 * 5);
        assertThat(Duration.ofSeconds(Long.parseLong(setting("TimeoutStopSec"))))
                .isGreaterThanOrEqualTo(stop.plus(graceOfFiveQueues));
        assertThat(setting("KillSignal")).isEqualTo("SIGTERM"); // what the JVM's shutdown hooks hear
        assertThat(setting("SuccessExitStatus")).isEqualTo("143");
    }

    @Test
    void comesBackLaterThanABeat() throws IOException {
        assertThat(setting("Restart")).isEqualTo("on-failure");
        assertThat(Duration.ofSeconds(Long.parseLong(setting("RestartSec"))))
                .isGreaterThan(EngineConfig.defaults().heartbeatInterval());
    }

    @Test
    void callsTheProgramAsItUnderstands() throws Exception {
        List<String> words = List.of(setting("ExecStart").split(" "));
        String main = words.get(words.size() - 2);
        assertThat(Class.forName(main).getMethod("main", String[].class)).isNotNull();
        String argument = words.get(words.size() - 1).replace("%i", "invoice.sent:invoice-due_2");
        assertThat(Worker.queues(argument))
                .containsExactly("invoice.sent", "invoice-due_2")
                .allSatisfy(InputChecks::checkQueue);
        assertThatThrownBy(Worker::queues).hasMessageContaining("usage");
    }

    /** Where systemd is at hand, it reads the unit itself. */
    @Test
    void isUnderstoodBySystemd() throws Exception {
        if (Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .noneMatch(folder -> Files.isExecutable(Path.of(folder, "systemd-analyze")))) {
            return;
        }
        Process verify = new ProcessBuilder("systemd-analyze", "verify", "--man=no", UNIT.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(verify.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(verify.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(said.lines().filter(line -> line.contains("acidq-worker")))
                .as(said)
                .isEmpty();
    }

    private static String setting(String name) throws IOException {
        return Files.readAllLines(UNIT).stream()
                .filter(line -> line.startsWith(name + "="))
                .map(line -> line.substring(name.length() + 1))
                .findFirst()
                .orElseThrow();
    }
}
