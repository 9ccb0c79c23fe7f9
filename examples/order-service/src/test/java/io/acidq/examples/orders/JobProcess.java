package io.acidq.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.testservers.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The job in a process of its own. Its output is kept in {@code target/jobs}. */
record JobProcess(Process process, Path output, Path errors) implements AutoCloseable {

    private static final Path FOLDER = Path.of("target", "jobs");
    private static final long TIMEOUT_MINUTES = 5;

    /** Runs a job on a database in this JVM and returns its exit code. */
    static int runHere(TestDatabase database, String... arguments) {
        try {
            return OrderServiceApplication.run(database.springArguments(arguments));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Starts a job on a database, from the class path of the test. */
    static JobProcess start(TestDatabase database, String... arguments) {
        return start(
                List.of("-cp", System.getProperty("java.class.path"), OrderServiceApplication.class.getName()),
                database.springArguments(arguments));
    }

    /** Starts the jar as the README does. */
    static JobProcess fromJar(String... arguments) {
        Path jar = Path.of("target", "order-service.jar");
        assertThat(jar).as("run mvn package first").exists();
        return start(List.of("-jar", jar.toString()), arguments);
    }

    private static JobProcess start(List<String> program, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(program);
        command.addAll(List.of(arguments));
        return of(command, Map.of());
    }

    /** Starts a command with these variables in its environment. */
    static JobProcess of(List<String> command, Map<String, String> environment) {
        try {
            Files.createDirectories(FOLDER);
            Path output = Files.createTempFile(FOLDER, "job-", ".out");
            Path errors = Files.createTempFile(FOLDER, "job-", ".err");
            ProcessBuilder process =
                    new ProcessBuilder(command).redirectOutput(output.toFile()).redirectError(errors.toFile());
            process.environment().putAll(environment);
            return new JobProcess(process.start(), output, errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for its end. */
    Result await() throws InterruptedException {
        assertThat(process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES))
                .as("ends in time; see " + errors)
                .isTrue();
        try {
            return new Result(process.exitValue(), Files.readAllLines(output));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends SIGTERM. */
    void terminate() {
        process.destroy();
    }

    /** Sends SIGKILL. */
    void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        kill();
    }

    /** How a process ended, and the lines of its standard output. */
    record Result(int exitCode, List<String> output) {}
}
