package io.acidq.engine;

import com.zaxxer.hikari.HikariConfig;
import io.acidq.config.Listener;
import io.acidq.telemetry.EngineHealth.DatabaseState;
import io.acidq.testservers.PrivateServer;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** A private server that a test breaks, and engines over it whose telemetry is recorded. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class OutageTests extends EngineTests {

    static final String Q = "outage";
    static final int POOL = 20;
    private static final int MAX_CONNECTIONS = 40;

    private ServerKind kind;
    final List<RecordedTelemetry> telemetry = new ArrayList<>();
    PrivateServer server;

    void startServer(ServerKind ofKind, String... ownOptions) {
        kind = ofKind;
        List<String> options = new ArrayList<>(List.of(ownOptions));
        options.add("--max-connections=" + MAX_CONNECTIONS);
        server = TestServers.startPrivate(kind, options.toArray(String[]::new));
    }

    @BeforeEach
    void openDatabase() {
        telemetry.clear();
        openWith(UnaryOperator.identity());
    }

    @AfterEach
    @Override
    void closeDatabase() {
        super.closeDatabase();
    }

    /** Opens another database, with something between the pool and the engines. */
    void reopenWith(UnaryOperator<DataSource> between) {
        closeDatabase();
        openWith(between);
    }

    /** Sets whether the server refuses the writes of the application's account. */
    void readOnly(Connection admin, boolean value) throws SQLException {
        try (var set = admin.createStatement()) {
            set.execute(
                    kind == ServerKind.MARIADB
                            ? "SET GLOBAL read_only = " + (value ? 1 : 0)
                            : "SET GLOBAL " + (value ? "super_read_only = 1" : "read_only = 0"));
        }
    }

    private void openWith(UnaryOperator<DataSource> between) {
        TestDatabase database = server.server().createDatabase();
        server.server().execute("CREATE USER IF NOT EXISTS app@'%'", "GRANT ALL ON *.* TO app@'%'");
        if (kind == ServerKind.MARIADB) { // with these the account could write on a read-only server
            server.server().execute("REVOKE SUPER, READ ONLY ADMIN ON *.* FROM app@'%'");
        }
        open(database, OutageTests::tune, between);
    }

    private static void tune(HikariConfig config) {
        config.setMaximumPoolSize(POOL);
        config.setConnectionTimeout(1000);
        config.setUsername("app");
        config.setPassword("");
    }

    Engine listening(Listener<Step> listener) {
        RecordedTelemetry ofEngine = new RecordedTelemetry();
        telemetry.add(ofEngine);
        return engine(e -> e.telemetry(ofEngine).listen(listener));
    }

    static boolean states(List<Engine> engines, DatabaseState state) {
        return engines.stream().allMatch(e -> e.health().database() == state);
    }
}
