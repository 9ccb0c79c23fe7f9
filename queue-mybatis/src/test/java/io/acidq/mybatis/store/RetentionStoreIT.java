package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.DeadLetterStore.OperatorAction;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.KeyClaim;
import io.acidq.store.EnqueueStore.Window;
import io.acidq.store.MaintenanceStore.Pruned;
import io.acidq.store.MessageRow;
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
        queueFixture.execute("DELETE FROM acidq_inbox");
        queueFixture.execute("DELETE FROM acidq_key");
        while (store.maintenance().pruneKeys(500).more()) {
            // on to the end, so that the next look begins anew
        }
    }

    @Test
    void removesKeysOfTheInboxWhoseWindowHasEndedAndNoOthers() {
        take(List.of("old", "older"));
        passTwoHours();
        take(List.of("new"));

        assertThat(store.maintenance().pruneInbox(500)).isEqualTo(new Pruned(2, false));
        assertThat(queueFixture.rows("SELECT COUNT(*), MAX(OCTET_LENGTH(p_key)) FROM acidq_inbox"))
                .hasToString("[[1, 3]]");
        assertThat(store.maintenance().pruneInbox(500)).isEqualTo(new Pruned(0, false));
    }

    @Test
    void removesNoMoreThanTheLimitTheOldestFirst() {
        take(List.of("oldest"));
        passTwoHours();
        take(IntStream.range(0, 20).mapToObj(i -> "k" + i).toList());
        passTwoHours();

        assertThat(store.maintenance().pruneInbox(8)).isEqualTo(new Pruned(8, true));
        assertThat(queueFixture.number(
                        "SELECT COUNT(*) FROM acidq_inbox WHERE OCTET_LENGTH(p_key) = ?", "oldest".length()))
                .isZero();
        assertThat(store.maintenance().pruneInbox(8)).isEqualTo(new Pruned(8, true));
        assertThat(store.maintenance().pruneInbox(8)).isEqualTo(new Pruned(5, false));
    }

    @Test
    void removesMessageKeysWhoseWindowHasEndedAndWhoseMessageIsGone() {
        holdKey("gone", UUID.randomUUID(), 3);
        MessageRow scheduled = queueFixture.message(5, null, "m", new Due(Duration.ofDays(9), null));
        queueFixture.enqueue(scheduled);
        holdKey("scheduled", scheduled.uid(), 5);
        UUID dead = queueFixture.enqueue(7, null, "m");
        holdKey("dead", dead, 7);
        store.claims().deadLetterIfClaimed(queueFixture.claimOne(7).claim(), "mark", List.of());
        holdKey("hot", queueFixture.enqueue(3, null, "m"), 3);
        queueFixture.passTwoHours();
        holdKey("in time", UUID.randomUUID(), 3);

        assertThat(store.maintenance().pruneKeys(500)).isEqualTo(new Pruned(1, false));
        assertThat(keys()).containsExactlyInAnyOrder("scheduled", "dead", "hot", "in time");

        store.dead()
                .discardIfDead(
                        new OperatorAction("test", "gone", null), new DeadLetterFixture(queueFixture).deadLetters());
        assertThat(store.maintenance().pruneKeys(500)).isEqualTo(new Pruned(1, false));
        assertThat(keys()).containsExactlyInAnyOrder("scheduled", "hot", "in time");
    }

    @Test
    void looksPastTheMessageKeysThatItMayNotRemove() {
        IntStream.range(0, 7).forEach(i -> holdKey("living-" + i, queueFixture.enqueue(i, null, "m"), i));
        IntStream.range(0, 5).forEach(i -> holdKey("gone-" + i, UUID.randomUUID(), i));
        queueFixture.passTwoHours();

        assertThat(store.maintenance().pruneKeys(4)).isEqualTo(new Pruned(0, true));
        assertThat(store.maintenance().pruneKeys(4)).isEqualTo(new Pruned(1, true));
        assertThat(store.maintenance().pruneKeys(4)).isEqualTo(new Pruned(4, true));
        assertThat(store.maintenance().pruneKeys(4)).isEqualTo(new Pruned(0, false));
        assertThat(keys()).hasSize(7).allMatch(k -> k.startsWith("living"));
        assertThat(store.maintenance().pruneKeys(500)).as("from the beginning").isEqualTo(new Pruned(0, false));
    }

    private void holdKey(String key, UUID uid, int lane) {
        database()
                .transactions()
                .run(() -> assertThat(store.enqueue()
                                .takeKey(new KeyClaim(
                                        queueFixture.queue.id(),
                                        key,
                                        uid,
                                        lane,
                                        Due.NOW,
                                        new Window(QueueFixture.HOUR, true))))
                        .isEmpty());
    }

    private List<String> keys() {
        return queueFixture.rows("SELECT p_key FROM acidq_key").stream()
                .map(r -> new String((byte[]) r.get(0), StandardCharsets.UTF_8))
                .toList();
    }

    private void take(List<String> keys) {
        database()
                .transactions()
                .run(() -> assertThat(store.inbox().takeIfFree(consumer, keys, QueueFixture.HOUR))
                        .isEmpty());
    }

    private void passTwoHours() {
        queueFixture.execute("UPDATE acidq_inbox SET expires = TIMESTAMPADD(HOUR, -2, expires)");
    }
}
