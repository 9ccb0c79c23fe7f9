package io.acidq.examples.jta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.testservers.PrivateServer;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One of the two servers, or the application, dies by SIGKILL when a transaction over both is prepared and not yet committed.
 * Each test takes five to fifteen seconds: an application starts, a server or the application starts again, and recovery ends only what it has seen
 * in doubt twice.
 */
class TwoServersIT {

    private static final int ORDERS = 3;

    private static PrivateServer serverToKill;

    @TempDir
    private Path log;

    @BeforeAll
    static void startOneToKill() {
        serverToKill = TestServers.startPrivate(ServerKind.MYSQL);
    }

    @AfterAll
    static void endIt() {
        serverToKill.close();
    }

    @Test
    void commitsOnBothOnceWhenTheServerOfTheQueueDiesInDoubt() throws Exception {
        TestDatabase queue = serverToKill.server().createDatabase();
        TestDatabase other = TestServers.get(ServerKind.MYSQL).createDatabase();
        try (ApplicationProcess application = ApplicationProcess.start(log, queue, other, ORDERS)) {
            application.awaitPrepared();
            serverToKill.kill();
            application.goOn();
            serverToKill.restart();
            requireEachOnce(queue, other);
        }
        other.drop();
    }

    @Test
    void commitsOnBothOnceWhenTheOtherServerDiesInDoubt() throws Exception {
        TestDatabase queue = TestServers.get(ServerKind.MYSQL).createDatabase();
        TestDatabase other = serverToKill.server().createDatabase();
        try (ApplicationProcess application = ApplicationProcess.start(log, queue, other, ORDERS)) {
            application.awaitPrepared();
            serverToKill.kill();
            application.goOn();
            serverToKill.restart();
            requireEachOnce(queue, other);
        }
        queue.drop();
    }

    @Test
    void commitsOnBothOnceWhenTheApplicationDiesInDoubt() throws Exception {
        TestDatabase queue = TestServers.get(ServerKind.MYSQL).createDatabase();
        TestDatabase other = serverToKill.server().createDatabase();
        try (ApplicationProcess application = ApplicationProcess.start(log, queue, other, ORDERS)) {
            application.awaitPrepared();
            application.kill();
        }
        assertThat(inDoubt(queue, queue))
                .as("prepared on the server of the queue")
                .isPositive();
        assertThat(inDoubt(queue, other)).as("prepared on the other server").isPositive();
        try (ApplicationProcess next = ApplicationProcess.start(log, queue, other, 0)) {
            requireEachOnce(queue, other);
        }
        queue.drop();
    }

    private static void requireEachOnce(TestDatabase queue, TestDatabase other) {
        List<Long> each = LongStream.rangeClosed(1, ORDERS).boxed().toList();
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(200))
                .ignoreExceptions()
                .untilAsserted(() -> {
                    assertThat(numbers(queue, "SELECT order_id FROM shipment")).containsAll(each);
                    assertThat(numbers(other, "SELECT order_id FROM invoice")).containsAll(each);
                    assertThat(numbers(queue, "SELECT COUNT(*) FROM acidq_message"))
                            .containsExactly(0L);
                    assertThat(numbers(queue, "SELECT COUNT(*) FROM acidq_scheduled"))
                            .containsExactly(0L);
                    assertThat(inDoubt(queue, queue) + inDoubt(queue, other)).isZero();
                });
        try {
            assertThat(numbers(queue, "SELECT order_id FROM shipment")).containsExactlyInAnyOrderElementsOf(each);
            assertThat(numbers(other, "SELECT order_id FROM invoice")).containsExactlyInAnyOrderElementsOf(each);
            assertThat(numbers(queue, "SELECT COUNT(*) FROM acidq_dead")).containsExactly(0L);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** How many branches of this application: their identifiers contain the name of its node. */
    private static long inDoubt(TestDatabase queue, TestDatabase where) throws SQLException {
        return read(where, "XA RECOVER", rows -> rows.getString("data")).stream()
                .filter(identifier -> identifier.contains(ApplicationProcess.nodeOf(queue)))
                .count();
    }

    private static List<Long> numbers(TestDatabase database, String sql) throws SQLException {
        return read(database, sql, rows -> rows.getLong(1));
    }

    private static <T> List<T> read(TestDatabase database, String sql, Row<T> row) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<T> read = new ArrayList<>();
            while (rows.next()) {
                read.add(row.of(rows));
            }
            return read;
        }
    }

    private interface Row<T> {
        T of(ResultSet rows) throws SQLException;
    }
}
