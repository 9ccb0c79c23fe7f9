package io.acidq.examples.orders;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.testservers.FullBuild;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The jar as the unit in examples/worker-service starts it. Its process is stopped under load, and started again.
 */
class WorkerServiceIT {

    private static final Path FOLDER = Path.of("..", "worker-service");
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final int ORDERS = FullBuild.IS_ON ? 300 : 80;

    @ParameterizedTest
    @EnumSource(names = "MARIADB")
    @Tag("full")
    void doesSoOnTheOtherServer(ServerKind kind) throws Exception {
        shipsEachOrderOnceThoughItIsStoppedUnderLoadAndStartedAgain(kind);
    }

    @ParameterizedTest
    @EnumSource(names = "MYSQL")
    void shipsEachOrderOnceThoughItIsStoppedUnderLoadAndStartedAgain(ServerKind kind) throws Exception {
        TestDatabase database = TestServers.get(kind).createDatabase();
        assertThat(JobProcess.runHere(database, "--role=producer", "--orders=" + ORDERS))
                .isZero();
        try (JobProcess first = service(database)) {
            await().atMost(TIMEOUT).until(() -> database.count("shipments") >= 20);
            assertThat(stop(first)).isEqualTo(unit("SuccessExitStatus"));
        }
        long shipped = database.count("shipments");
        assertThat(shipped).as("it was stopped in the middle").isLessThan(ORDERS);
        assertThat(database.count("(SELECT 1 FROM acidq_message UNION ALL SELECT 1 FROM acidq_scheduled) m"))
                .isEqualTo(ORDERS - shipped);
        assertThat(database.count("acidq_message WHERE owner <> 0 OR attempts <> 0"))
                .as("requeued, and no attempt counts")
                .isZero();
        assertThat(database.count("acidq_node WHERE state = 'STOPPED'")).isEqualTo(1);
        assertThat(database.count("acidq_node WHERE version <> '" + version() + "'"))
                .as("nodes register their version")
                .isZero();

        try (JobProcess second = service(database)) {
            await().atMost(TIMEOUT)
                    .until(() ->
                            database.count("(SELECT 1 FROM acidq_message UNION ALL SELECT 1 FROM acidq_scheduled) m")
                                    == 0);
            assertThat(stop(second)).isEqualTo(unit("SuccessExitStatus"));
        }
        assertThat(database.count("shipments")).isEqualTo(ORDERS);
        assertThat(database.count("(SELECT DISTINCT order_id FROM shipments) o"))
                .isEqualTo(ORDERS);
    }

    /** Returns the version of the root POM, which the jar has in its manifest. */
    private static String version() throws IOException {
        return Files.readString(Path.of("..", "..", "pom.xml"))
                .split("<version>", 2)[1]
                .split("<", 2)[0];
    }

    /** Sends SIGTERM and returns the exit code. */
    private static String stop(JobProcess worker) throws Exception {
        worker.terminate();
        return "" + worker.await().exitCode();
    }

    /** Starts the unit's command in the environment of its file, with the Java, jar and database of the test. */
    private static JobProcess service(TestDatabase database) throws IOException {
        Properties environment = new Properties();
        try (Reader file = Files.newBufferedReader(FOLDER.resolve("worker.env"))) {
            environment.load(file);
        }
        List<String> command = new ArrayList<>();
        for (String word : unit("ExecStart").split(" ")) {
            switch (word) {
                case "/usr/bin/java" -> {
                    command.add(Path.of(System.getProperty("java.home"), "bin", "java")
                            .toString());
                    command.add("-XX:TieredStopAtLevel=1"); // it lives for seconds
                }
                case "$JAVA_OPTIONS" ->
                    command.addAll(List.of(((String) environment.remove("JAVA_OPTIONS")).split(" ")));
                case "/opt/order-worker/order-service.jar" -> command.add("target/order-service.jar");
                default -> command.add(word);
            }
        }
        command.add("--handler-ms=200"); // so that work is left when it is stopped
        Map.of(
                        "SPRING_DATASOURCE_URL", database.jdbcUrl(),
                        "SPRING_DATASOURCE_USERNAME", database.username(),
                        "SPRING_DATASOURCE_PASSWORD", database.password())
                .forEach((name, value) ->
                        assertThat(environment.replace(name, value)).as(name).isNotNull());
        return JobProcess.of(
                command,
                environment.stringPropertyNames().stream().collect(toMap(identity(), environment::getProperty)));
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
