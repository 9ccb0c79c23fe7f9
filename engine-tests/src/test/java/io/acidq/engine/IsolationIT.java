package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import io.acidq.Outcome;
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

/**
 * Servers whose sessions start with other isolation settings: callers and external handlers use them, the engine's own transactions set
 * their level themselves. Both read a row and write it, so that they conflict; a conflict uses up no attempt.
 */
class IsolationIT extends FreshEngineTests {

    private static final String INSIDE = "inside";
    private static final String OUTSIDE = "outside";
    private static final int CALLERS = 4;
    private static final int EACH = 10;

    private final Set<Integer> conflicts = new ConcurrentSkipListSet<>();
    private final CyclicBarrier allHaveRead = new CyclicBarrier(CALLERS);

    /** On MySQL at its default level, on MariaDB as from 11.6.2 on. */
    @Test
    void runsEachMessageOnceWhereSnapshotsConflictWithCommittedChanges() throws Exception {
        if (kind == ServerKind.MYSQL) {
            assertThat(conflictsWith(c -> c.setTransactionIsolation("TRANSACTION_REPEATABLE_READ")))
                    .isSubsetOf(1213);
        } else {
            assertThat(conflictsWith(c -> c.setConnectionInitSql("SET SESSION innodb_snapshot_isolation = ON")))
                    .contains(1020);
        }
    }

    @Test
    void runsEachMessageOnceWhereSessionsAreSerializable() throws Exception {
        assertThat(conflictsWith(c -> c.setTransactionIsolation("TRANSACTION_SERIALIZABLE")))
                .contains(1213);
    }

    /** Runs callers and engines, asserts that each message ran once and in order, and returns the error codes of the conflicts. */
    private Set<Integer> conflictsWith(Consumer<HikariConfig> settingOfSessions) throws Exception {
        reopen(settingOfSessions, pool -> pool);
        sql("CREATE TABLE hot (id INT PRIMARY KEY, n INT NOT NULL) ENGINE=InnoDB");
        sql("INSERT INTO hot VALUES (1, 0), (2, 0), (3, 0)");
        engine();
        engine();
        callAll();
        awaitDrained();
        int all = CALLERS * EACH;
        assertThat(strings("SELECT n FROM hot ORDER BY id"))
                .as("by callers, in handlers, in external handlers")
                .containsExactly("" + all, "" + all, "" + all);
        assertThat(strings("SELECT CONCAT(k, '-', seq) FROM effect"))
                .hasSize(all)
                .doesNotHaveDuplicates();
        for (int caller = 0; caller < CALLERS; caller++) {
            assertThat(strings("SELECT seq FROM effect WHERE k = 'c" + caller + "' ORDER BY id").stream()
                            .map(Integer::valueOf))
                    .isSorted();
        }
        assertThat(strings("SELECT mark FROM acidq_dead")).isEmpty();
        return conflicts;
    }

    private void engine() {
        engine(e -> e.listen(on(INSIDE, (step, delivery) -> {
                            insertEffect(step, delivery.node());
                            countUp(2, () -> {});
                            return Outcome.done();
                        })
                        .withRetry(ONE_ATTEMPT))
                .listen(on(OUTSIDE, (step, delivery) -> {
                            transactions.run(() -> countUp(3, () -> {}));
                            return Outcome.done();
                        })
                        .external()
                        .withRetry(ONE_ATTEMPT)));
    }

    private void callAll() throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try {
            List<Callable<Void>> calls = new ArrayList<>();
            for (int caller = 0; caller < CALLERS; caller++) {
                String name = "c" + caller;
                calls.add(() -> {
                    for (int i = 0; i < EACH; i++) {
                        callUntilItCommits(new Step(name, i));
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

    private void callUntilItCommits(Step step) throws SQLException {
        Runnable first = step.seq() == 0 ? this::untilAllHaveRead : () -> {};
        for (boolean committed = false; !committed; first = () -> {}) {
            Runnable between = first;
            try {
                transactions.run(() -> {
                    countUp(1, between);
                    queue().enqueue(
                                    INSIDE,
                                    step,
                                    options().key(step.k() + step.seq()).orderingKey(step.k()));
                    queue().enqueue(OUTSIDE, step);
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

    /** Makes a conflict certain. */
    private void untilAllHaveRead() {
        try {
            allHaveRead.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reads the row before the update, which takes a snapshot or a shared lock. */
    private void countUp(int id, Runnable between) throws SQLException {
        try (Statement statement = transactions.connection().createStatement();
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
