package io.acidq.engine;

import com.zaxxer.hikari.HikariConfig;
import io.acidq.MessageId;
import io.acidq.NewMessage;
import io.acidq.config.Listener;
import io.acidq.engine.EngineFixture.Step;
import io.acidq.resilience.RetryPolicy;
import io.acidq.telemetry.DatabaseState;
import io.acidq.telemetry.Telemetry;
import io.acidq.testservers.PrivateServer;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** A private server that a test breaks, and engines over it that tell what they notice. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class OutageFixture {

    static final String Q = "outage";
    static final int POOL = 20;
    static final RetryPolicy ONE_ATTEMPT = RetryPolicy.defaults().withMaxAttempts(1);
    private static final int MOST_CONNECTIONS = 40;

    private ServerKind kind;
    final List<RecordedTelemetry> heard = new ArrayList<>();
    PrivateServer server;
    EngineFixture engineFixture;

    void startServer(ServerKind ofKind, String... ownOptions) {
        kind = ofKind;
        List<String> options = new ArrayList<>(List.of(ownOptions));
        options.add("--max-connections=" + MOST_CONNECTIONS);
        server = TestServers.startPrivate(kind, options.toArray(String[]::new));
    }

    @BeforeEach
    void open() {
        heard.clear();
        engineFixture = world(UnaryOperator.identity());
    }

    @AfterEach
    void close() {
        engineFixture.close();
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

    EngineFixture world(UnaryOperator<DataSource> between) {
        TestDatabase database = server.server().createDatabase();
        server.server().execute("CREATE USER IF NOT EXISTS app@'%'", "GRANT ALL ON *.* TO app@'%'");
        if (kind == ServerKind.MARIADB) { // with these the account could write on a read-only server
            server.server().execute("REVOKE SUPER, READ ONLY ADMIN ON *.* FROM app@'%'");
        }
        return new EngineFixture(database, OutageFixture::tune, between);
    }

    private static void tune(HikariConfig config) {
        config.setMaximumPoolSize(POOL);
        config.setConnectionTimeout(1000);
        config.setUsername("app");
        config.setPassword("");
    }

    Engine listening(Listener<Step> listener) {
        RecordedTelemetry ear = new RecordedTelemetry();
        heard.add(ear);
        return engineFixture.engine(e -> e.telemetry(ear).listen(listener));
    }

    void place(String queue, int from, int to) throws Exception {
        List<NewMessage> messages = LongStream.range(from, to)
                .mapToObj(i -> NewMessage.of(new Step("m", i)))
                .toList();
        engineFixture.transactions.call(() -> engineFixture.sender().queue().enqueueAll(queue, messages));
    }

    long effects() {
        return engineFixture.count("SELECT COUNT(*) FROM effect");
    }

    static boolean states(List<Engine> engines, DatabaseState state) {
        return engines.stream().allMatch(e -> e.health().database() == state);
    }

    /** What an engine tells of the database, of burials and of failing tasks. */
    static final class RecordedTelemetry implements Telemetry {

        final Queue<String> states = new ConcurrentLinkedQueue<>();
        final Queue<String> others = new ConcurrentLinkedQueue<>();

        @Override
        public void databaseChanged(DatabaseState state, @Nullable Throwable cause) {
            states.add(state.name());
        }

        @Override
        public void declaredDead(int node) {
            others.add("buried " + node);
        }

        @Override
        public void nodeDeclaredDead(int node) {
            others.add("buried other " + node);
        }

        @Override
        public void suspected(MessageId id, int node, int crashes) {
            others.add("suspected " + id);
        }

        @Override
        public void taskFailed(String task, Throwable cause) {
            others.add(task + " fails: " + cause);
        }
    }
}
