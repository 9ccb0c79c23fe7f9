package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.store.EnqueueStore.KeyHolder;
import java.sql.Connection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Concurrent transactions that take one key. */
@EachServer
class TakeKeyRaceStoreIT extends StoreFixture {

    private final UUID first = UUID.randomUUID();

    @Test
    void waitsForAnUncommittedHolderAndIsADuplicateWhenItCommits() {
        CompletableFuture<Optional<KeyHolder>> holder = hold(() -> takeHere(first));
        CompletableFuture<Optional<KeyHolder>> second = QueueFixture.runAsync(() -> take(UUID.randomUUID()));
        fixture.awaitLockWait();
        end.countDown();

        assertThat(QueueFixture.join(holder)).isEmpty();
        assertThat(QueueFixture.join(second)).contains(new KeyHolder(first, 0));
    }

    @Test
    void getsTheKeyWhenTheUncommittedHolderRollsBack() {
        CompletableFuture<Optional<KeyHolder>> holder = hold(() -> takeHere(first), StoreFixture::fail);
        CompletableFuture<Optional<KeyHolder>> second = QueueFixture.runAsync(() -> take(UUID.randomUUID()));
        fixture.awaitLockWait();
        end.countDown();

        assertThatThrownBy(() -> QueueFixture.join(holder)).hasMessageContaining("roll back");
        assertThat(QueueFixture.join(second)).isEmpty();
    }

    @Test
    void seesTheWinnerAlsoFromAnOlderSnapshot() throws Exception {
        UUID winner = UUID.randomUUID();
        transactions.run(() -> {
            Connection own = transactions.connection();
            assertThat(QueueFixture.rows(own, "SELECT @@SESSION.transaction_isolation")
                            .get(0)
                            .get(0))
                    .isEqualTo("REPEATABLE-READ");
            QueueFixture.rows(own, "SELECT COUNT(*) FROM acidq_key");
            QueueFixture.join(QueueFixture.runAsync(() -> take(winner)));
            assertThat(QueueFixture.rows(own, "SELECT uid FROM acidq_key WHERE queue = ?", fixture.queueId))
                    .isEmpty();

            assertThat(takeHere(UUID.randomUUID())).contains(new KeyHolder(winner, 0));
        });
    }

    @Test
    void neverTakesALiveMessagesKeyFromAnOlderSnapshot() throws Exception {
        UUID winner = UUID.randomUUID();
        transactions.run(() -> {
            QueueFixture.rows(transactions.connection(), "SELECT COUNT(*) FROM acidq_key");
            QueueFixture.join(QueueFixture.runAsync(() -> take(winner)));
            fixture.passTwoHours(); // the key has expired, and this snapshot cannot show whether its message exists

            assertThat(takeHere(UUID.randomUUID())).contains(new KeyHolder(winner, 0));
        });
    }

    /** The snapshot showed the expired row at each of five tries. */
    @Test
    void takesAKeyWhoseRowIsPrunedAfterTheSnapshotWasMade() throws Exception {
        take(UUID.randomUUID());
        fixture.passTwoHours();
        transactions.run(() -> {
            QueueFixture.rows(transactions.connection(), "SELECT COUNT(*) FROM acidq_key");
            QueueFixture.join(QueueFixture.runAsync(() -> maintenance.pruneKeys(500)));

            assertThat(takeHere(first)).isEmpty();
        });
        assertThat(take(UUID.randomUUID())).contains(new KeyHolder(first, 0));
    }

    @Test
    void letsOneOfManyTakeAnExpiredKeyWithoutDeadlock() {
        take(first);
        fixture.passTwoHours();

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
    void isNotPrunedWhileItIsTakenOverNorTakenOverTwice() {
        take(UUID.randomUUID());
        fixture.passTwoHours();
        CompletableFuture<Optional<KeyHolder>> holder = hold(() -> takeHere(first));
        maintenance.pruneKeys(500);
        assertThat(fixture.count("acidq_key")).isEqualTo(1);
        end.countDown();

        assertThat(QueueFixture.join(holder)).isEmpty();
        maintenance.pruneKeys(500);
        assertThat(take(UUID.randomUUID())).contains(new KeyHolder(first, 0));
    }

    private Optional<KeyHolder> take(UUID uid) {
        return transactions.call(() -> takeHere(uid));
    }

    private Optional<KeyHolder> takeHere(UUID uid) {
        return fixture.takeKey("k", uid, QueueFixture.HOUR);
    }
}
