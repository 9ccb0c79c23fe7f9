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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The end of the tutorial: the application is killed in the middle of its work and started again. */
class KillIT {

    private static final Path FOLDER = Path.of("target", "jobs");
    private static final int PURCHASES = 1500;

    @ParameterizedTest
    @EnumSource(ServerKind.class)
    void givesEachPointOnceThoughTheProcessWasKilled(ServerKind kind) throws Exception {
        TestDatabase database = TestServers.get(kind).createDatabase();
        Process killed = start(database, FOLDER.resolve(kind + "-killed.out"), PURCHASES);
        try (Connection connection = database.connect()) {
            await().atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> look(connection, "SELECT COALESCE(SUM(points), 0) FROM account") > 0);
            killed.destroyForcibly().waitFor();
            assertThat(look(connection, "SELECT COUNT(*) FROM acidq_message")).isPositive();

            Path output = FOLDER.resolve(kind + "-again.out");
            Process again = start(database, output, 0);
            assertThat(again.waitFor(3, TimeUnit.MINUTES)).isTrue();

            long worth = look(connection, "SELECT SUM(cents DIV 100) FROM purchase");
            List<String> lines = Files.readAllLines(output);
            assertThat(lines.get(lines.size() - 1))
                    .isEqualTo("purchases=" + PURCHASES + " worth=" + worth + " points=" + worth + " waiting=0");
            assertThat(again.exitValue()).isZero();
        } finally {
            killed.destroyForcibly();
        }
    }

    private static Process start(TestDatabase database, Path output, int buy) throws IOException {
        Files.createDirectories(FOLDER);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), TutorialApplication.class.getName()));
        command.add("--spring.datasource.url=" + database.jdbcUrl());
        command.add("--spring.datasource.username=" + database.username());
        command.add("--spring.datasource.password=" + database.password());
        command.add("--shop.buy=" + buy);
        command.add("--acidq.beat=500ms");
        return new ProcessBuilder(command)
                .redirectOutput(output.toFile())
                .redirectError(Path.of(output + ".err").toFile())
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
