package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.acidq.Outcome;
import io.acidq.TransientQueueException;
import io.acidq.config.Listener;
import io.acidq.engine.EngineFixture.Step;
import io.acidq.resilience.RetryPolicy;
import io.acidq.testservers.ServerKind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Of MySQL alone: MariaDB 11.4.5 ends itself in such a case ("Out of disk space in rollback"). */
class MySqlDiskFullIT extends OutageFixture {

    private static final int PARCEL = 400_000;

    @BeforeAll
    void startServer() {
        // the disk that the test fills
        startServer(ServerKind.MYSQL, "--innodb-data-file-path=ibdata1:12M:autoextend:max:40M");
    }

    @AfterAll
    void stopServer() {
        server.close();
    }

    @Test
    void tellsTheCallerThatTheDiskIsFullAndGoesOnWhenThereIsRoomAgain() throws Exception {
        server.server().execute("SET GLOBAL innodb_file_per_table = OFF"); // tables share the file that may not grow
        try {
            engineFixture.close();
            engineFixture = world(UnaryOperator.identity());
            engineFixture.sql("CREATE TABLE parcel (id BIGINT PRIMARY KEY, body LONGBLOB) ENGINE=InnoDB");
            engineFixture.sql("CREATE TABLE filler (body LONGBLOB) ENGINE=InnoDB");
            place("parcels", 0, 30);
            fillTheDisk();
            assertThatThrownBy(() -> placeLarge(30))
                    .isInstanceOf(TransientQueueException.class)
                    .hasMessageContainingAll("enqueue to 'parcels'", "full");
            AtomicInteger refused = new AtomicInteger();
            Engine engine = engineFixture.engine(e -> e.listen(Listener.on("parcels", Step.class, (step, delivery) -> {
                        engineFixture.effect(new Step("parcel", step.seq()), delivery.attempt());
                        refused.incrementAndGet();
                        parcel(step);
                        refused.decrementAndGet();
                        return Outcome.done();
                    })
                    .withConcurrency(3)
                    .withRetry(RetryPolicy.defaults().withMaxAttempts(1))));
            int node = engine.node();
            await().atMost(Duration.ofSeconds(30)).until(() -> refused.get() > 10);
            assertThat(effects()).isZero();
            engineFixture.sql("DROP TABLE filler");
            await().atMost(Duration.ofSeconds(60)).until(() -> effects() == 30);
            placeLarge(30);
            engineFixture.drained();
            assertThat(engineFixture.strings("SELECT mark FROM acidq_dead")).isEmpty();
            assertThat(engineFixture.strings("SELECT DISTINCT node FROM effect"))
                    .as("no attempt was burnt")
                    .containsExactly("1");
            assertThat(engineFixture.count("SELECT COUNT(*) FROM parcel")).isEqualTo(31);
            assertThat(engine.node()).isEqualTo(node);
        } finally {
            server.server().execute("SET GLOBAL innodb_file_per_table = ON");
        }
    }

    /** Until no parcel has room. */
    private void fillTheDisk() {
        int fits = 1 << 20;
        while (fits > PARCEL / 2) {
            try {
                engineFixture.sql("INSERT INTO filler VALUES (REPEAT('x', " + fits + "))");
            } catch (IllegalStateException e) {
                assertThat(((SQLException) e.getCause()).getErrorCode())
                        .as("full: %s", e.getCause())
                        .isEqualTo(1114);
                fits /= 2;
            }
        }
    }

    private void placeLarge(long seq) throws Exception {
        engineFixture.enqueue("parcels", new Step("x".repeat(PARCEL), seq), options());
    }

    private void parcel(Step step) throws SQLException {
        try (var insert = engineFixture
                .transactions
                .connection()
                .prepareStatement("INSERT INTO parcel VALUES (?, REPEAT('x', " + PARCEL + "))")) {
            insert.setLong(1, step.seq());
            insert.executeUpdate();
        }
    }
}
