package io.acidq.examples.orders;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.system.ApplicationHome;
import org.springframework.stereotype.Component;

/**
 * Processes that ship: this program with its arguments, in another role, on the same database. Each is replaced when it ends. Spring closes this bean
 * before the database. Thread-safe.
 */
@Component
class WorkerProcesses implements AutoCloseable {

    private static final long STOP_TIMEOUT_SECONDS = 40;

    /** Options that a worker process does not inherit. */
    private static final List<String> NOT_INHERITED = List.of("--role=", "--processes=", "--parent=", "--dashboard");

    /** A small heap, and a JVM that starts fast. */
    private static final List<String> JVM_OPTIONS = List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private final ApplicationArguments arguments;
    private final JdbcConnectionDetails database;
    private final Set<Process> alive = new HashSet<>();
    private int replaced;
    private boolean closing;

    WorkerProcesses(ApplicationArguments arguments, JdbcConnectionDetails database) {
        this.arguments = arguments;
        this.database = database;
    }

    void start(int count) {
        for (int i = 0; i < count; i++) {
            launch();
        }
    }

    /** Returns a note for the progress of the job. */
    synchronized String note() {
        return replaced == 0 ? "" : ", processes replaced " + replaced;
    }

    private synchronized void launch() {
        try {
            Process process = command().start();
            alive.add(process);
            var unused = process.onExit().thenAcceptAsync(this::replace);
        } catch (IOException e) {
            Progress.print("cannot start a worker process: " + e.getMessage());
        }
    }

    private synchronized void replace(Process ended) {
        alive.remove(ended);
        if (!closing) {
            replaced++;
            launch();
        }
    }

    private ProcessBuilder command() {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(JVM_OPTIONS);
        words.addAll(program());
        words.add("--role=worker");
        words.add("--parent=" + ProcessHandle.current().pid());
        for (String word : arguments.getSourceArgs()) {
            if (NOT_INHERITED.stream().noneMatch(word::startsWith)) {
                words.add(word);
            }
        }
        ProcessBuilder command = new ProcessBuilder(words)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        // not as arguments, which every user of the machine can read
        command.environment().put("SPRING_DATASOURCE_URL", database.getJdbcUrl());
        command.environment().put("SPRING_DATASOURCE_USERNAME", Objects.requireNonNullElse(database.getUsername(), ""));
        command.environment().put("SPRING_DATASOURCE_PASSWORD", Objects.requireNonNullElse(database.getPassword(), ""));
        return command;
    }

    /** Returns the jar that runs, or the class path when there is none. */
    private static List<String> program() {
        File jar = new ApplicationHome(OrderServiceApplication.class).getSource();
        return jar != null && jar.isFile()
                ? List.of("-jar", jar.toString())
                : List.of("-cp", System.getProperty("java.class.path"), OrderServiceApplication.class.getName());
    }

    /** Stops all processes and waits until they have ended. Running handlers finish. */
    @Override
    public void close() {
        List<Process> last;
        synchronized (this) {
            closing = true;
            last = new ArrayList<>(alive);
        }
        last.forEach(Process::destroy);
        for (Process process : last) {
            try {
                if (!process.waitFor(STOP_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }
}
