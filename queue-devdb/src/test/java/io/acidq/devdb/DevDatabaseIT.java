package io.acidq.devdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DevDatabaseIT {
    @Test
    void runsTransactionsOnARealServer() throws SQLException {
        try (DevDatabase db = DevDatabase.start();
                Connection connection = connect(db)) {
            assertThat(one(connection, "SELECT VERSION()")).startsWith("11.4.");
            assertThat(one(connection, "SELECT @@character_set_server")).isEqualTo("utf8mb4");
            execute(connection, "CREATE TABLE word (w VARCHAR(20) PRIMARY KEY) ENGINE=InnoDB");

            connection.setAutoCommit(false);
            execute(connection, "INSERT INTO word VALUES ('rolled back')");
            connection.rollback();
            execute(connection, "INSERT INTO word VALUES ('committed')");
            connection.commit();

            assertThat(one(connection, "SELECT GROUP_CONCAT(w) FROM word")).isEqualTo("committed");
        }
    }

    @Test
    void isGoneWithItsDataAfterClose() {
        DevDatabase db = DevDatabase.start();
        long pid = db.pid();
        assertThat(ProcessHandle.of(pid)).isPresent();

        db.close();
        db.close();

        assertThat(ProcessHandle.of(pid)).isEmpty();
        assertThat(db.dataFolder()).doesNotExist();
    }

    @Test
    void keepsTheDataInAGivenFolder(@TempDir Path folder) throws SQLException {
        try (DevDatabase db = DevDatabase.builder()
                        .dataFolder(folder)
                        .database("shop")
                        .start();
                Connection connection = connect(db)) {
            execute(connection, "CREATE TABLE word AS SELECT 'kept' AS w");
        }
        try (DevDatabase db = DevDatabase.builder()
                        .dataFolder(folder)
                        .database("shop")
                        .start();
                Connection connection = connect(db)) {
            assertThat(one(connection, "SELECT w FROM shop.word")).isEqualTo("kept");
        }
    }

    @Test
    void takesOptionsOfTheServer() throws SQLException {
        try (DevDatabase db = DevDatabase.builder()
                        .arg("--max-connections=77")
                        .env("TZ", "IST-5:30")
                        .start();
                Connection connection = connect(db)) {
            assertThat(one(connection, "SELECT @@max_connections")).isEqualTo("77");
            assertThat(one(connection, "SELECT TIMESTAMPDIFF(MINUTE, UTC_TIMESTAMP(), NOW())"))
                    .isEqualTo("330");
        }
    }

    @Test
    void hasWhatWasCommittedAfterAPowerCut() throws SQLException {
        try (DevDatabase db = DevDatabase.start()) {
            try (Connection connection = connect(db)) {
                execute(connection, "CREATE TABLE word (w VARCHAR(20)) ENGINE=InnoDB");
                execute(connection, "INSERT INTO word VALUES ('committed')");
                db.kill();
                assertThatThrownBy(() -> one(connection, "SELECT 1")).isInstanceOf(SQLException.class);
            }
            db.restart();
            try (Connection connection = connect(db)) {
                assertThat(one(connection, "SELECT w FROM word")).isEqualTo("committed");
            }
        }
    }

    @Test
    void saysThatItsPortIsTaken() throws Exception {
        try (ServerSocket other = new ServerSocket(0)) {
            DevDatabase.Builder builder = DevDatabase.builder().port(other.getLocalPort());

            assertThatThrownBy(builder::start)
                    .isInstanceOf(DevDatabaseException.class)
                    .hasMessageContaining("port " + other.getLocalPort())
                    .hasMessageContaining("port 0");
        }
    }

    @Test
    void refusesOptionsThatTheServerWouldMisunderstand() {
        assertThatThrownBy(() -> DevDatabase.builder().database("a`b")).hasMessageContaining("letters, digits");
        assertThatThrownBy(() -> DevDatabase.builder().arg("port=1")).hasMessageContaining("starts with --");
        assertThatThrownBy(() -> DevDatabase.builder().port(70_000).start()).hasMessageContaining("65535");
    }

    private static Connection connect(DevDatabase db) throws SQLException {
        return DriverManager.getConnection(db.jdbcUrl(), db.username(), db.password());
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String one(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return Objects.requireNonNull(rows.getString(1));
        }
    }
}
