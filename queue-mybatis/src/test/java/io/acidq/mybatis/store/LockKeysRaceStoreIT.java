package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.KeyClaim;
import io.acidq.store.EnqueueStore.KeyState;
import io.acidq.store.EnqueueStore.MessageRow;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A replacement concurrent with the mover and with another replacement, and from an older snapshot. */
@EachServer
class LockKeysRaceStoreIT extends LockKeysFixture {

    private static final Instant FAR = Instant.parse("2999-01-01T00:00:00Z");

    @Test
    void keepsTheMoverFromAMessageThatItReplaces() {
        schedule(keyed("k", new Due(Duration.ofMillis(300), null), "a"));
        CompletableFuture<Boolean> replacing = hold(() -> replaceHere("k", "second", FAR));
        Awaitility.await()
                .atMost(30, TimeUnit.SECONDS)
                .until(() -> fixture.number(
                                "SELECT COUNT(*) FROM acidq_scheduled WHERE queue = ? AND preexec_time <= UTC_TIMESTAMP(6)",
                                fixture.queueId)
                        == 1);

        maintenance.moveDue();
        assertThat(fixture.count("acidq_message")).isZero();
        end.countDown();
        assertThat(QueueFixture.join(replacing)).isTrue();
        maintenance.moveDue();
        assertThat(fixture.count("acidq_message")).isZero();
    }

    @Test
    void letsTheNextReplaceWhatAnUncommittedOneHasReplaced() {
        schedule(keyed("k", IN_AN_HOUR, "a"));
        CompletableFuture<Boolean> first = hold(() -> replaceHere("k", "second", FAR));
        CompletableFuture<Boolean> second = QueueFixture.runAsync(() -> replace("k", "third", Instant.EPOCH));
        fixture.awaitLockWait();
        end.countDown();

        assertThat(QueueFixture.join(first)).isTrue();
        assertThat(QueueFixture.join(second)).isTrue();
        maintenance.moveDue();
        assertThat(fixture.claimTexts(0, 10)).containsExactly("third");
    }

    @Test
    void takesTheKeyWhenTheFirstRollsBack() {
        MessageRow next = keyed("k", Due.NOW, "b");
        CompletableFuture<List<KeyState>> first =
                hold(() -> enqueue.lockKeys(List.of(claim(keyed("k", IN_AN_HOUR, "a")))), StoreFixture::fail);
        CompletableFuture<KeyState> second = QueueFixture.runAsync(() -> lock(next));
        fixture.awaitLockWait();
        end.countDown();

        assertThatThrownBy(() -> QueueFixture.join(first)).hasMessageContaining("roll back");
        assertThat(QueueFixture.join(second).holder().uid()).isEqualTo(next.uid());
    }

    @Test
    void replacesFromASnapshotOlderThanTheMessageAndLeavesOthersTheirSchedule() throws Exception {
        transactions.run(() -> {
            Connection own = transactions.connection();
            assertThat(QueueFixture.rows(own, "SELECT @@SESSION.transaction_isolation")
                            .get(0)
                            .get(0))
                    .isEqualTo("REPEATABLE-READ");
            QueueFixture.rows(own, "SELECT COUNT(*) FROM acidq_scheduled");
            QueueFixture.join(QueueFixture.runAsync(() -> {
                schedule(keyed("k", IN_AN_HOUR, "a"));
                return replace("k", "b", FAR);
            }));

            assertThat(replaceHere("k", "c", FAR.plusSeconds(1))).isTrue();
            QueueFixture.join(QueueFixture.runAsync(
                    () -> { // would wait if a gap were locked
                        schedule(keyed("other", IN_AN_HOUR, "x"));
                        schedule(keyed("another", new Due(null, FAR.plusSeconds(2)), "x"));
                        return true;
                    }));
        });

        assertThat(fixture.number(
                        "SELECT COUNT(*) FROM acidq_scheduled WHERE queue = ? AND payload = 'c' AND p_key = 'k'",
                        fixture.queueId))
                .isEqualTo(1);
        assertThat(fixture.count("acidq_scheduled")).isEqualTo(3);
    }

    /** A bug: a later message ran before the one that holds the key. */
    @Test
    void neverTakesOverALiveMessagesKeyFromAnOlderSnapshot() throws Exception {
        MessageRow first = keyed("k", IN_AN_HOUR, "a");
        transactions.run(() -> {
            QueueFixture.rows(transactions.connection(), "SELECT COUNT(*) FROM acidq_key");
            QueueFixture.join(QueueFixture.runAsync(() -> {
                schedule(first);
                return true;
            }));
            fixture.passTwoHours(); // the key has expired, and this snapshot cannot show whether its message exists

            KeyClaim next = claim(keyed("k", Due.NOW, "b"));
            assertThat(enqueue.lockKeys(List.of(next)).get(0).holder().uid()).isEqualTo(first.uid());
        });
    }
}
