package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.ClaimStore.FailedAttempt;
import io.acidq.store.DeadLetterStore.OperatorAction;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.KeyClaim;
import io.acidq.store.EnqueueStore.MessageRow;
import io.acidq.store.EnqueueStore.Window;
import io.acidq.store.MaintenanceStore.Pruned;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EachStore
class RetentionStoreIT extends StoreFixture {

    private final String consumer = "c-" + UUID.randomUUID();

    @BeforeEach
    void removeWhatOtherTestsLeft() {
        fixture.execute("DELETE FROM acidq_inbox");
        fixture.execute("DELETE FROM acidq_key");
        while (maintenance.pruneKeys(500).more()) {
            // continue to the end, so that the next removal starts from the beginning
        }
    }

    @Test
    void removesKeysOfTheInboxWhoseWindowHasEndedAndNoOthers() {
        take(List.of("old", "older"));
        passTwoHours();
        take(List.of("new"));

        assertThat(maintenance.pruneInbox(500)).isEqualTo(new Pruned(2, false));
        assertThat(fixture.rows("SELECT COUNT(*), MAX(OCTET_LENGTH(p_key)) FROM acidq_inbox"))
                .hasToString("[[1, 3]]");
        assertThat(maintenance.pruneInbox(500)).isEqualTo(new Pruned(0, false));
    }

    @Test
    void removesNoMoreThanTheLimitTheOldestFirst() {
        take(List.of("oldest"));
        passTwoHours();
        take(IntStream.range(0, 20).mapToObj(i -> "k" + i).toList());
        passTwoHours();

        assertThat(maintenance.pruneInbox(8)).isEqualTo(new Pruned(8, true));
        assertThat(fixture.number("SELECT COUNT(*) FROM acidq_inbox WHERE OCTET_LENGTH(p_key) = ?", "oldest".length()))
                .isZero();
        assertThat(maintenance.pruneInbox(8)).isEqualTo(new Pruned(8, true));
        assertThat(maintenance.pruneInbox(8)).isEqualTo(new Pruned(5, false));
    }

    @Test
    void removesMessageKeysWhoseWindowHasEndedAndWhoseMessageIsGone() {
        holdKey("gone", UUID.randomUUID(), 3);
        MessageRow scheduled = fixture.message(5, null, "m", new Due(Duration.ofDays(9), null));
        fixture.enqueue(scheduled);
        holdKey("scheduled", scheduled.uid(), 5);
        UUID dead = fixture.enqueue(7, null, "m");
        holdKey("dead", dead, 7);
        claims.deadLetterIfClaimed(fixture.claimOne(7).claim(), "mark", List.of());
        holdKey("hot", fixture.enqueue(3, null, "m"), 3);
        fixture.passTwoHours();
        holdKey("in time", UUID.randomUUID(), 3);

        assertThat(maintenance.pruneKeys(500)).isEqualTo(new Pruned(1, false));
        assertThat(keys()).containsExactlyInAnyOrder("scheduled", "dead", "hot", "in time");

        store.dead().discardIfDead(new OperatorAction("test", "gone", null), fixture.letters());
        assertThat(maintenance.pruneKeys(500)).isEqualTo(new Pruned(1, false));
        assertThat(keys()).containsExactlyInAnyOrder("scheduled", "hot", "in time");
    }

    @Test
    void readsPastTheMessageKeysThatItMustNotRemove() {
        IntStream.range(0, 7).forEach(i -> holdKey("living-" + i, fixture.enqueue(i, null, "m"), i));
        IntStream.range(0, 5).forEach(i -> holdKey("gone-" + i, UUID.randomUUID(), i));
        fixture.passTwoHours();

        assertThat(maintenance.pruneKeys(4)).isEqualTo(new Pruned(0, true));
        assertThat(maintenance.pruneKeys(4)).isEqualTo(new Pruned(1, true));
        assertThat(maintenance.pruneKeys(4)).isEqualTo(new Pruned(4, true));
        assertThat(maintenance.pruneKeys(4)).isEqualTo(new Pruned(0, false));
        assertThat(keys()).hasSize(7).allMatch(k -> k.startsWith("living"));
        assertThat(maintenance.pruneKeys(500)).as("from the beginning").isEqualTo(new Pruned(0, false));
    }

    @Test
    void removesOldAttemptsTheOldestFirst() {
        fixture.execute("DELETE FROM acidq_attempt");
        String longError = "x".repeat(5_000);
        for (int i = 0; i < 4; i++) {
            fixture.enqueue(3, null, "m");
            claims.retryIfClaimed(
                    fixture.claimOne(3),
                    Duration.ofDays(1),
                    List.of(),
                    new FailedAttempt(Duration.ofSeconds(2), longError));
            if (i == 2) {
                fixture.execute("UPDATE acidq_attempt SET ended_at = TIMESTAMPADD(HOUR, -3, ended_at)");
            }
        }

        assertThat(maintenance.pruneAttempts(QueueFixture.HOUR, 2)).isEqualTo(new Pruned(2, true));
        assertThat(maintenance.pruneAttempts(QueueFixture.HOUR, 2)).isEqualTo(new Pruned(1, false));
        assertThat(fixture.rows("SELECT CHAR_LENGTH(error), outcome FROM acidq_attempt"))
                .hasToString("[[2000, RETRY]]");
    }

    private void holdKey(String key, UUID uid, int lane) {
        transactions.run(() -> assertThat(enqueue.takeKey(
                        new KeyClaim(fixture.queueId, key, uid, lane, Due.NOW, new Window(QueueFixture.HOUR, true))))
                .isEmpty());
    }

    private List<String> keys() {
        return fixture.rows("SELECT p_key FROM acidq_key").stream()
                .map(r -> new String((byte[]) r.get(0), StandardCharsets.UTF_8))
                .toList();
    }

    private void take(List<String> keys) {
        transactions.run(() -> assertThat(store.inbox().takeIfFree(consumer, keys, QueueFixture.HOUR))
                .isEmpty());
    }

    private void passTwoHours() {
        fixture.execute("UPDATE acidq_inbox SET kept_until = TIMESTAMPADD(HOUR, -2, kept_until)");
    }
}
