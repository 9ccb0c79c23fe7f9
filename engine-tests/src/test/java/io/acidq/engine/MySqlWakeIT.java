package io.acidq.engine;

import static org.awaitility.Awaitility.await;

import io.acidq.Outcome;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.engine.EngineFixture.Step;
import io.acidq.testservers.PrivateServer;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestServers;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How little a server is asked that numbers its commits: one of its own, where nobody else commits. Takes some ten seconds: eight heartbeats. */
class MySqlWakeIT {

    private static final String DUE =
            "digest_text LIKE 'SELECT `TIMESTAMPDIFF`%' OR digest_text LIKE 'SELECT TIMESTAMPDIFF%'";
    private static final String PAUSED = "digest_text LIKE 'SELECT `id` FROM `acidq_queue`%paused%'";

    /** The first statement of a look, and the second, which follows where there is much to be claimed. */
    private static final String TO_BE_CLAIMED =
            "digest_text LIKE 'SELECT `m` . `queue` , `m` . `lane` FROM%' OR digest_text LIKE 'SELECT `l` . `queue`%'";

    private static final String HEARTBEAT = "digest_text LIKE 'UPDATE `acidq_node` SET `heartbeats`%'";

    private PrivateServer server;
    private EngineFixture engineFixture;

    @BeforeEach
    void open() {
        server = TestServers.startPrivate(ServerKind.MYSQL);
        engineFixture = new EngineFixture(server.server().createDatabase(), config -> {});
    }

    @AfterEach
    void close() {
        engineFixture.close();
        server.close();
    }

    /** What the heart does is left out, as is what it makes others do. Takes ten seconds: its counts are those of eight beats of a second. */
    @Test
    void asksNextToNothingWhileNobodyCommits() {
        forgetWhatWasAsked();
        engineFixture.engine(e -> e.config(EngineConfig.defaults().withHeartbeat(Duration.ofSeconds(1), 6))
                .listen(Listener.on("idle", Step.class, (step, delivery) -> Outcome.done())));
        await("each is asked at the start, and so seen here")
                .atMost(Duration.ofSeconds(30))
                .until(() -> asked(DUE) > 0 && asked(PAUSED) > 0 && asked(TO_BE_CLAIMED) > 0);
        await(
                        "32 times in eight heartbeats if it did not listen, 7 if its looks did not; others may commit for a while")
                .atMost(Duration.ofMinutes(2))
                .until(() -> {
                    forgetWhatWasAsked();
                    WakeIT.waitHeartbeats(engineFixture, 8);
                    return asked(HEARTBEAT) > 0 && asked() <= 6;
                });
    }

    /** The server notes ten thousand statements and then no others: those of all the tests before were enough. */
    private void forgetWhatWasAsked() {
        engineFixture.sql("TRUNCATE TABLE performance_schema.events_statements_summary_by_digest");
    }

    private long asked() {
        return asked(DUE) + asked(PAUSED) + asked(TO_BE_CLAIMED);
    }

    private long asked(String what) {
        return engineFixture.count(
                "SELECT COALESCE(SUM(count_star), 0) FROM performance_schema.events_statements_summary_by_digest"
                        + " WHERE schema_name = DATABASE() AND (" + what + ")");
    }
}
