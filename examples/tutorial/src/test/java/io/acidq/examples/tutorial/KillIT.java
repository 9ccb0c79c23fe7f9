package io.acidq.examples.tutorial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.SpringApplication;

/**
 * The end of the tutorial: the application is killed in the middle of its work and started again.
 * Takes some eight seconds on each server: a process starts and is killed, and what it had claimed comes back after its silence.
 */
class KillIT {

    private static final Path FOLDER = Path.of("target", "jobs");
    private static final int PURCHASES = 1000;

    @ParameterizedTest
    @EnumSource(names = "MYSQL")
    @Tag("full")
    void doesSoOnTheOtherServer(ServerKind kind) throws Exception {
        givesEachPointOnceThoughTheProcessWasKilled(kind);
    }

    @ParameterizedTest
    @EnumSource(names = "MARIADB")
    void givesEachPointOnceThoughTheProcessWasKilled(ServerKind kind) throws Exception {
        TestDatabase database = TestServers.get(kind).createDatabase();
        Process killed = start(arguments(database, PURCHASES), FOLDER.resolve(kind + "-killed.out"));
        try (Connection connection = database.connect()) {
            await().atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> look(connection, "SELECT COALESCE(SUM(points), 0) FROM account") > 0);
            killWithWorkInHand(killed, database, connection);

            // Returns when nothing waits any more.
            SpringApplication.run(TutorialApplication.class, arguments(database, 0))
                    .close();

            assertThat(look(connection, "SELECT COUNT(*) FROM purchase")).isEqualTo(PURCHASES);
            assertThat(look(connection, "SELECT COUNT(*) FROM acidq_message")).isZero();
            assertThat(look(connection, "SELECT SUM(points) FROM account"))
                    .isEqualTo(look(connection, "SELECT SUM(cents DIV 100) FROM purchase"));
        } finally {
            killed.destroyForcibly();
        }
    }

    /** The handlers wait for a lock, so that the process dies with messages that it has claimed and cannot finish. */
    private static void killWithWorkInHand(Process killed, TestDatabase database, Connection connection)
            throws SQLException, InterruptedException {
        try (Connection holder = database.connect()) {
            holder.setAutoCommit(false);
            look(holder, "SELECT COUNT(*) FROM account FOR UPDATE");
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> look(connection, "SELECT COUNT(*) FROM acidq_message WHERE owner <> 0") > 0);
            killed.destroyForcibly().waitFor();
        }
    }

    private static String[] arguments(TestDatabase database, int buy) {
        return database.springArguments("--shop.buy=" + buy, "--acidq.heartbeat-interval=500ms");
    }

    private static Process start(String[] arguments, Path output) throws IOException {
        Files.createDirectories(FOLDER);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), TutorialApplication.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    /** The table may not be there yet. */
    private static long look(Connection connection, String sql) {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            return -1;
        }
    }
}
