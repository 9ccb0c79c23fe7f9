package io.acidq.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.testservers.FullBuild;
import io.acidq.testservers.ServerKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The jar as examples/worker-service has systemd run it.
 * Takes some twenty seconds: three processes start with Spring Boot, two of them one after the other, and work under load.
 */
class WorkerServiceIT {

    private static final Path FOLDER = Path.of("..", "worker-service");
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int ORDERS = FullBuild.IS_ON ? 300 : 150;

    @ParameterizedTest
    @EnumSource(names = "MARIADB")
    @Tag("full")
    void doesSoOnTheOtherServer(ServerKind kind) throws Exception {
        shipsEachOrderOnceThoughItIsStoppedUnderLoadAndStartedAgain(kind);
    }

    @ParameterizedTest
    @EnumSource(names = "MYSQL")
    void shipsEachOrderOnceThoughItIsStoppedUnderLoadAndStartedAgain(ServerKind kind) throws Exception {
        Tables tables = Tables.on(kind);
        try (JobProcess producer = tables.job("--role=producer", "--orders=" + ORDERS);
                JobProcess first = service(tables)) {
            await().atMost(PATIENCE).until(() -> tables.shipments() >= 20);
            assertThat(stop(first)).isEqualTo(unit("SuccessExitStatus"));
            assertThat(producer.await().exitCode()).isZero();
        }
        long shipped = tables.shipments();
        assertThat(shipped).as("it was stopped in the middle").isLessThan(ORDERS);
        assertThat(tables.waiting()).isEqualTo(ORDERS - shipped);
        assertThat(tables.count("acidq_message WHERE owner <> 0 OR attempts <> 0"))
                .as("given back, and no attempt counts")
                .isZero();
        assertThat(tables.count("acidq_node WHERE state = 'STOPPED'")).isGreaterThanOrEqualTo(1);
        assertThat(tables.count("acidq_node WHERE version <> '" + version() + "'"))
                .as("nodes tell their version")
                .isZero();

        try (JobProcess second = service(tables)) {
            await().atMost(PATIENCE).until(() -> tables.waiting() == 0);
            assertThat(stop(second)).isEqualTo(unit("SuccessExitStatus"));
        }
        assertThat(tables.shipments()).isEqualTo(ORDERS);
        assertThat(tables.count("(SELECT DISTINCT order_id FROM shipments) o")).isEqualTo(ORDERS);
    }

    /** Of the POM that all modules have theirs from; the jar knows it by its manifest. */
    private static String version() throws IOException {
        return Files.readString(Path.of("..", "..", "pom.xml"))
                .split("<version>", 2)[1]
                .split("<", 2)[0];
    }

    /** SIGTERM; returns the exit code. */
    private static String stop(JobProcess worker) throws Exception {
        worker.terminate();
        return "" + worker.await().exitCode();
    }

    /** The unit's command in the environment of its file; only where Java, the jar and the database are is another. */
    private static JobProcess service(Tables tables) throws IOException {
        Map<String, String> environment = environment();
        List<String> command = new ArrayList<>();
        for (String word : unit("ExecStart").split(" ")) {
            switch (word) {
                case "/usr/bin/java" -> {
                    command.add(Path.of(System.getProperty("java.home"), "bin", "java")
                            .toString());
                    command.add("-XX:TieredStopAtLevel=1"); // it lives for seconds
                }
                case "$JAVA_OPTIONS" ->
                    command.addAll(List.of(environment.remove("JAVA_OPTIONS").split(" ")));
                case "/opt/order-worker/order-service.jar" -> command.add("target/order-service.jar");
                default -> command.add(word);
            }
        }
        command.add("--handler-ms=200"); // that it does not end before it is stopped
        assertThat(environment.replace(
                        "SPRING_DATASOURCE_URL", tables.database().jdbcUrl()))
                .isNotNull();
        assertThat(environment.replace(
                        "SPRING_DATASOURCE_USERNAME", tables.database().username()))
                .isNotNull();
        assertThat(environment.replace(
                        "SPRING_DATASOURCE_PASSWORD", tables.database().password()))
                .isNotNull();
        return JobProcess.of(command, environment);
    }

    private static Map<String, String> environment() throws IOException {
        Map<String, String> environment = new HashMap<>();
        try (Stream<String> lines = Files.lines(FOLDER.resolve("worker.env"))) {
            lines.filter(line -> !line.startsWith("#")).forEach(line -> {
                int is = line.indexOf('=');
                environment.put(line.substring(0, is), line.substring(is + 1));
            });
        }
        return environment;
    }

    private static String unit(String name) throws IOException {
        try (Stream<String> lines = Files.lines(FOLDER.resolve("order-worker.service"))) {
            return lines.filter(line -> line.startsWith(name + "="))
                    .map(line -> line.substring(name.length() + 1))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
