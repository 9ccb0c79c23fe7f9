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
        CompletableFuture<Optional<KeyHolder>> second = QueueFixture.runAsync(() -> take(UUID.randomUUID()));
        queueFixture.awaitLockWait();
        end.countDown();

        QueueFixture.join(holder);
        assertThat(QueueFixture.join(second)).contains(new KeyHolder(first, 0));
    }

    @Test
    void getsTheKeyWhenTheUncommittedHolderRollsBack() {
        CompletableFuture<Boolean> holder = holdFirst(true);
        CompletableFuture<Optional<KeyHolder>> second = QueueFixture.runAsync(() -> take(UUID.randomUUID()));
        queueFixture.awaitLockWait();
        end.countDown();

        assertThatThrownBy(() -> QueueFixture.join(holder)).hasMessageContaining("roll back");
        assertThat(QueueFixture.join(second)).isEmpty();
    }

    @Test
    void seesTheWinnerAlsoFromAnOlderSnapshot() throws Exception {
        UUID winner = UUID.randomUUID();
        database().transactions().run(() -> {
            Connection own = database().transactions().connection();
            assertThat(QueueFixture.rows(own, "SELECT @@SESSION.transaction_isolation")
                            .get(0)
                            .get(0))
                    .isEqualTo("REPEATABLE-READ");
            QueueFixture.rows(own, "SELECT COUNT(*) FROM acidq_key");
            QueueFixture.join(QueueFixture.runAsync(() -> take(winner)));
            assertThat(QueueFixture.rows(own, "SELECT uid FROM acidq_key WHERE queue = ?", queueFixture.queue.id()))
                    .isEmpty();

            assertThat(queueFixture.takeKey("k", UUID.randomUUID(), QueueFixture.HOUR))
                    .contains(new KeyHolder(winner, 0));
        });
    }

    @Test
    void neverTakesALiveMessagesKeyFromAnOlderSnapshot() throws Exception {
        UUID winner = UUID.randomUUID();
        database().transactions().run(() -> {
            QueueFixture.rows(database().transactions().connection(), "SELECT COUNT(*) FROM acidq_key");
            QueueFixture.join(QueueFixture.runAsync(() -> take(winner)));
            queueFixture
                    .passTwoHours(); // the key has expired, and this snapshot can not tell whether its message lives

            assertThat(queueFixture.takeKey("k", UUID.randomUUID(), QueueFixture.HOUR))
                    .contains(new KeyHolder(winner, 0));
        });
    }

    @Test
    void letsOneOfManyTakeAnExpiredKeyAndKillsNoneByDeadlock() {
        take(first);
        queueFixture.passTwoHours();

        List<UUID> uids = IntStream.range(0, 8).mapToObj(i -> UUID.randomUUID()).toList();
        List<CompletableFuture<Optional<KeyHolder>>> takers =
                uids.stream().map(u -> QueueFixture.runAsync(() -> take(u))).toList();
        List<Optional<KeyHolder>> answers =
                takers.stream().map(QueueFixture::join).toList();

        assertThat(answers.stream().filter(Optional::isEmpty)).hasSize(1);
        UUID winner = uids.get(answers.indexOf(Optional.<KeyHolder>empty()));
        assertThat(answers.stream().flatMap(Optional::stream).distinct()).containsExactly(new KeyHolder(winner, 0));
    }

    @Test
    void isNotPrunedWhileItIsTakenOverAndNotTakenOverTwiceBesideTheJanitor() {
        take(UUID.randomUUID());
        queueFixture.passTwoHours();
        CompletableFuture<Boolean> holder = holdFirst(false);
        store.maintenance().pruneKeys(500);
        assertThat(queueFixture.count("acidq_key")).isEqualTo(1);
        end.countDown();

        QueueFixture.join(holder);
        store.maintenance().pruneKeys(500);
        assertThat(take(UUID.randomUUID())).contains(new KeyHolder(first, 0));
    }

    private CompletableFuture<Boolean> holdFirst(boolean rollBack) {
        CompletableFuture<Boolean> holder =
                QueueFixture.runAsync(() -> database().transactions().call(() -> {
                    assertThat(queueFixture.takeKey("k", first, QueueFixture.HOUR))
                            .isEmpty();
                    taken.countDown();
                    QueueFixture.await(end);
                    if (rollBack) {
                        throw new IllegalStateException("roll back");
                    }
                    return true;
                }));
        QueueFixture.await(taken);
        return holder;
    }

    private Optional<KeyHolder> take(UUID uid) {
        return database().transactions().call(() -> queueFixture.takeKey("k", uid, QueueFixture.HOUR));
    }
}
