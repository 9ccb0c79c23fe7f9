package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.store.EnqueueStore.KeyHolder;
import java.sql.Connection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Two who want one key at once. */
@EachServer
class TakeKeyRaceStoreIT extends StoreFixture {

    private final UUID first = UUID.randomUUID();
    private final CountDownLatch taken = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);

    @Test
    void waitsForAnUncommittedHolderAndIsADuplicateWhenItCommits() {
        CompletableFuture<Boolean> holder = holdFirst(false);
        CompletableFuture<Optional<KeyHolder>> second = Scene.aside(() -> take(UUID.randomUUID()));
        scene.awaitLockWait();
        end.countDown();

        Scene.join(holder);
        assertThat(Scene.join(second)).contains(new KeyHolder(first, 0));
    }

    @Test
    void getsTheKeyWhenTheUncommittedHolderRollsBack() {
        CompletableFuture<Boolean> holder = holdFirst(true);
        CompletableFuture<Optional<KeyHolder>> second = Scene.aside(() -> take(UUID.randomUUID()));
        scene.awaitLockWait();
        end.countDown();

        assertThatThrownBy(() -> Scene.join(holder)).hasMessageContaining("roll back");
        assertThat(Scene.join(second)).isEmpty();
    }

    @Test
    void seesTheWinnerAlsoFromAnOlderSnapshot() throws Exception {
        UUID winner = UUID.randomUUID();
        home().transactions().run(() -> {
            Connection own = home().transactions().connection();
            assertThat(Scene.rows(own, "SELECT @@SESSION.transaction_isolation")
                            .get(0)
                            .get(0))
                    .isEqualTo("REPEATABLE-READ");
            Scene.rows(own, "SELECT COUNT(*) FROM acidq_key");
            Scene.join(Scene.aside(() -> take(winner)));
            assertThat(Scene.rows(own, "SELECT uid FROM acidq_key WHERE queue = ?", scene.queue.id()))
                    .isEmpty();

            assertThat(scene.takeKey("k", UUID.randomUUID(), Scene.HOUR)).contains(new KeyHolder(winner, 0));
        });
    }

    @Test
    void neverTakesALiveMessagesKeyFromAnOlderSnapshot() throws Exception {
        UUID winner = UUID.randomUUID();
        home().transactions().run(() -> {
            Scene.rows(home().transactions().connection(), "SELECT COUNT(*) FROM acidq_key");
            Scene.join(Scene.aside(() -> take(winner)));
            scene.passTwoHours(); // the key has expired, and this snapshot can not tell whether its message lives

            assertThat(scene.takeKey("k", UUID.randomUUID(), Scene.HOUR)).contains(new KeyHolder(winner, 0));
        });
    }

    @Test
    void letsOneOfManyTakeAnExpiredKeyAndKillsNoneByDeadlock() {
        take(first);
        scene.passTwoHours();

        List<UUID> uids = IntStream.range(0, 8).mapToObj(i -> UUID.randomUUID()).toList();
        List<CompletableFuture<Optional<KeyHolder>>> takers =
                uids.stream().map(u -> Scene.aside(() -> take(u))).toList();
        List<Optional<KeyHolder>> answers = takers.stream().map(Scene::join).toList();

        assertThat(answers.stream().filter(Optional::isEmpty)).hasSize(1);
        UUID winner = uids.get(answers.indexOf(Optional.<KeyHolder>empty()));
        assertThat(answers.stream().flatMap(Optional::stream).distinct()).containsExactly(new KeyHolder(winner, 0));
    }

    @Test
    void isNotPrunedWhileItIsTakenOverAndNotTakenOverTwiceBesideTheJanitor() {
        take(UUID.randomUUID());
        scene.passTwoHours();
        CompletableFuture<Boolean> holder = holdFirst(false);
        store.maintenance().pruneKeys(500);
        assertThat(scene.count("acidq_key")).isEqualTo(1);
        end.countDown();

        Scene.join(holder);
        store.maintenance().pruneKeys(500);
        assertThat(take(UUID.randomUUID())).contains(new KeyHolder(first, 0));
    }

    private CompletableFuture<Boolean> holdFirst(boolean rollBack) {
        CompletableFuture<Boolean> holder =
                Scene.aside(() -> home().transactions().call(() -> {
                    assertThat(scene.takeKey("k", first, Scene.HOUR)).isEmpty();
                    taken.countDown();
                    Scene.await(end);
                    if (rollBack) {
                        throw new IllegalStateException("roll back");
                    }
                    return true;
                }));
        Scene.await(taken);
        return holder;
    }

    private Optional<KeyHolder> take(UUID uid) {
        return home().transactions().call(() -> scene.takeKey("k", uid, Scene.HOUR));
    }
}
