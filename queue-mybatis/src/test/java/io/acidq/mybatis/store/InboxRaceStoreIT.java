package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.store.MaintenanceStore.Pruned;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Two who want one key at once; and the janitor beside them. */
@EachServer
class InboxRaceStoreIT extends StoreFixture {

    private final String consumer = "c-" + UUID.randomUUID();
    private final CountDownLatch taken = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);

    @Test
    void waitsForAnUncommittedTakerAndIsADuplicateWhenItCommits() {
        CompletableFuture<Boolean> first = holdFirst(() -> {});
        CompletableFuture<Map<String, Instant>> second = QueueFixture.runAsync(() -> take("k"));
        queueFixture.awaitLockWait();
        end.countDown();

        QueueFixture.join(first);
        assertThat(QueueFixture.join(second)).containsOnlyKeys("k");
    }

    @Test
    void keepsNobodyFromTakingNeighbouringKeysAlsoAtRepeatableRead() {
        take("d");
        CompletableFuture<Boolean> first =
                QueueFixture.runAsync(() -> database().transactions().call(() -> {
                    assertThat(store.inbox().takeIfFree(consumer, List.of("b", "d", "f"), QueueFixture.HOUR))
                            .containsOnlyKeys("d");
                    taken.countDown();
                    QueueFixture.await(end);
                    return true;
                }));
        QueueFixture.await(taken);

        List.of("a", "c", "e", "g").forEach(k -> assertThat(take(k)).as(k).isEmpty());
        end.countDown();
        QueueFixture.join(first);
    }

    @Test
    void takesTheKeyWhenTheUncommittedTakerRollsBack() {
        CompletableFuture<Boolean> first = holdFirst(() -> {
            throw new IllegalStateException("roll back");
        });
        CompletableFuture<Map<String, Instant>> second = QueueFixture.runAsync(() -> take("k"));
        queueFixture.awaitLockWait();
        end.countDown();

        assertThatThrownBy(() -> QueueFixture.join(first)).hasMessageContaining("roll back");
        assertThat(QueueFixture.join(second)).isEmpty();
    }

    @Test
    void takesTheKeyWhenTheTakersPartIsUndoneWhileItsTransactionStaysOpen() {
        CountDownLatch commit = new CountDownLatch(1);
        CompletableFuture<Boolean> first =
                QueueFixture.runAsync(() -> database().transactions().call(() -> {
                    assertThatThrownBy(() -> store.inbox().allOrNothing(() -> {
                                takeHere("k");
                                taken.countDown();
                                QueueFixture.await(end);
                                throw new IllegalStateException("no stock");
                            }))
                            .hasMessage("no stock");
                    QueueFixture.await(commit);
                    return true;
                }));
        QueueFixture.await(taken);
        CompletableFuture<Map<String, Instant>> second = QueueFixture.runAsync(() -> take("k"));
        queueFixture.awaitLockWait();
        end.countDown();

        assertThat(QueueFixture.join(second)).isEmpty();
        commit.countDown();
        QueueFixture.join(first);
    }

    @Test
    void takesTheKeyWhenTheTakersConnectionIsKilledBeforeItsCommit() {
        AtomicReference<Object> connection = new AtomicReference<>();
        CompletableFuture<Boolean> first =
                QueueFixture.runAsync(() -> database().transactions().call(() -> {
                    connection.set(QueueFixture.rows(database().transactions().connection(), "SELECT CONNECTION_ID()")
                            .get(0)
                            .get(0));
                    takeHere("k");
                    taken.countDown();
                    QueueFixture.await(end);
                    return true;
                }));
        QueueFixture.await(taken);
        CompletableFuture<Map<String, Instant>> second = QueueFixture.runAsync(() -> take("k"));
        queueFixture.awaitLockWait();
        queueFixture.execute("KILL " + connection.get());

        assertThat(QueueFixture.join(second)).isEmpty();
        end.countDown();
        assertThatThrownBy(() -> QueueFixture.join(first)).isInstanceOf(TransientQueueException.class);
    }

    @Test
    void seesTheWinnerAlsoFromAnOlderSnapshot() throws Exception {
        database().transactions().run(() -> {
            Connection own = database().transactions().connection();
            assertThat(QueueFixture.rows(own, "SELECT @@SESSION.transaction_isolation")
                            .get(0)
                            .get(0))
                    .isEqualTo("REPEATABLE-READ");
            QueueFixture.rows(own, "SELECT COUNT(*) FROM acidq_inbox");
            QueueFixture.join(QueueFixture.runAsync(() -> take("k")));
            assertThat(QueueFixture.rows(own, "SELECT p_key FROM acidq_inbox WHERE consumer = ?", consumer))
                    .isEmpty();

            assertThat(takeHere("k")).containsOnlyKeys("k");
        });
    }

    /** A repeated HTTP request answers with what the first one has stored: it must be able to read it. */
    @Test
    void showsTheWinnersEffectsToACallerAtRepeatableReadThatWaitedForIt() {
        CompletableFuture<Boolean> first =
                holdFirst(() -> store.enqueue().insert(List.of(queueFixture.message(0, null, "effect"))));
        CompletableFuture<List<List<Object>>> second =
                QueueFixture.runAsync(() -> database().transactions().call(() -> {
                    assertThat(takeHere("k")).containsOnlyKeys("k");
                    return QueueFixture.rows(
                            database().transactions().connection(),
                            "SELECT COUNT(*) FROM acidq_message WHERE queue = ?",
                            queueFixture.queue.id());
                }));
        queueFixture.awaitLockWait();
        end.countDown();

        QueueFixture.join(first);
        assertThat(QueueFixture.join(second)).hasToString("[[1]]");
    }

    @Test
    void letsOneOfManyTakeAnExpiredKeyAndKillsNoneByDeadlock() {
        take("k");
        queueFixture.execute(
                "UPDATE acidq_inbox SET expires = TIMESTAMPADD(HOUR, -2, expires) WHERE consumer = ?", consumer);

        List<CompletableFuture<Map<String, Instant>>> takers = IntStream.range(0, 8)
                .mapToObj(i -> QueueFixture.runAsync(() -> take("k")))
                .toList();
        List<Map<String, Instant>> answers =
                takers.stream().map(QueueFixture::join).toList();

        assertThat(answers.stream().filter(Map::isEmpty)).hasSize(1);
        assertThat(answers.stream().filter(a -> !a.isEmpty()).distinct()).hasSize(1);
    }

    @Test
    void letsManyTakeTheSameKeysInOppositeOrdersAndKillsNoneByDeadlock() {
        List<String> keys = IntStream.range(0, 1200).mapToObj(i -> "key-" + i).toList();
        List<String> reversed =
                IntStream.range(0, 1200).mapToObj(i -> keys.get(1199 - i)).toList();

        List<CompletableFuture<Map<String, Instant>>> takers = IntStream.range(0, 6)
                .mapToObj(i -> QueueFixture.runAsync(() -> database()
                        .transactions()
                        .call(() ->
                                store.inbox().takeIfFree(consumer, i % 2 == 0 ? keys : reversed, QueueFixture.HOUR))))
                .toList();

        assertThat(takers.stream()
                        .mapToInt(t -> 1200 - QueueFixture.join(t).size())
                        .sum())
                .as("keys taken")
                .isEqualTo(1200);
    }

    /** After a deadlock, or a COMMIT by hand, the database begins another transaction: the key is gone, or committed before the rest. */
    @Test
    void refusesAPartThatEndsInAnotherTransactionThanItBeganIn() {
        queueFixture.execute("CREATE PROCEDURE IF NOT EXISTS ends_it() ROLLBACK"); // nobody looks into it
        assertThatThrownBy(() -> database()
                        .transactions()
                        .run(() -> store.inbox().allOrNothing(() -> {
                            takeHere("k");
                            sql("CALL ends_it()");
                            return sql("DO 1");
                        })))
                .isInstanceOf(TransientQueueException.class)
                .hasMessageContaining("not the one at its beginning");

        assertThat(take("k")).isEmpty();
    }

    @Test
    void refusesATransactionThatMayNotWriteAndSaysWhatToDo() {
        queueFixture.execute("CREATE PROCEDURE IF NOT EXISTS reads_only() START TRANSACTION READ ONLY");
        assertThatThrownBy(() -> database().transactions().run(() -> {
                    sql("CALL reads_only()");
                    store.inbox().allOrNothing(() -> takeHere("k"));
                }))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("read-only", "setReadOnly(false)");
    }

    @Test
    void prunesBesideAnOpenTakingOverAndBesideAnotherJanitor() {
        take("open");
        take("free");
        queueFixture.execute(
                "UPDATE acidq_inbox SET expires = TIMESTAMPADD(HOUR, -2, expires) WHERE consumer = ?", consumer);
        CompletableFuture<Boolean> open =
                QueueFixture.runAsync(() -> database().transactions().call(() -> {
                    takeHere("open");
                    taken.countDown();
                    QueueFixture.await(end);
                    return true;
                }));
        QueueFixture.await(taken);
        store.maintenance().pruneInbox(500);
        assertThat(queueFixture.number(
                        "SELECT COUNT(*) FROM acidq_inbox WHERE consumer = ? AND p_key = 'free'", consumer))
                .isZero();
        end.countDown();

        QueueFixture.join(open);
        store.maintenance().pruneInbox(500);
        assertThat(take("open")).containsOnlyKeys("open");
    }

    @Test
    void letsOthersTakeNeighbouringKeysWhileItPrunes() {
        IntStream.range(0, 20).forEach(i -> take("key-" + 2 * i));
        queueFixture.execute(
                "UPDATE acidq_inbox SET expires = TIMESTAMPADD(HOUR, -2, expires) WHERE consumer = ? AND p_key <> 'key-38'",
                consumer);
        StatementHook trap = new StatementHook(database().dataSource(), "DELETE FROM acidq_inbox", () -> {
            taken.countDown();
            QueueFixture.await(end);
        });
        CompletableFuture<Pruned> janitor = QueueFixture.runAsync(
                () -> MyBatisStore.over(trap.dataSource()).maintenance().pruneInbox(500));
        QueueFixture.await(taken); // its locks are had

        IntStream.range(0, 20)
                .forEach(i -> assertThat(take("key-" + (2 * i + 1))).isEmpty());
        assertThat(take("z")).isEmpty();
        assertThat(take("key-38")).containsOnlyKeys("key-38");
        assertThat(store.maintenance().pruneInbox(500).rows())
                .as("another janitor")
                .isZero();
        end.countDown();
        assertThat(QueueFixture.join(janitor).rows()).isGreaterThanOrEqualTo(19);
    }

    private int sql(String text) {
        try {
            return QueueFixture.execute(database().transactions().connection(), text);
        } catch (SQLException e) {
            throw new AssertionError(text, e);
        }
    }

    private CompletableFuture<Boolean> holdFirst(Runnable last) {
        CompletableFuture<Boolean> first =
                QueueFixture.runAsync(() -> database().transactions().call(() -> {
                    assertThat(takeHere("k")).isEmpty();
                    taken.countDown();
                    QueueFixture.await(end);
                    last.run();
                    return true;
                }));
        QueueFixture.await(taken);
        return first;
    }

    private Map<String, Instant> takeHere(String key) {
        return store.inbox().takeIfFree(consumer, Set.of(key), QueueFixture.HOUR);
    }

    private Map<String, Instant> take(String key) {
        return database().transactions().call(() -> takeHere(key));
    }
}
