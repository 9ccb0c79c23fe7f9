package io.acidq.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.chaos.audit.Auditor;
import io.acidq.chaos.audit.InvariantResults;
import io.acidq.chaos.audit.InvariantResults.SubscriptionCounts;
import io.acidq.chaos.environment.Environment;
import io.acidq.chaos.environment.ProcessSettings;
import io.acidq.chaos.environment.TargetServer;
import io.acidq.chaos.role.ChaosSubscription;
import io.acidq.chaos.role.ProducerBehaviour;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Messages are published to three subscriptions, of which one always fails, while worker processes are killed. The same with more messages and all faults
 * is {@code chaos.jar --publish-in=1}.
 */
@Tag("full")
@ParameterizedClass
@EnumSource(ServerKind.class)
class SubscriptionChaosIT {

    private static final int KILLS = 3;
    private static final int EFFECTS_BETWEEN_KILLS = 200;
    private static final int MAX_ATTEMPTS = 4;
    private static final int MAX_CRASHES = 3;
    private static final ProcessSettings PUBLISHING =
            new ProcessSettings(new ProducerBehaviour(29, 40, Set.of(), 150, 1, 0, 0), 4, 4);

    @Parameter
    private ServerKind kind;

    @TempDir
    private Path folder;

    @Test
    void endsEachMessageOncePerSubscriptionInOrderThoughOneAlwaysFailsAndWorkersAreKilled() throws Exception {
        TestDatabase database = TestServers.get(kind).createDatabase();
        try (Environment environment = new Environment(
                TargetServer.given(database.jdbcUrl(), database.username(), database.password()), folder, PUBLISHING)) {
            environment.prepare();
            environment.start(1, 2);
            Random random = new Random(29);
            for (int kill = 1; kill <= KILLS; kill++) {
                untilEffects(environment, kill * EFFECTS_BETWEEN_KILLS);
                Objects.requireNonNull(environment.workers().any(random)).destroyForcibly();
            }
            untilEffects(environment, (KILLS + 1) * EFFECTS_BETWEEN_KILLS);
            environment.producers().close();
            environment.pauseRecurring();
            await().atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> environment.waiting() == 0);
            environment.stopProcesses();
            InvariantResults results;
            try (Connection connection = environment.target().connect()) {
                results = new Auditor(folder, MAX_ATTEMPTS, MAX_CRASHES).audit(connection);
            }
            assertThat(results.holds()).as(results.toString()).isTrue();
            assertThat(environment.workers().ended()).isGreaterThanOrEqualTo(KILLS);
            long published = Objects.requireNonNull(results.subscriptions().get(ChaosSubscription.FIRST))
                    .published();
            assertThat(published).isGreaterThanOrEqualTo((KILLS + 1) * EFFECTS_BETWEEN_KILLS / 2);
            SubscriptionCounts allDone = new SubscriptionCounts(published, published, 0);
            assertThat(results.subscriptions())
                    .containsEntry(ChaosSubscription.FIRST, allDone)
                    .containsEntry(ChaosSubscription.SECOND, allDone)
                    .containsEntry(ChaosSubscription.FAILING, new SubscriptionCounts(published, 0, published));
        } finally {
            database.drop();
        }
    }

    private static void untilEffects(Environment environment, long effects) {
        await().atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(100))
                .until(() -> environment.count("SELECT COUNT(*) FROM chaos_effect") >= effects);
    }
}
