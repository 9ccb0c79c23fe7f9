package io.acidq.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.Outcome;
import io.acidq.TransientQueueException;
import io.acidq.testservers.ServerKind;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Of MySQL alone: MariaDB 11.4.5 ends itself in such a case ("Out of disk space in rollback"). */
class MySqlDiskFullIT extends OutageTests {

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
    void failsTheCallerOnAFullDiskAndContinuesWhenThereIsRoomAgain() throws Exception {
        server.server().execute("SET GLOBAL innodb_file_per_table = OFF"); // tables share the file that may not grow
        try {
            reopenWith(UnaryOperator.identity());
            sql("CREATE TABLE parcel (id BIGINT PRIMARY KEY, body LONGBLOB) ENGINE=InnoDB");
            sql("CREATE TABLE filler (body LONGBLOB) ENGINE=InnoDB");
            place("parcels", 0, 29);
            fillTheDisk();
            assertThatThrownBy(() -> placeLarge(30))
                    .isInstanceOf(TransientQueueException.class)
                    .hasMessageContainingAll("enqueue to 'parcels'", "full");
            AtomicInteger refused = new AtomicInteger();
            Engine engine = listen(on("parcels", (step, delivery) -> {
                        insertEffect(new Step("parcel", step.seq()), delivery.attempt());
                        refused.incrementAndGet();
                        parcel(step);
                        refused.decrementAndGet();
                        return Outcome.done();
                    })
                    .withConcurrency(3)
                    .withRetry(ONE_ATTEMPT));
            int node = engine.node();
            awaitUntil(() -> refused.get() > 10);
            assertThat(effects()).isZero();
            sql("DROP TABLE filler");
            awaitRows("effect", 30);
            placeLarge(30);
            awaitDrained();
            assertThat(strings("SELECT mark FROM acidq_dead")).isEmpty();
            assertNoAttemptUsedUp();
            assertThat(rows("parcel")).isEqualTo(31);
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
                sql("INSERT INTO filler VALUES (REPEAT('x', " + fits + "))");
            } catch (IllegalStateException e) {
                assertThat(((SQLException) e.getCause()).getErrorCode())
                        .as("full: %s", e.getCause())
                        .isEqualTo(1114);
                fits /= 2;
            }
        }
    }

    private void placeLarge(long seq) throws Exception {
        enqueue("parcels", new Step("x".repeat(PARCEL), seq));
    }

    private void parcel(Step step) throws SQLException {
        try (var insert = transactions
                .connection()
                .prepareStatement("INSERT INTO parcel VALUES (?, REPEAT('x', " + PARCEL + "))")) {
            insert.setLong(1, step.seq());
            insert.executeUpdate();
        }
    }
}
