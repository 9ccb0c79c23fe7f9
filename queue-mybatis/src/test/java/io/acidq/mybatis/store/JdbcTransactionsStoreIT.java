package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.KeyClaim;
import io.acidq.store.EnqueueStore.Window;
import io.acidq.store.Transactions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transactions of plain Java, with a table of the application's own. */
@EachServer
class JdbcTransactionsStoreIT extends StoreFixture {

    @BeforeEach
    void createTable() {
        fixture.execute("CREATE TABLE IF NOT EXISTS app (id INT PRIMARY KEY, v INT NOT NULL) ENGINE=InnoDB");
        fixture.execute("DELETE FROM app");
        fixture.execute("INSERT INTO app VALUES (1, 0), (2, 0)");
    }

    @Test
    void commitsWhatTheWorkDidAndRunsTheHooksAfterwards() throws Exception {
        List<Long> seen = new ArrayList<>();
        String result = transactions.inNew(() -> {
            set(1, 7);
            transactions.afterCommit(() -> seen.add(value(1)));
            transactions.afterCommit(() -> {
                throw new IllegalStateException("a hint that fails harms nobody");
            });
            transactions.afterCommit(() -> seen.add(transactions.current() == null ? -1L : -2L));
            transactions.afterEnd(() -> seen.add(-3L), () -> seen.add(-4L));
            assertThat(seen).isEmpty();
            return "done";
        });

        assertThat(result).isEqualTo("done");
        assertThat(seen).containsExactly(7L, -1L, -3L);
    }

    /** In a stack trace between the engine and the handler; CallDepthTest of queue-core counts the frames of the engine. */
    @Test
    void addThreeFramesToTheStackOfAHandler() throws Exception {
        List<String> frames = transactions.inNew(() -> transactions.callHandler(
                "handler",
                () -> Stream.of(new Throwable().getStackTrace())
                        .filter(frame -> frame.getClassName().equals(JdbcTransactions.class.getName()))
                        .map(StackTraceElement::getMethodName)
                        .toList()));

        assertThat(frames).containsExactly("callHandler", "inTransaction", "inNew");
    }

    @Test
    void rollsBackAndPassesOnWhatTheWorkThrew() {
        List<String> hooks = new ArrayList<>();
        java.io.IOException thrown = new java.io.IOException("as it is");

        assertThatThrownBy(() -> transactions.inNew(() -> {
                    set(1, 7);
                    transactions.afterCommit(() -> hooks.add("never"));
                    transactions.afterEnd(
                            () -> hooks.add("never"), () -> hooks.add("rolled back, " + transactions.current()));
                    throw thrown;
                }))
                .isSameAs(thrown);

        assertThat(value(1)).isZero();
        assertThat(hooks).containsExactly("rolled back, null");
        assertThat(transactions.current()).isNull();
    }

    @Test
    void runsWorkOfTheApplicationAtItsOwnIsolationAndHandlersAtReadCommitted() throws Exception {
        long[] seen = new long[2];
        transactions.run(() -> {
            long before = valueHere(1);
            fixture.execute("UPDATE app SET v = v + 1 WHERE id = 1");
            seen[0] = valueHere(1) - before;
        });
        transactions.inNew(() -> {
            long before = valueHere(1);
            fixture.execute("UPDATE app SET v = v + 1 WHERE id = 1");
            seen[1] = valueHere(1) - before;
            return true;
        });

        assertThat(seen).as("repeatable, then committed reads").containsExactly(0, 1);
    }

    @Test
    void suspendsTheOuterTransactionWhileANewOneRuns() throws Exception {
        transactions.run(() -> {
            set(1, 7);
            Connection outer = transactions.connection();
            transactions.inNew(() -> {
                assertThat(transactions.connection()).isNotSameAs(outer);
                set(2, 8);
                return true;
            });
            assertThat(transactions.connection()).isSameAs(outer);
            assertThat(value(2)).isEqualTo(8);
            assertThat(value(1)).isZero();
        });

        assertThat(value(1)).isEqualTo(7);
    }

    @Test
    void joinsTheTransactionThatIsOpen() {
        assertThatThrownBy(() -> transactions.run(() -> {
                    transactions.run(() -> set(1, 7));
                    throw new IllegalStateException("all of it");
                }))
                .hasMessage("all of it");

        assertThat(value(1)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"commit", "rollback", "close", "setAutoCommit"})
    void refusesToBeEndedByTheWorkAndRollsBackEvenWhenThatIsSwallowed(String call) {
        assertThatThrownBy(() -> transactions.inNew(() -> {
                    set(1, 7);
                    Connection connection = transactions.connection();
                    assertThatThrownBy(() -> end(connection, call)).isInstanceOf(QueueMisuseException.class);
                    return true;
                }))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("Connection." + call);

        assertThat(value(1)).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "COMMIT",
                "/* once */ CREATE TABLE IF NOT EXISTS app2 (id INT)",
                "SET autocommit = 1",
                "TRUNCATE TABLE app",
                "--\nCOMMIT"
            })
    void refusesStatementsThatWouldEndIt(String sql) {
        assertThatThrownBy(() -> transactions.run(() -> {
                    set(1, 7);
                    try (Statement statement = transactions.connection().createStatement()) {
                        statement.execute(sql);
                    } catch (QueueMisuseException swallowed) { // rolled back nevertheless
                    }
                }))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining(sql + " was called inside a transaction that AcidQ owns");

        assertThat(value(1)).isZero();
    }

    private static void end(Connection connection, String call) throws SQLException {
        switch (call) {
            case "commit" -> connection.commit();
            case "rollback" -> connection.rollback();
            case "close" -> connection.close();
            default -> connection.setAutoCommit(true);
        }
    }

    @Test
    void allowsSavepoints() throws Exception {
        transactions.inNew(() -> {
            set(1, 7);
            Savepoint savepoint = transactions.connection().setSavepoint();
            set(2, 8);
            transactions.connection().rollback(savepoint);
            return true;
        });

        assertThat(value(1)).isEqualTo(7);
        assertThat(value(2)).isZero();
    }

    @Test
    void returnsTheSameConnectionFromItsStatements() throws Exception {
        transactions.inNew(() -> {
            Connection connection = transactions.connection();
            try (Statement statement = connection.createStatement();
                    PreparedStatement prepared = connection.prepareStatement("SELECT 1")) {
                assertThat(statement.getConnection()).isSameAs(connection);
                assertThat(prepared.getConnection()).isSameAs(connection);
                assertThat(connection.unwrap(Connection.class)).isSameAs(connection);
                assertThat(connection).isEqualTo(connection).hasSameHashCodeAs(connection);
                assertThat(connection.toString()).startsWith("guarded ");
            }
            return true;
        });
    }

    /** As a DAO does that keeps its connection: {@code if (c == null || c.isClosed()) c = transactions.connection()}. */
    @Test
    void refusesToBeUsedAfterTheEndOfItsTransaction() throws Exception {
        Connection[] kept = new Connection[1];
        PreparedStatement[] statement = new PreparedStatement[1];
        try (Transactions.WorkerSession worker = transactions.workerSession()) {
            transactions.inNew(() -> {
                kept[0] = transactions.connection();
                statement[0] = kept[0].prepareStatement("UPDATE app SET v = 7 WHERE id = 1");
                return true;
            });
            transactions.inNew(() -> {
                assertThat(kept[0].isClosed()).isTrue();
                assertThat(kept[0].isValid(1)).isFalse();
                assertThatThrownBy(() -> kept[0].prepareStatement("UPDATE app SET v = 7 WHERE id = 1"))
                        .isInstanceOf(QueueMisuseException.class)
                        .hasMessageStartingWith(
                                "Connection.prepareStatement was called on a connection whose transaction has ended: ");
                assertThatThrownBy(() -> kept[0].unwrap(Connection.class)).isInstanceOf(QueueMisuseException.class);
                assertThatThrownBy(() -> statement[0].executeUpdate())
                        .isInstanceOf(QueueMisuseException.class)
                        .hasMessageStartingWith("PreparedStatement.executeUpdate");
                statement[0].close();
                kept[0].close();
                set(2, 8);
                return true;
            });
        }

        assertThat(value(1)).isZero();
        assertThat(value(2)).isEqualTo(8);
    }

    @Test
    void refusesOtherThreadsAndRollsBack() {
        assertThatThrownBy(() -> transactions.inNew(() -> {
                    set(1, 7);
                    Connection connection = transactions.connection();
                    QueueFixture.join(QueueFixture.runAsync(() -> {
                        assertThat(connection.isClosed()).isFalse();
                        assertThatThrownBy(connection::createStatement).isInstanceOf(QueueMisuseException.class);
                        return true;
                    }));
                    return true;
                }))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("Connection.createStatement was called on thread '")
                .hasMessageContaining(
                        "belongs to thread '" + Thread.currentThread().getName() + "'");

        assertThat(value(1)).isZero();
    }

    @Test
    void forgetsTheHooksOfWorkThatIsRolledBackToASavepoint() throws Exception {
        List<String> hooks = new ArrayList<>();
        transactions.inNew(() -> {
            transactions.afterCommit(() -> hooks.add("first"));
            Transactions.TransactionSavepoint before = transactions.savepoint("s");
            transactions.afterCommit(() -> hooks.add("undone"));
            transactions.afterEnd(() -> hooks.add("undone"), () -> hooks.add("released"));
            before.rollback();
            transactions.afterCommit(() -> hooks.add("last"));
            return true;
        });

        assertThat(hooks).containsExactly("first", "released", "last");
    }

    @Test
    void neverCommitsAfterADeadlockThatTheWorkSwallowed() {
        CountDownLatch bothHold = new CountDownLatch(2);
        IdLock lock = (id, by) -> set(id, 10 + by);
        CompletableFuture<String> one = QueueFixture.runAsync(() -> deadlock(1, 2, lock, bothHold));
        CompletableFuture<String> two = QueueFixture.runAsync(() -> deadlock(2, 1, lock, bothHold));

        assertThat(List.of(QueueFixture.join(one), QueueFixture.join(two)))
                .containsExactlyInAnyOrder("committed", "refused");
        long winner = value(1);
        assertThat(value(2)).as("both rows are the winner's").isEqualTo(winner);
        assertThat(fixture.number("SELECT COUNT(*) FROM app WHERE id > 10"))
                .as("only the winner's effect")
                .isEqualTo(1);
    }

    @Test
    void neverCommitsAfterADeadlockInAnEnqueueThatTheWorkSwallowed() {
        CountDownLatch bothHold = new CountDownLatch(2);
        IdLock lock = (id, by) -> fixture.store.enqueue().takeKey(key("k" + id));
        CompletableFuture<String> one = QueueFixture.runAsync(() -> deadlock(1, 2, lock, bothHold));
        CompletableFuture<String> two = QueueFixture.runAsync(() -> deadlock(2, 1, lock, bothHold));

        assertThat(List.of(QueueFixture.join(one), QueueFixture.join(two)))
                .containsExactlyInAnyOrder("committed", "refused");
        assertThat(fixture.number("SELECT COUNT(*) FROM app WHERE id > 10")).isEqualTo(1);
        assertThat(fixture.count("acidq_key")).isEqualTo(2);
    }

    private KeyClaim key(String key) {
        return new KeyClaim(fixture.queueId, key, UUID.randomUUID(), 0, Due.NOW, new Window(QueueFixture.HOUR, true));
    }

    /** Locks a row in the transaction on this thread. */
    private interface IdLock {
        void lock(int id, int by) throws SQLException;
    }

    private String deadlock(int first, int second, IdLock lock, CountDownLatch bothHold) throws Exception {
        boolean[] swallowed = new boolean[1];
        try {
            transactions.inNew(() -> {
                lock.lock(first, first);
                bothHold.countDown();
                QueueFixture.await(bothHold);
                try {
                    lock.lock(second, first);
                } catch (SQLException | TransientQueueException e) {
                    assertThat(e).hasStackTraceContaining("Deadlock");
                    swallowed[0] = true;
                }
                // with autocommit off this silently opens a new transaction
                QueueFixture.execute(transactions.connection(), "INSERT INTO app VALUES (?, 1)", 10 + first);
                return true;
            });
            assertThat(swallowed[0]).isFalse();
            return "committed";
        } catch (TransientQueueException e) {
            assertThat(swallowed[0]).isTrue();
            assertThat(e).hasMessageContaining("not committed").hasCauseInstanceOf(SQLException.class);
            return "refused";
        }
    }

    @Test
    void neverCommitsOnAConnectionThatWasLostInBetween() {
        assertThatThrownBy(() -> transactions.inNew(() -> {
                    set(1, 7);
                    Object id = QueueFixture.connectionId(transactions.connection());
                    fixture.execute("KILL CONNECTION " + id);
                    assertThatThrownBy(() -> set(2, 8)).isInstanceOf(SQLException.class);
                    return true;
                }))
                .isInstanceOf(TransientQueueException.class);

        assertThat(value(1)).isZero();
        assertThat(database().dataSource().getHikariPoolMXBean().getThreadsAwaitingConnection())
                .isZero();
    }

    @Test
    void commitsAfterALockTimeoutThatTheWorkHasDealtWith() throws Exception {
        try (Connection other = database().dataSource().getConnection()) {
            other.setAutoCommit(false);
            QueueFixture.execute(other, "UPDATE app SET v = 9 WHERE id = 2");
            transactions.inNew(() -> {
                QueueFixture.execute(transactions.connection(), "SET SESSION innodb_lock_wait_timeout = 1");
                set(1, 7);
                assertThatThrownBy(() -> set(2, 8)).hasMessageContaining("Lock wait timeout");
                QueueFixture.execute(transactions.connection(), "SET SESSION innodb_lock_wait_timeout = 50");
                return true;
            });
            other.rollback();
        }

        assertThat(value(1)).isEqualTo(7);
        assertThat(value(2)).isZero();
    }

    @Test
    void saysWhatIsMissingOutsideOfATransaction() {
        assertThat(transactions.current()).isNull();
        assertThatThrownBy(transactions::connection)
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("JdbcTransactions.run");
        assertThatThrownBy(() -> transactions.afterCommit(() -> {})).isInstanceOf(QueueMisuseException.class);
        assertThatThrownBy(() -> transactions.afterEnd(() -> {}, () -> {})).isInstanceOf(QueueMisuseException.class);
    }

    private void set(int id, int value) throws SQLException {
        QueueFixture.execute(transactions.connection(), "UPDATE app SET v = ? WHERE id = ?", value, id);
    }

    private long valueHere(int id) throws SQLException {
        return ((Number) QueueFixture.rows(transactions.connection(), "SELECT v FROM app WHERE id = ?", id)
                        .get(0)
                        .get(0))
                .longValue();
    }

    private long value(int id) {
        return fixture.number("SELECT v FROM app WHERE id = ?", id);
    }
}
