package io.acidq.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.examples.orders.JobProcess.Result;
import io.acidq.testservers.FullBuild;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The program in several processes, some of which are killed. A process takes seconds to start with Spring Boot. */
class ProcessIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final int ORDERS = FullBuild.IS_ON ? 3000 : 400;
    private static final int KILLS = FullBuild.IS_ON ? 3 : 1;
    private static final int TERMINATED = 143;

    private final Deque<JobProcess> workers = new ArrayDeque<>();

    @AfterEach
    void endAll() {
        workers.forEach(JobProcess::close);
    }

    /** The jar, with worker processes: nothing is installed or configured. */
    @Test
    void theJarBringsItsDatabase() throws Exception {
        try (JobProcess job = JobProcess.fromJar("--orders=300", "--processes=2")) {
            Result result = job.await();

            assertThat(result.output())
                    .singleElement()
                    .asString()
                    .matches("orders=300 shipments=\\d+ lost=0 duplicated=0 out_of_order=0 retried=[1-9].*");
            assertThat(result.exitCode()).isZero();
        }
    }

    @Test
    void theDashboardStaysAfterTheCounts() throws Exception {
        TestDatabase database = TestServers.get(ServerKind.MARIADB).createDatabase();
        try (JobProcess job =
                JobProcess.start(database, "--orders=40", "--fail-rate=1", "--dashboard", "--acidq.dashboard.port=0")) {
            await().atMost(TIMEOUT)
                    .until(() -> Files.readString(job.errors()).contains("the dashboard stays until Ctrl-C"));
            Matcher address = Pattern.compile("dashboard: (http://localhost:\\d+/acidq/)")
                    .matcher(Files.readString(job.errors()));
            assertThat(address.find()).isTrue();
            HttpResponse<String> overview = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create(address.group(1) + "api/v1/overview"))
                                    .build(),
                            BodyHandlers.ofString());
            assertThat(overview.body()).contains("\"dead\":40");

            job.terminate();
            assertThat(job.await().exitCode()).isEqualTo(TERMINATED);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "MARIADB")
    @Tag("full")
    void theyDoSoOnTheOtherServer(ServerKind kind) throws Exception {
        killedWorkersLoseAndRepeatNothing(kind);
    }

    @ParameterizedTest
    @EnumSource(names = "MYSQL")
    void killedWorkersLoseAndRepeatNothing(ServerKind kind) throws Exception {
        TestDatabase database = TestServers.get(kind).createDatabase();
        assertThat(JobProcess.runHere(database, "--role=producer", "--orders=0"))
                .as("creates the tables")
                .isZero();
        for (int worker = 0; worker <= KILLS; worker++) {
            startWorker(database);
        }
        await().atMost(TIMEOUT).until(() -> database.count("acidq_node") > KILLS);
        CompletableFuture<Integer> producer = CompletableFuture.supplyAsync(
                () -> JobProcess.runHere(database, "--role=producer", "--orders=" + ORDERS));
        for (int kill = 1; kill <= KILLS; kill++) {
            long shipped = kill * (ORDERS / 10L);
            await().atMost(TIMEOUT).until(() -> database.count("shipments") >= shipped);
            workers.removeFirst().kill();
        }
        startWorker(database);
        assertThat(producer.join()).isZero();
        await().atMost(TIMEOUT)
                .until(() ->
                        database.count("(SELECT 1 FROM acidq_message UNION ALL SELECT 1 FROM acidq_scheduled) m") == 0
                                && database.count("acidq_node WHERE state = 'DEAD'") >= KILLS);
        workers.forEach(JobProcess::terminate);
        for (JobProcess worker : workers) {
            assertThat(worker.await().exitCode()).isEqualTo(TERMINATED);
        }

        assertThat(JobProcess.runHere(database, "--role=report")).isZero();
        assertThat(database.count("shipments")).isEqualTo(ORDERS);
        assertThat(database.count("(SELECT DISTINCT node FROM shipments) n")).isGreaterThan(KILLS > 1 ? 2 : 1);
    }

    /** With one attempt only, an innocent order whose process was killed by another would be a dead letter if that counted. */
    @ParameterizedTest
    @EnumSource(ServerKind.class)
    @Tag("full")
    void onlyPoisonedOrdersBecomeDeadLetters(ServerKind kind) throws Exception {
        TestDatabase database = TestServers.get(kind).createDatabase();
        assertThat(JobProcess.runHere(
                        database,
                        "--orders=120",
                        "--poison=60",
                        "--fail-rate=0",
                        "--workers=8",
                        "--acidq.heartbeat-interval=300ms",
                        "--acidq.retry.shipping.max-attempts=1"))
                .isZero();

        assertThat(database.count("shipments")).isEqualTo(118);
        assertThat(database.count("acidq_dead WHERE p_key IN ('60', '120') AND crashes = 3 AND attempts = 0"))
                .isEqualTo(2);
        assertThat(database.count("shipments WHERE order_id IN (60, 120)")).isZero();
    }

    private void startWorker(TestDatabase database) {
        workers.add(JobProcess.start(
                database,
                "--role=worker",
                "--workers=8",
                "--fail-rate=0",
                "--handler-ms=60",
                "--acidq.heartbeat-interval=300ms",
                "--acidq.max-crashes=" + (KILLS + 1)));
    }
}
