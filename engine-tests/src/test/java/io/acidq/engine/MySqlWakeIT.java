package io.acidq.engine;

import static org.awaitility.Awaitility.await;

import io.acidq.Outcome;
import io.acidq.config.EngineConfig;
import io.acidq.testservers.PrivateServer;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestServers;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How few statements an idle engine sends to a server that numbers its commits. The server is private, so that no other test commits there. */
class MySqlWakeIT extends EngineTests {

    private static final String DUE =
            "digest_text LIKE 'SELECT `TIMESTAMPDIFF`%' OR digest_text LIKE 'SELECT TIMESTAMPDIFF%'";
    private static final String PAUSED = "digest_text LIKE 'SELECT `q` . `id`%`paused`%FROM `acidq_queue`%'";

    /** The two statements that find lanes with work. The second one follows where many messages are due. */
    private static final String TO_BE_CLAIMED =
            "digest_text LIKE 'SELECT `m` . `queue` , `m` . `lane` FROM%' OR digest_text LIKE 'SELECT `l` . `queue`%'";

    private static final String HEARTBEAT = "digest_text LIKE 'UPDATE `acidq_node` SET `heartbeats`%'";

    private PrivateServer server;

    @BeforeEach
    void openDatabase() {
        server = TestServers.startPrivate(ServerKind.MYSQL);
        open(server.server().createDatabase(), config -> {}, pool -> pool);
    }

    @AfterEach
    void close() {
        closeDatabase();
        server.close();
    }

    /** Heartbeats and the statements that they cause do not count. Takes ten seconds: the statements of eight heartbeats of a second are counted. */
    @Test
    void sendsFewStatementsWhileNothingIsCommitted() {
        forgetWhatWasAsked();
        engine(e -> e.config(EngineConfig.defaults().withHeartbeat(Duration.ofSeconds(1), 6))
                .listen(on("idle", (step, delivery) -> Outcome.done())));
        await("each is asked at the start, and so seen here")
                .atMost(Duration.ofSeconds(30))
                .until(() -> asked(DUE) > 0 && asked(PAUSED) > 0 && asked(TO_BE_CLAIMED) > 0);
        await("32 times in eight heartbeats if it did not listen, 7 if its looks did not; others may commit"
                        + " for a while")
                .atMost(Duration.ofMinutes(2))
                .until(() -> {
                    forgetWhatWasAsked();
                    awaitHeartbeats(8);
                    return asked(HEARTBEAT) > 0 && asked() <= 6;
                });
    }

    /** The server records ten thousand digests and then no others, and earlier tests may have filled the table. */
    private void forgetWhatWasAsked() {
        sql("TRUNCATE TABLE performance_schema.events_statements_summary_by_digest");
    }

    private long asked() {
        return asked(DUE) + asked(PAUSED) + asked(TO_BE_CLAIMED);
    }

    private long asked(String what) {
        return count("SELECT COALESCE(SUM(count_star), 0) FROM performance_schema.events_statements_summary_by_digest"
                + " WHERE schema_name = DATABASE() AND (" + what + ")");
    }
}
