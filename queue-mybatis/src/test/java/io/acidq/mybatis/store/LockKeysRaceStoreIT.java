package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.KeyClaim;
import io.acidq.store.EnqueueStore.KeyState;
import io.acidq.store.MessageRow;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** One who replaces against the mover, against another, and from an older snapshot. */
@EachServer
class LockKeysRaceStoreIT extends LockKeysFixture {

    private static final Instant FAR = Instant.parse("2999-01-01T00:00:00Z");

    private final CountDownLatch locked = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);

    @Test
    void keepsTheMoverFromAMessageThatItReplaces() {
        schedule(keyed("k", new Due(Duration.ofMillis(300), null), "a"));
        CompletableFuture<Boolean> replacing = replaceAndHold(FAR);
        Awaitility.await()
                .atMost(30, TimeUnit.SECONDS)
                .until(() -> queueFixture.number(
                                "SELECT COUNT(*) FROM acidq_scheduled WHERE queue = ? AND preexec_time <= UTC_TIMESTAMP(6)",
                                queueFixture.queue.id())
                        == 1);

        store.maintenance().moveDue();
        assertThat(queueFixture.count("acidq_message")).isZero();
        end.countDown();
        assertThat(QueueFixture.join(replacing)).isTrue();
        store.maintenance().moveDue();
        assertThat(queueFixture.count("acidq_message")).isZero();
    }

    @Test
    void letsTheNextReplaceWhatAnUncommittedOneHasReplaced() {
        schedule(keyed("k", IN_AN_HOUR, "a"));
        CompletableFuture<Boolean> first = replaceAndHold(FAR);
        CompletableFuture<Boolean> second = QueueFixture.runAsync(() -> replace("k", "third", Instant.EPOCH));
        queueFixture.awaitLockWait();
        end.countDown();

        assertThat(QueueFixture.join(first)).isTrue();
        assertThat(QueueFixture.join(second)).isTrue();
        store.maintenance().moveDue();
        assertThat(QueueFixture.texts(queueFixture.claim(0, 10))).containsExactly("third");
    }

    @Test
    void takesTheKeyWhenTheFirstRollsBack() {
        MessageRow next = keyed("k", Due.NOW, "b");
        CompletableFuture<Boolean> first =
                QueueFixture.runAsync(() -> database().transactions().call(() -> {
                    enqueue.lockKeys(List.of(claim(keyed("k", IN_AN_HOUR, "a"))));
                    locked.countDown();
                    QueueFixture.await(end);
                    throw new IllegalStateException("roll back");
                }));
        QueueFixture.await(locked);
        CompletableFuture<KeyState> second = QueueFixture.runAsync(() -> lock(next));
        queueFixture.awaitLockWait();
        end.countDown();

        assertThatThrownBy(() -> QueueFixture.join(first)).hasMessageContaining("roll back");
        assertThat(QueueFixture.join(second).holder().uid()).isEqualTo(next.uid());
    }

    @Test
    void replacesFromASnapshotOlderThanTheMessageAndLeavesOthersTheirSchedule() throws Exception {
        database().transactions().run(() -> {
            Connection own = database().transactions().connection();
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
                    () -> { // were a gap locked, this would wait for us
                        schedule(keyed("other", IN_AN_HOUR, "x"));
                        schedule(keyed("another", new Due(null, FAR.plusSeconds(2)), "x"));
                        return true;
                    }));
        });

        assertThat(queueFixture.number(
                        "SELECT COUNT(*) FROM acidq_scheduled WHERE queue = ? AND payload = 'c' AND p_key = 'k'",
                        queueFixture.queue.id()))
                .isEqualTo(1);
        assertThat(queueFixture.count("acidq_scheduled")).isEqualTo(3);
    }

    /** Its successor ran before it. */
    @Test
    void neverTakesOverALiveMessagesKeyFromAnOlderSnapshot() throws Exception {
        MessageRow first = keyed("k", IN_AN_HOUR, "a");
        database().transactions().run(() -> {
            QueueFixture.rows(database().transactions().connection(), "SELECT COUNT(*) FROM acidq_key");
            QueueFixture.join(QueueFixture.runAsync(() -> {
                schedule(first);
                return true;
            }));
            queueFixture
                    .passTwoHours(); // the key has expired, and this snapshot can not tell whether its message lives

            KeyClaim next = claim(keyed("k", Due.NOW, "b"));
            assertThat(enqueue.lockKeys(List.of(next)).get(0).holder().uid()).isEqualTo(first.uid());
        });
    }

    private CompletableFuture<Boolean> replaceAndHold(Instant due) {
        CompletableFuture<Boolean> replacing =
                QueueFixture.runAsync(() -> database().transactions().call(() -> {
                    boolean replaced = replaceHere("k", "second", due);
                    locked.countDown();
                    QueueFixture.await(end);
                    return replaced;
                }));
        QueueFixture.await(locked);
        return replacing;
    }
}
