package io.acidq.engine;

import static org.awaitility.Awaitility.await;

import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.engine.World.Step;
import io.acidq.testservers.ServerKind;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MySqlWakeIT extends WakeConformance {

    MySqlWakeIT() {
        super(ServerKind.MYSQL);
    }

    /** Only here can the lookout wait for commits. What the heart does is left out, as is what it makes others do. */
    @Test
    void asksNextToNothingWhileNobodyCommits() {
        world.engine(e -> e.config(EngineConfig.defaults().withLiveness(Duration.ofSeconds(1), 6))
                .listen(Listener.on("idle", Step.class, this::done)));
        await("16 times in four beats if it did not listen; others may commit on this server for a while")
                .atMost(Duration.ofMinutes(1))
                .until(() -> {
                    long before = asked();
                    beStillFor(4);
                    return asked() - before <= 6;
                });
    }

    /** How often it was asked what is due, paused, and to be claimed. */
    private long asked() {
        return world.count(
                "SELECT COALESCE(SUM(count_star), 0) FROM performance_schema.events_statements_summary_by_digest"
                        + " WHERE schema_name = DATABASE() AND (digest_text LIKE 'SELECT `TIMESTAMPDIFF`%' OR digest_text LIKE 'SELECT TIMESTAMPDIFF%'"
                        + " OR digest_text LIKE 'SELECT `id` FROM `acidq_queue`%paused%' OR digest_text LIKE 'SELECT `l` . `queue`%')");
    }
}
