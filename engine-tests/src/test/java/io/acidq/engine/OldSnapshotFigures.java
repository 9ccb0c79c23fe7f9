package io.acidq.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.NewMessage;
import io.acidq.Outcome;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Messages pass while a snapshot from before the first of them stays open, so that the server can remove none of the rows that they leave
 * behind. Makes a figure of docs/en/proof.md, and is no part of the build: {@code mvn verify -pl engine-tests -am -Dit.test=OldSnapshotFigures
 * -Dmessages=1000000 -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false}.
 */
class OldSnapshotFigures extends FreshEngineTests {

    private static final Logger log = LoggerFactory.getLogger(OldSnapshotFigures.class);
    private static final long MESSAGES = Long.getLong("messages", 1_000_000);
    private static final int ROUNDS = 10;
    private static final int PIECE = 5000;
    private static final String Q = "snapshot";

    @Test
    void runsAsManyMessagesPerSecondWhileAnOldSnapshotIsOpen() throws Exception {
        try (Connection reader = pool.getConnection();
                Statement old = reader.createStatement()) {
            reader.setAutoCommit(false);
            reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            old.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT");
            old.executeQuery("SELECT COUNT(*) FROM acidq_message").close();
            AtomicLong done = new AtomicLong();
            listen(on(Q, (step, delivery) -> {
                        done.incrementAndGet();
                        return Outcome.done();
                    })
                    .withConcurrency(8)
                    .withTransactionSize(20));
            for (int round = 1; round <= ROUNDS; round++) {
                long began = System.nanoTime();
                pass(MESSAGES / ROUNDS);
                Duration took = Duration.ofNanos(System.nanoTime() - began);
                log.info("FIGURE {} tenth {}: {} messages in {} ms", kind, round, MESSAGES / ROUNDS, took.toMillis());
            }
            assertThat(done.get()).isGreaterThanOrEqualTo(MESSAGES / ROUNDS * ROUNDS);
            reader.rollback();
        }
    }

    private void pass(long messages) throws Exception {
        for (long left = messages; left > 0; left -= PIECE) {
            List<NewMessage> piece = LongStream.range(0, Math.min(left, PIECE))
                    .mapToObj(i -> NewMessage.of(new Step("m", i)))
                    .toList();
            enqueueAll(Q, piece);
        }
        awaitDrained();
    }
}
