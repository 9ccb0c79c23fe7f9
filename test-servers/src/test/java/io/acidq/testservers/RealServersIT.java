package io.acidq.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RealServersIT {
    @ParameterizedTest
    @EnumSource(ServerKind.class)
    void answersInTheVersionThatIsPromised(ServerKind kind) throws SQLException {
        try (Connection connection = TestServers.get(kind).connect("")) {
            assertThat(connection.getMetaData().getDatabaseProductName()).isEqualTo(kind.displayName());
            int major = connection.getMetaData().getDatabaseMajorVersion();
            if (kind == ServerKind.MYSQL) {
                assertThat(major).isGreaterThanOrEqualTo(9);
            } else {
                assertThat(major + "." + connection.getMetaData().getDatabaseMinorVersion())
                        .isEqualTo("11.4");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(ServerKind.class)
    void losesNothingThatWasCommittedToAServerThatTheBuildStarts(ServerKind kind) throws SQLException {
        if (ExternalServer.named(kind).isEmpty()) {
            requireDurable(TestServers.get(kind));
            return;
        }
        try (PrivateServer own = TestServers.startPrivate(kind)) { // how a given one is set up is its owner's affair
            requireDurable(own.server());
        }
    }

    private static void requireDurable(TestServer server) throws SQLException {
        try (Connection connection = server.connect("")) {
            assertThat(row(connection, "SELECT @@innodb_flush_log_at_trx_commit, @@sync_binlog, @@log_bin"))
                    .containsExactly("1", "1", "1");
            assertThat(row(connection, "SELECT @@character_set_server, @@max_connections"))
                    .containsExactly("utf8mb4", "500");
            if (server.kind() == ServerKind.MYSQL) {
                assertThat(row(connection, "SELECT @@gtid_mode, @@enforce_gtid_consistency, @@performance_schema"))
                        .containsExactly("ON", "ON", "1");
                assertThat(row(connection, "SELECT COUNT(*) FROM performance_schema.data_locks"))
                        .containsExactly("0");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(ServerKind.class)
    void isTheOneThatTheEnvironmentNamesElseTheSameForTheWholeBuild(ServerKind kind) {
        TestServer first = TestServers.get(kind);

        assertThat(TestServers.get(kind)).isEqualTo(first);
        assertThat(ExternalServer.named(kind).orElseGet(() -> SharedBuildServer.of(ProcessIdentity.ofBuild(), kind, 1)))
                .isEqualTo(first);
    }

    @ParameterizedTest
    @EnumSource(ServerKind.class)
    void givesEachItsOwnDatabase(ServerKind kind) throws SQLException {
        TestDatabase one = TestServers.get(kind).createDatabase();
        TestDatabase other = TestServers.get(kind).createDatabase();

        try (Connection connection = one.connect()) {
            execute(connection, "CREATE TABLE word (w VARCHAR(20))");
            assertThat(row(connection, "SELECT DATABASE()")).containsExactly(one.name());
        }
        try (Connection connection = other.connect()) {
            execute(connection, "CREATE TABLE word (w VARCHAR(20))");
        }
        one.drop();
        assertThatThrownBy(one::connect).isInstanceOf(SQLException.class);
        other.drop();
    }

    @ParameterizedTest
    @EnumSource(ServerKind.class)
    void givesOneTestAServerThatItMayKill(ServerKind kind) throws SQLException {
        try (PrivateServer own = TestServers.startPrivate(kind, "--max-connections=33")) {
            TestDatabase database = own.server().createDatabase();
            try (Connection connection = database.connect()) {
                assertThat(row(connection, "SELECT @@max_connections")).containsExactly("33");
                execute(connection, "CREATE TABLE word (w VARCHAR(20)) ENGINE=InnoDB");
                execute(connection, "INSERT INTO word VALUES ('committed')");
                own.kill();
                assertThatThrownBy(() -> row(connection, "SELECT 1")).isInstanceOf(SQLException.class);
            }
            own.restart();
            try (Connection connection = database.connect()) {
                assertThat(row(connection, "SELECT w FROM word")).containsExactly("committed");
            }
            assertThat(own.server()).isNotEqualTo(TestServers.get(kind));
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static List<String> row(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            List<String> row = new ArrayList<>();
            for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
                row.add(rows.getString(column));
            }
            return row;
        }
    }
}
