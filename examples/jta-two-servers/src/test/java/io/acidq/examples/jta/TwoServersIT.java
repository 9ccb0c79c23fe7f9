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
        TestDatabase other = TestServers.get(ServerKind.MYSQL).createDatabase();
        killServerInDoubt(serverToKill.server().createDatabase(), other);
        other.drop();
    }

    @Test
    void commitsOnBothOnceWhenTheOtherServerDiesInDoubt() throws Exception {
        TestDatabase queue = TestServers.get(ServerKind.MYSQL).createDatabase();
        killServerInDoubt(queue, serverToKill.server().createDatabase());
        queue.drop();
    }

    private void killServerInDoubt(TestDatabase queue, TestDatabase other) throws Exception {
        try (ApplicationProcess application = ApplicationProcess.start(log, queue, other, ORDERS)) {
            application.awaitPrepared();
            serverToKill.kill();
            application.goOn();
            serverToKill.restart();
            requireEachOnce(queue, other);
        }
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
        List<String> each =
                LongStream.rangeClosed(1, ORDERS).mapToObj(Long::toString).toList();
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(200))
                .ignoreExceptions()
                .untilAsserted(() -> {
                    assertThat(queue.strings("SELECT order_id FROM shipment")).containsAll(each);
                    assertThat(other.strings("SELECT order_id FROM invoice")).containsAll(each);
                    assertThat(queue.count("acidq_message") + queue.count("acidq_scheduled"))
                            .isZero();
                    assertThat(inDoubt(queue, queue) + inDoubt(queue, other)).isZero();
                });
        assertThat(queue.strings("SELECT order_id FROM shipment")).containsExactlyInAnyOrderElementsOf(each);
        assertThat(other.strings("SELECT order_id FROM invoice")).containsExactlyInAnyOrderElementsOf(each);
        assertThat(queue.count("acidq_dead")).isZero();
    }

    /** Counts the branches of this application on a server: their identifiers contain the name of its node. */
    private static long inDoubt(TestDatabase queue, TestDatabase where) throws SQLException {
        try (Connection connection = where.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("XA RECOVER")) {
            long branches = 0;
            while (rows.next()) {
                if (rows.getString("data").contains(ApplicationProcess.nodeOf(queue))) {
                    branches++;
                }
            }
            return branches;
        }
    }
}
