package io.acidq.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.examples.orders.JobProcess.Result;
import io.acidq.testservers.FullBuild;
import io.acidq.testservers.ServerKind;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Processes die in the middle of their work, and nothing is lost, repeated or out of order.
 * Each test takes ten to twenty seconds: processes start with Spring Boot, and must be at work before they die and after it.
 */
class CrashIT {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int ORDERS = FullBuild.IS_ON ? 3000 : 500;
    private static final int KILLS = FullBuild.IS_ON ? 3 : 1;
    private static final int TERMINATED = 143;

    private final Deque<JobProcess> jobs = new ArrayDeque<>();

    @AfterEach
    void endAll() {
        jobs.forEach(JobProcess::close);
    }

    @ParameterizedTest
    @EnumSource(ServerKind.class)
    void killedWorkersLoseAndRepeatNothing(ServerKind kind) throws Exception {
        Tables tables = Tables.on(kind);
        for (int worker = 0; worker <= KILLS; worker++) {
            startWorker(tables);
        }
        await().atMost(PATIENCE).until(() -> tables.nodes() > KILLS);
        JobProcess producer = start(tables, "--role=producer", "--orders=" + ORDERS);
        for (int kill = 1; kill <= KILLS; kill++) {
            long shipped = kill * (ORDERS / 10L);
            await().atMost(PATIENCE).until(() -> tables.shipments() >= shipped);
            jobs.removeFirst().kill();
        }
        startWorker(tables);
        assertThat(producer.await().exitCode()).isZero();
        await().atMost(PATIENCE).until(() -> tables.waiting() == 0 && tables.dead() >= KILLS);
        jobs.forEach(JobProcess::terminate);
        for (JobProcess worker : jobs) {
            assertThat(worker.await().exitCode()).isEqualTo(TERMINATED);
        }

        Result report = run(tables, "--role=report");

        assertThat(report.output())
                .singleElement()
                .asString()
                .startsWith(
                        "orders=" + ORDERS + " shipments=" + ORDERS + " lost=0 duplicated=0 out_of_order=0 dead=0 ");
        assertThat(report.exitCode()).isZero();
        assertThat(tables.count("(SELECT DISTINCT node FROM shipments) n")).isGreaterThan(FullBuild.IS_ON ? 2 : 1);
    }

    /** With one attempt only, an innocent order whose process was killed by another would be a dead letter if that counted. */
    @ParameterizedTest
    @EnumSource(ServerKind.class)
    @Tag("full")
    void onlyPoisonedOrdersBecomeDeadLetters(ServerKind kind) throws Exception {
        Tables tables = Tables.on(kind);

        Result result = run(
                tables,
                "--orders=120",
                "--poison=60",
                "--workers=8",
                "--acidq.heartbeat-interval=300ms",
                "--acidq.retry.shipping.max-attempts=1");

        assertThat(result.output())
                .singleElement()
                .asString()
                .startsWith("orders=120 shipments=118 lost=0 duplicated=0 out_of_order=0 dead=2 ");
        assertThat(result.exitCode()).isZero();
        assertThat(tables.count("acidq_dead WHERE p_key IN ('60', '120') AND crashes = 3 AND attempts = 0"))
                .isEqualTo(2);
        assertThat(tables.count("shipments WHERE order_id IN (60, 120)")).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = "MYSQL")
    @Tag("full")
    void doesSoOnTheOtherServer(ServerKind kind) throws Exception {
        aWorkerThatIsToldToStopFinishesWhatItShips(kind);
    }

    /** The other server is that of {@link WorkerServiceIT}, where it is stopped as well. */
    @ParameterizedTest
    @EnumSource(names = "MARIADB")
    void aWorkerThatIsToldToStopFinishesWhatItShips(ServerKind kind) throws Exception {
        Tables tables = Tables.on(kind);
        assertThat(run(tables, "--role=producer", "--orders=500").exitCode()).isZero();
        JobProcess worker = start(tables, "--role=worker", "--workers=4", "--handler-ms=100");
        await().atMost(PATIENCE).until(() -> tables.shipments() > 20);

        worker.terminate();

        assertThat(worker.await().exitCode()).isEqualTo(TERMINATED);
        assertThat(tables.shipments() + tables.waiting()).isEqualTo(500);
        assertThat(tables.count("acidq_message WHERE owner <> 0 OR attempts <> 0"))
                .isZero();
        assertThat(tables.count("acidq_node WHERE state = 'STOPPED'")).isEqualTo(1);
    }

    private void startWorker(Tables tables) {
        jobs.add(start(
                tables,
                "--role=worker",
                "--workers=8",
                "--handler-ms=60",
                "--acidq.heartbeat-interval=300ms",
                "--acidq.max-crashes=" + (KILLS + 1)));
    }

    private static JobProcess start(Tables tables, String... arguments) {
        return tables.job(arguments);
    }

    private static Result run(Tables tables, String... arguments) throws InterruptedException {
        try (JobProcess job = tables.job(arguments)) {
            return job.await();
        }
    }
}
