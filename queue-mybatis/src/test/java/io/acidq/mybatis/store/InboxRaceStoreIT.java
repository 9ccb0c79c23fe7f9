package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.transaction.GuardedConnection;
import io.acidq.store.MaintenanceStore.Pruned;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
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

/** Concurrent transactions that take one key of the inbox, and the removal of old keys. */
@EachServer
class InboxRaceStoreIT extends StoreFixture {

    private final String consumer = "c-" + UUID.randomUUID();
    private final CountDownLatch taken = new CountDownLatch(1);

    @Test
    void waitsForAnUncommittedTakerAndIsADuplicateWhenItCommits() {
        CompletableFuture<Map<String, Instant>> first = hold(() -> takeHere("k"));
        CompletableFuture<Map<String, Instant>> second = QueueFixture.runAsync(() -> take("k"));
        fixture.awaitLockWait();
        end.countDown();

        QueueFixture.join(first);
        assertThat(QueueFixture.join(second)).containsOnlyKeys("k");
    }

    @Test
    void doesNotBlockNeighbouringKeysAtRepeatableRead() {
        take("d");
        CompletableFuture<Map<String, Instant>> first =
                hold(() -> store.inbox().takeIfFree(consumer, List.of("b", "d", "f"), QueueFixture.HOUR));

        List.of("a", "c", "e", "g").forEach(k -> assertThat(take(k)).as(k).isEmpty());
        end.countDown();
        assertThat(QueueFixture.join(first)).containsOnlyKeys("d");
    }

    @Test
    void takesTheKeyWhenTheUncommittedTakerRollsBack() {
        CompletableFuture<Map<String, Instant>> first = hold(() -> takeHere("k"), StoreFixture::fail);
        CompletableFuture<Map<String, Instant>> second = QueueFixture.runAsync(() -> take("k"));
        fixture.awaitLockWait();
        end.countDown();

        assertThatThrownBy(() -> QueueFixture.join(first)).hasMessageContaining("roll back");
        assertThat(QueueFixture.join(second)).isEmpty();
    }

    @Test
    void takesTheKeyWhenTheTakersPartIsUndoneWhileItsTransactionStaysOpen() {
        CountDownLatch commit = new CountDownLatch(1);
        CompletableFuture<Boolean> first = QueueFixture.runAsync(() -> transactions.call(() -> {
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
        fixture.awaitLockWait();
        end.countDown();

        assertThat(QueueFixture.join(second)).isEmpty();
        commit.countDown();
        QueueFixture.join(first);
    }

    @Test
    void takesTheKeyWhenTheTakersConnectionIsKilledBeforeItsCommit() {
        AtomicReference<Object> connection = new AtomicReference<>();
        CompletableFuture<Map<String, Instant>> first = hold(() -> {
            connection.set(QueueFixture.connectionId(transactions.connection()));
            return takeHere("k");
        });
        CompletableFuture<Map<String, Instant>> second = QueueFixture.runAsync(() -> take("k"));
        fixture.awaitLockWait();
        fixture.execute("KILL " + connection.get());

        assertThat(QueueFixture.join(second)).isEmpty();
        end.countDown();
        assertThatThrownBy(() -> QueueFixture.join(first)).isInstanceOf(TransientQueueException.class);
    }

    @Test
    void seesTheWinnerAlsoFromAnOlderSnapshot() throws Exception {
        transactions.run(() -> {
            Connection own = transactions.connection();
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

    /** A repeated HTTP request must be able to read what the first one has stored. */
    @Test
    void showsTheWinnersEffectsToACallerAtRepeatableReadThatWaitedForIt() {
        CompletableFuture<Map<String, Instant>> first =
                hold(() -> takeHere("k"), () -> enqueue.insert(List.of(fixture.message(0, null, "effect"))));
        CompletableFuture<List<List<Object>>> second = QueueFixture.runAsync(() -> transactions.call(() -> {
            assertThat(takeHere("k")).containsOnlyKeys("k");
            return QueueFixture.rows(
                    transactions.connection(), "SELECT COUNT(*) FROM acidq_message WHERE queue = ?", fixture.queueId);
        }));
        fixture.awaitLockWait();
        end.countDown();

        QueueFixture.join(first);
        assertThat(QueueFixture.join(second)).hasToString("[[1]]");
    }

    @Test
    void letsOneOfManyTakeAnExpiredKeyWithoutDeadlock() {
        take("k");
        fixture.execute(
                "UPDATE acidq_inbox SET kept_until = TIMESTAMPADD(HOUR, -2, kept_until) WHERE consumer = ?", consumer);

        List<CompletableFuture<Map<String, Instant>>> takers = IntStream.range(0, 8)
                .mapToObj(i -> QueueFixture.runAsync(() -> take("k")))
                .toList();
        List<Map<String, Instant>> answers =
                takers.stream().map(QueueFixture::join).toList();

        assertThat(answers.stream().filter(Map::isEmpty)).hasSize(1);
        assertThat(answers.stream().filter(a -> !a.isEmpty()).distinct()).hasSize(1);
    }

    @Test
    void letsManyTakeTheSameKeysInOppositeOrdersWithoutDeadlock() {
        List<String> keys = IntStream.range(0, 1200).mapToObj(i -> "key-" + i).toList();
        List<String> reversed =
                IntStream.range(0, 1200).mapToObj(i -> keys.get(1199 - i)).toList();

        List<CompletableFuture<Map<String, Instant>>> takers = IntStream.range(0, 6)
                .mapToObj(i -> QueueFixture.runAsync(() -> transactions.call(
                        () -> store.inbox().takeIfFree(consumer, i % 2 == 0 ? keys : reversed, QueueFixture.HOUR))))
                .toList();

        assertThat(takers.stream()
                        .mapToInt(t -> 1200 - QueueFixture.join(t).size())
                        .sum())
                .as("keys taken")
                .isEqualTo(1200);
    }

    /** After a deadlock or a manual COMMIT the database begins another transaction: the key is lost, or committed before the rest. */
    @Test
    void refusesAPartThatEndsInAnotherTransactionThanItBeganIn() {
        assertThatThrownBy(() -> transactions.run(() -> store.inbox().allOrNothing(() -> {
                    takeHere("k");
                    sqlBehindTheGuard("ROLLBACK");
                    return sql("DO 1");
                })))
                .isInstanceOf(TransientQueueException.class)
                .hasMessageContaining("in which the inbox's work began was lost");

        assertThat(take("k")).isEmpty();
    }

    @Test
    void refusesATransactionThatMayNotWriteAndSaysWhatToDo() {
        assertThatThrownBy(() -> transactions.run(() -> {
                    sqlBehindTheGuard("START TRANSACTION READ ONLY");
                    store.inbox().allOrNothing(() -> takeHere("k"));
                }))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("read-only", "setReadOnly(false)");
    }

    @Test
    void prunesDuringATakeoverAndDuringAnotherRemoval() {
        take("open");
        take("free");
        fixture.execute(
                "UPDATE acidq_inbox SET kept_until = TIMESTAMPADD(HOUR, -2, kept_until) WHERE consumer = ?", consumer);
        CompletableFuture<Map<String, Instant>> open = hold(() -> takeHere("open"));
        maintenance.pruneInbox(500);
        assertThat(fixture.number("SELECT COUNT(*) FROM acidq_inbox WHERE consumer = ? AND p_key = 'free'", consumer))
                .isZero();
        end.countDown();

        QueueFixture.join(open);
        maintenance.pruneInbox(500);
        assertThat(take("open")).containsOnlyKeys("open");
    }

    @Test
    void letsOthersTakeNeighbouringKeysWhileItPrunes() {
        IntStream.range(0, 20).forEach(i -> take("key-" + 2 * i));
        fixture.execute(
                "UPDATE acidq_inbox SET kept_until = TIMESTAMPADD(HOUR, -2, kept_until) WHERE consumer = ? AND p_key <> 'key-38'",
                consumer);
        StatementHook trap = new StatementHook(database().dataSource(), "DELETE FROM acidq_inbox", () -> {
            taken.countDown();
            QueueFixture.await(end);
        });
        CompletableFuture<Pruned> cleaner = QueueFixture.runAsync(
                () -> MyBatisStore.over(trap.dataSource()).maintenance().pruneInbox(500));
        QueueFixture.await(taken); // after it has locked its rows

        IntStream.range(0, 20)
                .forEach(i -> assertThat(take("key-" + (2 * i + 1))).isEmpty());
        assertThat(take("z")).isEmpty();
        assertThat(take("key-38")).containsOnlyKeys("key-38");
        assertThat(maintenance.pruneInbox(500).rows()).as("another cleaner").isZero();
        end.countDown();
        assertThat(QueueFixture.join(cleaner).rows()).isGreaterThanOrEqualTo(19);
    }

    private int sql(String text) {
        try {
            return QueueFixture.execute(transactions.connection(), text);
        } catch (SQLException e) {
            throw new AssertionError(text, e);
        }
    }

    private Map<String, Instant> takeHere(String key) {
        return store.inbox().takeIfFree(consumer, Set.of(key), QueueFixture.HOUR);
    }

    private Map<String, Instant> take(String key) {
        return transactions.call(() -> takeHere(key));
    }

    /** Runs a statement that ends the transaction, as code that unwraps the driver's connection can. */
    private void sqlBehindTheGuard(String sql) {
        try (Statement statement =
                GuardedConnection.target(transactions.connection()).createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
