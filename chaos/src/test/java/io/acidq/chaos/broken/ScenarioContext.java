package io.acidq.chaos.broken;

import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.chaos.audit.Auditor;
import io.acidq.chaos.audit.InvariantResults;
import io.acidq.chaos.broken.BrokenVariant.Flaw;
import io.acidq.chaos.role.ChaosTables;
import io.acidq.chaos.role.DatabaseLogin;
import io.acidq.chaos.role.Journal;
import io.acidq.config.EngineConfig;
import io.acidq.engine.loop.WakeUps;
import io.acidq.engine.maintenance.Rescuer;
import io.acidq.mybatis.Schema;
import io.acidq.store.QueueStore;
import io.acidq.telemetry.SafeTelemetry;
import io.acidq.testservers.TestDatabase;
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
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** A database, a sender, and nodes with a flaw or none. The queue has one lane, so that all nodes compete. */
final class ScenarioContext implements AutoCloseable {

    static final int MAX_ATTEMPTS = 4;

    /** After this many empty claims, a node will not find anything. */
    static final int EMPTY_CLAIMS = 3;

    private static final int MAX_CRASHES = 3;

    final Sender sender;
    private final TestDatabase database;
    private final Path folder;
    private final Flaw flaw;
    private final Connection auditConnection;
    private final List<Node> nodes = new ArrayList<>();

    /**
     * Clears the existing tables of the database.
     *
     * @param folder for the journals
     */
    ScenarioContext(TestDatabase database, Path folder, Flaw flaw) throws SQLException {
        this.database = database;
        this.folder = folder;
        this.flaw = flaw;
        this.auditConnection = database.connect();
        clear();
        execute("INSERT INTO acidq_queue (id, name, lanes, created_at) VALUES ("
                + QueueStore.numberOf(ChaosTables.QUEUE) + ", '" + ChaosTables.QUEUE
                + "', 1, UTC_TIMESTAMP(6))");
        execute("INSERT INTO acidq_lane (queue, lane) SELECT id, 0 FROM acidq_queue");
        this.sender = new Sender(pool(), journal("sender"));
    }

    static void prepare(TestDatabase database) throws SQLException {
        try (HikariDataSource pool =
                        new DatabaseLogin(database.jdbcUrl(), database.username(), database.password()).pool(2);
                Connection connection = database.connect()) {
            Schema.create(pool);
            ChaosTables.create(connection);
        }
    }

    private void clear() throws SQLException {
        auditConnection.setAutoCommit(false);
        for (String table : List.of("business", "effect")) {
            execute("DELETE FROM chaos_" + table);
        }
        for (String table :
                List.of("queue", "lane", "message", "scheduled", "dead", "key", "node", "crash", "history")) {
            execute("DELETE FROM acidq_" + table);
        }
        auditConnection.commit();
        auditConnection.setAutoCommit(true);
    }

    private HikariDataSource pool() {
        return new DatabaseLogin(database.jdbcUrl(), database.username(), database.password()).pool(20);
    }

    private Journal journal(String name) {
        return Journal.open(folder.resolve(name + ".journal"));
    }

    /** Adds a node that is not started. */
    Node node() {
        Node node = new Node(pool(), journal("node-" + nodes.size()), flaw);
        nodes.add(node);
        return node;
    }

    /** Adds a started node. */
    Node started() {
        Node node = node();
        node.start();
        return node;
    }

    /** Freezes a node and declares it dead. */
    void declareDead(Node node) throws InterruptedException, SQLException {
        node.freezer.freeze();
        execute("UPDATE acidq_node SET state = 'DEAD', ended_at = UTC_TIMESTAMP(6) WHERE id = " + node.number());
    }

    /** Runs the rescuer of a node once. */
    static void rescue(Node by) {
        new Rescuer(by.store.nodes(), EngineConfig.defaults(), new WakeUps(), SafeTelemetry.of(List.of())).runOnce();
    }

    int starts() {
        return nodes.stream().mapToInt(Node::starts).sum();
    }

    int claimed() {
        return nodes.stream().mapToInt(n -> n.freezer.claimed()).sum();
    }

    long effects() {
        return count("SELECT COUNT(*) FROM chaos_effect");
    }

    boolean hasMovedNothing() {
        return count("SELECT COUNT(*) FROM acidq_message") == 0;
    }

    boolean isDrained() {
        return count("SELECT (SELECT COUNT(*) FROM acidq_message) + (SELECT COUNT(*) FROM acidq_scheduled)") == 0;
    }

    static void until(BooleanSupplier condition) {
        await().atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(5))
                .until(condition::getAsBoolean);
    }

    /** Waits until no message is left, or until several further claims of the node are empty and no node has claimed anything. */
    void untilDrainedOrFoundEmptyBy(Node node) {
        int before = node.freezer.emptyClaims();
        int found = claimed();
        until(() -> isDrained() || (node.freezer.emptyClaims() >= before + EMPTY_CLAIMS && claimed() == found));
    }

    private synchronized long count(String query) {
        try (Statement statement = auditConnection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(query, e);
        }
    }

    private synchronized void execute(String sql) throws SQLException {
        try (Statement statement = auditConnection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The content of all journals, for the message of a failed test. */
    String journals() throws IOException {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                text.append(file.getFileName()).append('\n').append(Files.readString(file));
            }
        }
        return text.toString();
    }

    /** Closes everything, and audits the result. */
    InvariantResults audit() throws SQLException {
        nodes.forEach(Node::close);
        sender.close();
        return new Auditor(folder, MAX_ATTEMPTS, MAX_CRASHES).audit(auditConnection);
    }

    @Override
    public void close() throws SQLException {
        nodes.forEach(Node::close);
        sender.close();
        auditConnection.close();
    }
}
