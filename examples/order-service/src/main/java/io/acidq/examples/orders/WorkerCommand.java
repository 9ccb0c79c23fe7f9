package io.acidq.examples.orders;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.system.ApplicationHome;
import org.springframework.stereotype.Component;

/** How a worker process is started: this program with its arguments, in another role, on the same database. */
@Component
class WorkerCommand {

    private static final Set<String> OWN = Set.of("role", "processes", "parent");

    /** A small heap, and a start that does not wait for the best code. */
    private static final List<String> FLAGS = List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private final ApplicationArguments arguments;
    private final JdbcConnectionDetails database;

    WorkerCommand(ApplicationArguments arguments, JdbcConnectionDetails database) {
        this.arguments = arguments;
        this.database = database;
    }

    ProcessBuilder build() {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(FLAGS);
        words.addAll(program());
        words.add("--role=" + Role.WORKER);
        words.add("--parent=" + ProcessHandle.current().pid());
        for (String word : arguments.getSourceArgs()) {
            if (OWN.stream().noneMatch(own -> word.startsWith("--" + own + "="))) {
                words.add(word);
            }
        }
        ProcessBuilder command = new ProcessBuilder(words)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        // not as arguments, which every user of the machine can read
        command.environment().put("SPRING_DATASOURCE_URL", database.getJdbcUrl());
        command.environment().put("SPRING_DATASOURCE_USERNAME", textOf(database.getUsername()));
        command.environment().put("SPRING_DATASOURCE_PASSWORD", textOf(database.getPassword()));
        return command;
    }

    /** The jar that runs, or the class path when there is none. */
    private static List<String> program() {
        File jar = new ApplicationHome(OrderServiceApplication.class).getSource();
        return jar != null && jar.isFile()
                ? List.of("-jar", jar.toString())
                : List.of("-cp", System.getProperty("java.class.path"), OrderServiceApplication.class.getName());
    }

    private static String textOf(@Nullable String value) {
        return value == null ? "" : value;
    }
}
