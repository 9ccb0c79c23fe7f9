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

/** The job in a process of its own. What it writes is kept in {@code target/jobs}. */
final class JobProcess implements AutoCloseable {

    private static final Path FOLDER = Path.of("target", "jobs");
    private static final long PATIENCE_MINUTES = 5;

    private final Process process;
    private final Path output;
    private final Path errors;

    private JobProcess(Process process, Path output, Path errors) {
        this.process = process;
        this.output = output;
        this.errors = errors;
    }

    /** On a database, from the class path of the test. */
    static JobProcess on(TestDatabase database, String... arguments) {
        List<String> all = new ArrayList<>(List.of(
                "--spring.datasource.url=" + database.jdbcUrl(),
                "--spring.datasource.username=" + database.username(),
                "--spring.datasource.password=" + database.password()));
        all.addAll(List.of(arguments));
        return withoutDatabase(all.toArray(String[]::new));
    }

    static JobProcess withoutDatabase(String... arguments) {
        return start(
                List.of("-cp", System.getProperty("java.class.path"), OrderServiceApplication.class.getName()),
                arguments);
    }

    /** As the README starts it. */
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

    /** A whole command, with these variables in its environment. */
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

    /** Waits for its end and tells how it ended. */
    Result await() throws InterruptedException {
        assertThat(process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES))
                .as("ends in time; see " + errors)
                .isTrue();
        return new Result(process.exitValue(), read(output), read(errors));
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** SIGTERM. */
    void terminate() {
        process.destroy();
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        kill();
    }

    private static List<String> read(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How a process ended and what it wrote, line by line. */
    record Result(int exitCode, List<String> output, List<String> errors) {}
}
