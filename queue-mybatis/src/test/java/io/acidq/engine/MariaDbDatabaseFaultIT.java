package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.Outcome;
import io.acidq.config.Listener;
import io.acidq.engine.World.Step;
import io.acidq.resilience.RetryPolicy;
import io.acidq.testservers.ServerKind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class MariaDbDatabaseFaultIT extends DatabaseFaultConformance {

    MariaDbDatabaseFaultIT() {
        super(ServerKind.MARIADB);
    }

    /** MariaDB from 11.6.2 on does so by default: who writes what has changed since his snapshot is refused with error 1020. */
    @Test
    void retriesWithoutBurningAnAttemptWhatASnapshotConflictHasRolledBack() throws Exception {
        open(config -> inSession(config, "innodb_snapshot_isolation=ON"), UnaryOperator.identity());
        accounts();
        AtomicInteger starts = new AtomicInteger();
        engine(Listener.on("snapshot", Step.class, (step, delivery) -> {
                    world().effect(step, delivery.attempt());
                    payInASnapshot(starts.incrementAndGet() == 1);
                    return Outcome.done();
                })
                .withRetry(RetryPolicy.defaults().withMaxAttempts(1)));
        world().enqueue("snapshot", new Step("m", 1), options());
        everythingWasDoneOnce(1);
        assertThat(starts).hasValue(2);
        assertThat(world().count("SELECT SUM(paid) FROM account")).isEqualTo(1);
    }

    /** The application's own transaction, at the server's default isolation. */
    private void payInASnapshot(boolean othersToo) throws SQLException {
        try (Connection own = world().pool.getConnection();
                Statement statement = own.createStatement()) {
            own.setAutoCommit(false);
            statement.executeQuery("SELECT paid FROM account WHERE id = 1").close();
            if (othersToo) {
                world().sql("UPDATE account SET paid = paid WHERE id = 1");
                world().sql("UPDATE account SET paid = paid + 1 WHERE id = 1");
                world().sql("UPDATE account SET paid = paid - 1 WHERE id = 1");
            }
            statement.executeUpdate("UPDATE account SET paid = paid + 1 WHERE id = 1");
            own.commit();
        }
    }
}
