package io.acidq.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.chaos.audit.Auditor;
import io.acidq.chaos.audit.FailoverLosses;
import io.acidq.chaos.audit.Invariant;
import io.acidq.chaos.audit.InvariantResults;
import io.acidq.chaos.environment.Environment;
import io.acidq.chaos.environment.ProcessSettings;
import io.acidq.chaos.environment.TargetServer;
import io.acidq.chaos.role.ProducerBehaviour;
import io.acidq.testservers.PrivateServer;
import io.acidq.testservers.ReplicatedPair;
import io.acidq.testservers.ReplicatedPair.ReplicationMode;
import io.acidq.testservers.TestServer;
import io.acidq.testservers.TestServers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A replication source is killed under load and its replica is promoted. Producer and worker processes reach it at the same address.
 * {@code -Dacidq.failover.messages=N} sets the number of messages before and after the failover.
 * Each test takes some fifteen seconds: two servers, and four or more processes that must work before and after the failover.
 */
@Tag("full")
class FailoverIT {

    private static final int MESSAGES = Integer.getInteger("acidq.failover.messages", 300);
    private static final int IN_THE_TAIL = 100;
    private static final int MAX_ATTEMPTS = 4;
    private static final int MAX_CRASHES = 3;
    private static final ProcessSettings PROCESS_SETTINGS =
            new ProcessSettings(new ProducerBehaviour(23, 25, Set.of(), 150, 5, 0, 0), 4, 8);

    @TempDir
    Path folder;

    @Test
    void losesNothingThatWasAcknowledgedWhenTheReplicaHadToConfirmIt() throws Exception {
        try (ReplicatedPair pair = TestServers.startReplicated(ReplicationMode.SEMI_SYNCHRONOUS);
                Environment environment =
                        new Environment(TargetServer.prepare(pair.source()), folder, PROCESS_SETTINGS)) {
            environment.prepare();
            environment.start(2, 2);
            untilEffects(environment, MESSAGES);
            assertThat(status(pair.source(), "Rpl_semi_sync_source_status")).isEqualTo("ON");
            assertThat(status(pair.source(), "Rpl_semi_sync_source_yes_tx"))
                    .as("COMMITs that were answered with the replica's receipt")
                    .isNotEqualTo("0");
            assertThat(status(pair.source(), "Rpl_semi_sync_source_no_tx"))
                    .as("COMMITs that were answered without the replica's receipt")
                    .isEqualTo("0");
            pair.source().kill();
            pair.promote();
            environment.moveTo(TargetServer.on(pair.replica()));
            untilEffects(environment, count(environment, "chaos_effect") + MESSAGES);
            restInOrder(environment);
            InvariantResults results;
            try (Connection promoted = environment.target().connect()) {
                results = new Auditor(folder, MAX_ATTEMPTS, MAX_CRASHES).audit(promoted);
            }
            assertThat(results.holds()).as(results.toString()).isTrue();
            assertThat(results.checked(Invariant.COMMITTED_ENDS_ONCE)).isGreaterThan(2L * MESSAGES);
        }
    }

    @Test
    void losesExactlyWhatTheReplicaHadNotReceivedAndStaysConsistent() throws Exception {
        try (ReplicatedPair pair = TestServers.startReplicated(ReplicationMode.ASYNCHRONOUS);
                Environment environment =
                        new Environment(TargetServer.prepare(pair.source()), folder, PROCESS_SETTINGS)) {
            environment.prepare();
            environment.start(2, 2);
            untilEffects(environment, MESSAGES);
            pair.cutReplication();
            environment.start(0, 1); // a node that is known to the source only
            await().atMost(Duration.ofMinutes(1)).until(() -> count(environment, "acidq_node") >= 3);
            untilEffects(environment, count(environment, "chaos_effect") + IN_THE_TAIL);
            pair.source().kill();
            pair.promote();
            FailoverLosses failoverLosses;
            long lastReceived;
            try (Connection promoted = pair.replica().server().connect("chaos")) {
                failoverLosses = FailoverLosses.to(promoted);
                lastReceived = number(promoted, "SELECT MAX(id) FROM chaos_effect");
            }
            environment.moveTo(TargetServer.on(pair.replica()));
            environment.start(0, 1); // a node that gets the number of the lost one
            untilEffects(environment, count(environment, "chaos_effect") + MESSAGES);
            restInOrder(environment);
            long lastLost;
            TestServer before = pair.reopenSource();
            try (Connection old = before.connect("chaos")) {
                failoverLosses.from(old);
                lastLost = number(old, "SELECT MAX(id) FROM chaos_effect");
            }
            assertThat(pair.lostTransactions()).isPositive();
            assertThat(failoverLosses.lost()).isNotEmpty();
            assertThat(environment.count(
                            "SELECT COUNT(*) FROM chaos_effect WHERE id > " + lastReceived + " AND id <= " + lastLost))
                    .as("ids are used again")
                    .isPositive();
            InvariantResults results;
            try (Connection promoted = environment.target().connect()) {
                results = new Auditor(folder, MAX_ATTEMPTS, MAX_CRASHES).audit(promoted, failoverLosses);
            }
            assertThat(results.holds()).as(results.toString()).isTrue();
            assertThat(results.checked(Invariant.FAILED_IS_INVISIBLE))
                    .isGreaterThanOrEqualTo(failoverLosses.lost().size());
        }
    }

    private static void untilEffects(Environment environment, long effects) {
        await().atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(100))
                .until(() -> count(environment, "chaos_effect") >= effects);
    }

    /** Checks that no process had to be restarted, and waits until all messages are done. */
    private static void restInOrder(Environment environment) throws SQLException {
        assertThat(environment.producers().ended() + environment.workers().ended())
                .as("processes that have ended")
                .isZero();
        environment.producers().close();
        environment.pauseRecurring();
        await().atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(100))
                .until(() -> environment.waiting() == 0);
        environment.stopProcesses();
    }

    private static long count(Environment environment, String table) throws SQLException {
        return environment.count("SELECT COUNT(*) FROM " + table);
    }

    private static String status(PrivateServer server, String name) throws SQLException {
        try (Connection connection = server.server().connect("");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW GLOBAL STATUS LIKE '" + name + "'")) {
            row.next();
            return row.getString(2);
        }
    }

    private static long number(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }
}
