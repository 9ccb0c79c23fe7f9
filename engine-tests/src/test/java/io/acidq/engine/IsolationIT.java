package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import io.acidq.Outcome;
import io.acidq.config.Listener;
import io.acidq.engine.EngineFixture.Step;
import io.acidq.resilience.RetryPolicy;
import io.acidq.store.DatabaseError;
import io.acidq.testservers.ServerKind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Servers whose sessions begin with other settings of isolation: callers and external handlers meet them, the engine's own transactions set
 * their level themselves. Both read a row and write it, so that they conflict; a conflict uses up no attempt.
 */
@ParameterizedClass
@EnumSource(ServerKind.class)
class IsolationIT {

    private static final String INSIDE = "inside";
    private static final String OUTSIDE = "outside";
    private static final int CALLERS = 4;
    private static final int EACH = 10;
    private static final RetryPolicy ONE_ATTEMPT = RetryPolicy.defaults().withMaxAttempts(1);

    private final ServerKind kind;
    private final Set<Integer> conflicts = new ConcurrentSkipListSet<>();
    private final CyclicBarrier allHaveRead = new CyclicBarrier(CALLERS);

    IsolationIT(ServerKind kind) {
        this.kind = kind;
    }

    /** On MySQL at its default level, on MariaDB as from 11.6.2 on. */
    @Test
    void doesEverythingOnceWhereASnapshotConflictsWithWhatOthersHaveCommitted() throws Exception {
        if (kind == ServerKind.MYSQL) {
            assertThat(story(c -> c.setTransactionIsolation("TRANSACTION_REPEATABLE_READ")))
                    .isSubsetOf(1213);
        } else {
            assertThat(story(c -> c.setConnectionInitSql("SET SESSION innodb_snapshot_isolation = ON")))
                    .contains(1020);
        }
    }

    @Test
    void doesEverythingOnceWhereSessionsAreSerializable() throws Exception {
        assertThat(story(c -> c.setTransactionIsolation("TRANSACTION_SERIALIZABLE")))
                .contains(1213);
    }

    /** Everything is done once and in order; returns the codes of the conflicts that were met. */
    private Set<Integer> story(Consumer<HikariConfig> settingOfSessions) throws Exception {
        try (EngineFixture engineFixture = new EngineFixture(kind, settingOfSessions, pool -> pool)) {
            engineFixture.sql("CREATE TABLE hot (id INT PRIMARY KEY, n INT NOT NULL) ENGINE=InnoDB");
            engineFixture.sql("INSERT INTO hot VALUES (1, 0), (2, 0), (3, 0)");
            engine(engineFixture);
            engine(engineFixture);
            callAll(engineFixture);
            engineFixture.drained();
            int all = CALLERS * EACH;
            assertThat(engineFixture.strings("SELECT n FROM hot ORDER BY id"))
                    .as("by callers, in handlers, in external handlers")
                    .containsExactly("" + all, "" + all, "" + all);
            assertThat(engineFixture.strings("SELECT CONCAT(k, '-', seq) FROM effect"))
                    .hasSize(all)
                    .doesNotHaveDuplicates();
            for (int caller = 0; caller < CALLERS; caller++) {
                assertThat(
                                engineFixture
                                        .strings("SELECT seq FROM effect WHERE k = 'c" + caller + "' ORDER BY id")
                                        .stream()
                                        .map(Integer::valueOf))
                        .isSorted();
            }
            assertThat(engineFixture.strings("SELECT mark FROM acidq_dead")).isEmpty();
        }
        return conflicts;
    }

    private void engine(EngineFixture engineFixture) {
        engineFixture.engine(e -> e.listen(Listener.on(INSIDE, Step.class, (step, delivery) -> {
                            engineFixture.effect(step, delivery.node());
                            countUp(engineFixture, 2, () -> {});
                            return Outcome.done();
                        })
                        .withRetry(ONE_ATTEMPT))
                .listen(Listener.on(OUTSIDE, Step.class, (step, delivery) -> {
                            engineFixture.transactions.run(() -> countUp(engineFixture, 3, () -> {}));
                            return Outcome.done();
                        })
                        .external()
                        .withRetry(ONE_ATTEMPT)));
    }

    private void callAll(EngineFixture engineFixture) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try {
            List<Callable<Void>> calls = new ArrayList<>();
            for (int caller = 0; caller < CALLERS; caller++) {
                String name = "c" + caller;
                calls.add(() -> {
                    for (int i = 0; i < EACH; i++) {
                        callUntilItCommits(engineFixture, new Step(name, i));
                    }
                    return null;
                });
            }
            for (Future<Void> done : callers.invokeAll(calls)) {
                done.get();
            }
        } finally {
            callers.shutdown();
        }
    }

    private void callUntilItCommits(EngineFixture engineFixture, Step step) throws SQLException {
        Runnable first = step.seq() == 0 ? this::untilAllHaveRead : () -> {};
        for (boolean committed = false; !committed; first = () -> {}) {
            Runnable between = first;
            try {
                engineFixture.transactions.run(() -> {
                    countUp(engineFixture, 1, between);
                    engineFixture
                            .sender()
                            .queue()
                            .enqueue(
                                    INSIDE,
                                    step,
                                    options().key(step.k() + step.seq()).orderingKey(step.k()));
                    engineFixture.sender().queue().enqueue(OUTSIDE, step);
                });
                committed = true;
            } catch (SQLException | RuntimeException e) {
                DatabaseError error = DatabaseError.of(e);
                if (error == null || !error.isTransient()) {
                    throw e;
                }
            }
        }
    }

    /** So that there is a conflict, whoever is slow. */
    private void untilAllHaveRead() {
        try {
            allHaveRead.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reads the row first, and so has a snapshot, or a lock that others have too. */
    private void countUp(EngineFixture engineFixture, int id, Runnable between) throws SQLException {
        try (Statement statement = engineFixture.transactions.connection().createStatement();
                ResultSet seen = statement.executeQuery("SELECT n FROM hot WHERE id = " + id)) {
            assertThat(seen.next()).isTrue();
            between.run();
            statement.executeUpdate("UPDATE hot SET n = n + 1 WHERE id = " + id);
        } catch (SQLException e) {
            conflicts.add(e.getErrorCode());
            throw e;
        }
    }
}
