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
                .until(() -> scene.number(
                                "SELECT COUNT(*) FROM acidq_scheduled WHERE queue = ? AND preexec_time <= UTC_TIMESTAMP(6)",
                                scene.queue.id())
                        == 1);

        store.maintenance().moveDue();
        assertThat(scene.count("acidq_message")).isZero();
        end.countDown();
        assertThat(Scene.join(replacing)).isTrue();
        store.maintenance().moveDue();
        assertThat(scene.count("acidq_message")).isZero();
    }

    @Test
    void letsTheNextReplaceWhatAnUncommittedOneHasReplaced() {
        schedule(keyed("k", IN_AN_HOUR, "a"));
        CompletableFuture<Boolean> first = replaceAndHold(FAR);
        CompletableFuture<Boolean> second = Scene.aside(() -> replace("k", "third", Instant.EPOCH));
        scene.awaitLockWait();
        end.countDown();

        assertThat(Scene.join(first)).isTrue();
        assertThat(Scene.join(second)).isTrue();
        store.maintenance().moveDue();
        assertThat(Scene.texts(scene.claim(0, 10))).containsExactly("third");
    }

    @Test
    void takesTheKeyWhenTheFirstRollsBack() {
        MessageRow next = keyed("k", Due.NOW, "b");
        CompletableFuture<Boolean> first =
                Scene.aside(() -> home().transactions().call(() -> {
                    enqueue.lockKeys(List.of(claim(keyed("k", IN_AN_HOUR, "a"))));
                    locked.countDown();
                    Scene.await(end);
                    throw new IllegalStateException("roll back");
                }));
        Scene.await(locked);
        CompletableFuture<KeyState> second = Scene.aside(() -> lock(next));
        scene.awaitLockWait();
        end.countDown();

        assertThatThrownBy(() -> Scene.join(first)).hasMessageContaining("roll back");
        assertThat(Scene.join(second).holder().uid()).isEqualTo(next.uid());
    }

    @Test
    void replacesFromASnapshotOlderThanTheMessageAndLeavesOthersTheirSchedule() throws Exception {
        home().transactions().run(() -> {
            Connection own = home().transactions().connection();
            assertThat(Scene.rows(own, "SELECT @@SESSION.transaction_isolation")
                            .get(0)
                            .get(0))
                    .isEqualTo("REPEATABLE-READ");
            Scene.rows(own, "SELECT COUNT(*) FROM acidq_scheduled");
            Scene.join(Scene.aside(() -> {
                schedule(keyed("k", IN_AN_HOUR, "a"));
                return replace("k", "b", FAR);
            }));

            assertThat(replaceHere("k", "c", FAR.plusSeconds(1))).isTrue();
            Scene.join(Scene.aside(
                    () -> { // were a gap locked, this would wait for us
                        schedule(keyed("other", IN_AN_HOUR, "x"));
                        schedule(keyed("another", new Due(null, FAR.plusSeconds(2)), "x"));
                        return true;
                    }));
        });

        assertThat(scene.number(
                        "SELECT COUNT(*) FROM acidq_scheduled WHERE queue = ? AND payload = 'c' AND p_key = 'k'",
                        scene.queue.id()))
                .isEqualTo(1);
        assertThat(scene.count("acidq_scheduled")).isEqualTo(3);
    }

    /** Its successor ran before it. */
    @Test
    void neverTakesOverALiveMessagesKeyFromAnOlderSnapshot() throws Exception {
        MessageRow first = keyed("k", IN_AN_HOUR, "a");
        home().transactions().run(() -> {
            Scene.rows(home().transactions().connection(), "SELECT COUNT(*) FROM acidq_key");
            Scene.join(Scene.aside(() -> {
                schedule(first);
                return true;
            }));
            scene.passTwoHours(); // the key has expired, and this snapshot can not tell whether its message lives

            KeyClaim next = claim(keyed("k", Due.NOW, "b"));
            assertThat(enqueue.lockKeys(List.of(next)).get(0).holder().uid()).isEqualTo(first.uid());
        });
    }

    private CompletableFuture<Boolean> replaceAndHold(Instant due) {
        CompletableFuture<Boolean> replacing =
                Scene.aside(() -> home().transactions().call(() -> {
                    boolean replaced = replaceHere("k", "second", due);
                    locked.countDown();
                    Scene.await(end);
                    return replaced;
                }));
        Scene.await(locked);
        return replacing;
    }
}
