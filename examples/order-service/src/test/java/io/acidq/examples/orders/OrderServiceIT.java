package io.acidq.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The whole program without its exit, in this JVM. The tests run in one thread, because they read standard output. */
@ExtendWith(OutputCaptureExtension.class)
@Execution(ExecutionMode.SAME_THREAD)
class OrderServiceIT {

    @ParameterizedTest
    @EnumSource(ServerKind.class)
    void countsAreConsistentThoughHandlersFailAndOrdersAreEnqueuedTwice(ServerKind kind, CapturedOutput output)
            throws Exception {
        TestDatabase database = TestServers.get(kind).createDatabase();

        assertThat(JobProcess.runHere(database, "--orders=400", "--producers=3", "--workers=8", "--key-every=10"))
                .isZero();

        assertThat(output)
                .containsPattern(
                        "orders=400 shipments=\\d+ lost=0 duplicated=0 out_of_order=0 retried=[1-9]\\d* dead=\\d+"
                                + " seconds=\\d+\\.\\d per_second=\\d+");
    }

    @ParameterizedTest
    @EnumSource(ServerKind.class)
    void endsWhenEveryOrderIsADeadLetter(ServerKind kind, CapturedOutput output) throws Exception {
        assertThat(JobProcess.runHere(TestServers.get(kind).createDatabase(), "--orders=30", "--fail-rate=1"))
                .isZero();

        assertThat(output).contains("orders=30 shipments=0 lost=0 duplicated=0 out_of_order=0 retried=0 dead=30 ");
    }

    @ParameterizedTest
    @EnumSource(ServerKind.class)
    void reportsWhenTheCountsAreInconsistent(ServerKind kind, CapturedOutput output) throws Exception {
        TestDatabase database = TestServers.get(kind).createDatabase();
        assertThat(JobProcess.runHere(database, "--orders=200", "--producers=1", "--fail-rate=0"))
                .isZero();
        database.execute("INSERT INTO shipments (order_id, node, attempt) VALUES (1, 1, 1)");
        database.execute("DELETE FROM shipments WHERE order_id = 2");

        assertThat(JobProcess.runHere(database, "--role=report")).isEqualTo(1);

        assertThat(output).contains("orders=200 shipments=200 lost=1 duplicated=1 out_of_order=1 retried=0 dead=0");
    }

    @ParameterizedTest
    @EnumSource(ServerKind.class)
    @Tag("full")
    void shipsWhatProducersHaveLeft(ServerKind kind, CapturedOutput output) throws Exception {
        TestDatabase database = TestServers.get(kind).createDatabase();
        try (JobProcess other = JobProcess.start(database, "--role=producer", "--orders=150")) {
            assertThat(JobProcess.runHere(database, "--role=producer", "--orders=150"))
                    .isZero();
            assertThat(output).contains("placed=150 ");
            assertThat(other.await().exitCode()).isZero();
        }
        assertThat(JobProcess.runHere(database, "--role=report")).isEqualTo(1);
        assertThat(output).contains("orders=300 shipments=0 lost=300 ");

        assertThat(JobProcess.runHere(database, "--orders=50", "--processes=2", "--fail-rate=0"))
                .isZero();

        assertThat(output).contains("orders=350 shipments=350 lost=0 duplicated=0 out_of_order=0 retried=0 dead=0 ");
    }
}
