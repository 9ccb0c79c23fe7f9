package io.acidq.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.examples.orders.JobProcess.Result;
import io.acidq.testservers.ServerKind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A test takes five to ten seconds: it is a process that starts with Spring Boot, and one that starts after it. */
class OrderServiceIT {

    @ParameterizedTest
    @EnumSource(ServerKind.class)
    void booksBalanceThoughHandlersFailAndOrdersAreAnnouncedTwice(ServerKind kind) throws Exception {
        Result result = run(
                Tables.on(kind), "--orders=400", "--producers=3", "--workers=8", "--fail-rate=0.2", "--key-every=10");

        assertThat(result.output())
                .singleElement()
                .asString()
                .matches("orders=400 shipments=400 lost=0 duplicated=0 out_of_order=0 dead=0"
                        + " seconds=\\d+\\.\\d per_second=\\d+");
        assertThat(result.exitCode()).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = "MYSQL")
    void endsWhenEveryOrderIsADeadLetter(ServerKind kind) throws Exception {
        Result result = run(Tables.on(kind), "--orders=30", "--fail-rate=1", "--acidq.retry.shipping.max-attempts=2");

        assertThat(result.output())
                .singleElement()
                .asString()
                .startsWith("orders=30 shipments=0 lost=0 duplicated=0 out_of_order=0 dead=30 ");
        assertThat(result.exitCode()).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = "MARIADB")
    @Tag("full")
    void endsOnTheOtherServerWhenEveryOrderIsADeadLetter(ServerKind kind) throws Exception {
        endsWhenEveryOrderIsADeadLetter(kind);
    }

    @ParameterizedTest
    @EnumSource(ServerKind.class)
    @Tag("full")
    void continuesWhatSeveralProducersHaveLeft(ServerKind kind) throws Exception {
        Tables tables = Tables.on(kind);
        try (JobProcess one = tables.job("--role=producer", "--orders=150");
                JobProcess other = tables.job("--role=producer", "--orders=150")) {
            assertThat(one.await().output()).singleElement().asString().startsWith("placed=150 ");
            assertThat(other.await().exitCode()).isZero();
        }
        Result before = run(tables, "--role=report");
        assertThat(before.output()).singleElement().asString().startsWith("orders=300 shipments=0 lost=300 ");
        assertThat(before.exitCode()).isEqualTo(1);

        Result after = run(tables, "--orders=50", "--processes=2");

        assertThat(after.output())
                .singleElement()
                .asString()
                .startsWith("orders=350 shipments=350 lost=0 duplicated=0 out_of_order=0 dead=0 ");
        assertThat(after.exitCode()).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = "MARIADB")
    void tellsWhenTheBooksDoNotBalance(ServerKind kind) throws Exception {
        Tables tables = Tables.on(kind);
        assertThat(run(tables, "--orders=200", "--producers=1").exitCode()).isZero();
        tables.change("INSERT INTO shipments (order_id, node, claim_no) VALUES (1, 1, 2)");
        tables.change("DELETE FROM shipments WHERE order_id = 2");

        Result result = run(tables, "--role=report");

        assertThat(result.output())
                .singleElement()
                .asString()
                .startsWith("orders=200 shipments=200 lost=1 duplicated=1 out_of_order=1 dead=0 ");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = "MYSQL")
    @Tag("full")
    void tellsOnTheOtherServerWhenTheBooksDoNotBalance(ServerKind kind) throws Exception {
        tellsWhenTheBooksDoNotBalance(kind);
    }

    @Test
    void refusesWhatItCanNotDo() throws Exception {
        try (JobProcess job = JobProcess.withoutDatabase("--orders=many")) {
            Result result = job.await();

            assertThat(result.exitCode()).isEqualTo(2);
            assertThat(result.output()).isEmpty();
            assertThat(result.errors())
                    .singleElement()
                    .asString()
                    .contains("--orders=many is not allowed: give a whole number from 0 to 100000000");
        }
    }

    private static Result run(Tables tables, String... arguments) throws InterruptedException {
        try (JobProcess job = tables.job(arguments)) {
            return job.await();
        }
    }
}
