package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.QueueMisuseException;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.session.StoreTransaction;
import io.acidq.mybatis.store.HistoryMapper.NewSlot;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore.ClaimRequest;
import io.acidq.store.DeadLetterStore;
import io.acidq.store.DeadLetterStore.BulkProgress;
import io.acidq.store.DeadLetterStore.Letter;
import io.acidq.store.DeadLetterStore.OperatorAction;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.KeyClaim;
import io.acidq.store.EnqueueStore.KeyState;
import io.acidq.store.EnqueueStore.KeyWrite;
import io.acidq.store.EnqueueStore.MessageRow;
import io.acidq.store.EnqueueStore.Window;
import io.acidq.store.HistoryStore;
import io.acidq.store.Store;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** The locks of claims, keys, the inbox and dead letters on MySQL, and the number of their statements. */
@TestInstance(Lifecycle.PER_CLASS)
class LockIT {

    private static final String LOCKS =
            "SELECT object_name, index_name, lock_mode, COUNT(*) FROM performance_schema.data_locks WHERE lock_type = 'RECORD'"
                    + " AND object_schema = DATABASE() GROUP BY object_name, index_name, lock_mode ORDER BY object_name, index_name";

    private StoreDatabase home;
    private QueueFixture fixture;

    @BeforeAll
    void open() {
        home = StoreKind.MYSQL.open();
        fixture = new QueueFixture(home);
    }

    @AfterAll
    void close() {
        home.close();
    }

    @Test
    void locksOneRowPerClaimedMessageAndTheLane() {
        QueueFixture fresh = queueWith(30, "k");

        assertThat(locksOf(fresh, 10, false))
                .hasToString("[[acidq_lane, PRIMARY, X,REC_NOT_GAP, 1], [acidq_message, PRIMARY, X,REC_NOT_GAP, 10]]");
    }

    @Test
    void locksNoGapAtTheEndOfTheLaneWhenItClaimsAllThatIsThere() {
        QueueFixture fresh = queueWith(4, null);

        assertThat(locksOf(fresh, 100, false))
                .hasToString("[[acidq_lane, PRIMARY, X,REC_NOT_GAP, 1], [acidq_message, PRIMARY, X,REC_NOT_GAP, 4]]");
    }

    @Test
    void locksNoMoreWhenItLocksRowsFirst() {
        QueueFixture fresh = queueWith(30, null);

        assertThat(locksOf(fresh, 10, true))
                .hasToString("[[acidq_lane, PRIMARY, X,REC_NOT_GAP, 1], [acidq_message, PRIMARY, X,REC_NOT_GAP, 10]]");
    }

    @Test
    void locksOnlyTheLaneWhenThereIsNothing() {
        QueueFixture fresh = queueWith(0, null);

        assertThat(locksOf(fresh, 10, false)).hasToString("[[acidq_lane, PRIMARY, X,REC_NOT_GAP, 1]]");
    }

    @Test
    void locksOnlyTheRowsOfTheInboxThatItRemoves() {
        fixture.execute("DELETE FROM acidq_inbox");
        home.transactions().run(() -> {
            home.store().inbox().takeIfFree("c", List.of("a", "b", "c", "d"), QueueFixture.HOUR);
        });
        fixture.execute("UPDATE acidq_inbox SET kept_until = UTC_TIMESTAMP(6) WHERE p_key IN ('b', 'c')");

        List<List<Object>> locks = home.own().runAndRelease("pruneInbox", t -> {
            assertThat(t.mapper(MaintenanceMapper.class).lockExpiredInbox(500)).hasSize(2);
            return fixture.rows(LOCKS);
        });
        assertThat(locks)
                .hasToString(
                        "[[acidq_inbox, by_kept_until, X,REC_NOT_GAP, 2], [acidq_inbox, PRIMARY, X,REC_NOT_GAP, 2]]");
    }

    /** Two engines that add to the same slots lock them in the same order. */
    @Test
    void locksTheSlotsOfTheHistoryThatItAddsToAndNoGap() {
        Instant at = Instant.parse("2031-05-01T12:00:00Z");
        List<NewSlot> slots = List.of(slot(1, at), slot(60, at));
        home.own().runAndRelease("add", t -> addHistory(t, slots));

        List<List<Object>> locks = home.own().runAndRelease("add", t -> {
            addHistory(t, slots);
            return fixture.rows(LOCKS);
        });
        assertThat(locks).hasToString("[[acidq_history, PRIMARY, X,REC_NOT_GAP, 2]]");
    }

    private static int addHistory(StoreTransaction transaction, List<NewSlot> slots) {
        return transaction
                .mapper(HistoryMapper.class)
                .add(slots, MyBatisHistoryStore.COUNTS, MyBatisHistoryStore.GAUGES);
    }

    private NewSlot slot(int step, Instant at) {
        return new NewSlot(
                step,
                fixture.queueId,
                at,
                Collections.nCopies(HistoryStore.Count.ALL, 1L),
                Collections.nCopies(MyBatisHistoryStore.GAUGES.size(), 1L));
    }

    @Test
    void locksTheKeyAndTheScheduledRowThatItReplacesAndNoGapAtRepeatableRead() {
        fixture.execute("DELETE FROM acidq_scheduled");
        UUID holder = UUID.randomUUID();
        Due later = new Due(QueueFixture.HOUR, null);
        KeyClaim first =
                new KeyClaim(fixture.queueId, "replaced", holder, 0, later, new Window(QueueFixture.HOUR, true));
        home.transactions().run(() -> {
            KeyState taken = home.store().enqueue().lockKeys(List.of(first)).get(0);
            Due exact = new Due(null, taken.due());
            home.store().enqueue().insert(List.of(keyed(holder, exact)));
            KeyClaim held =
                    new KeyClaim(fixture.queueId, "replaced", holder, 0, exact, new Window(QueueFixture.HOUR, true));
            home.store().enqueue().writeKeys(List.of(new KeyWrite(held, taken.takenAt(), 0)));
        });

        home.transactions().run(() -> {
            KeyState found = home.store().enqueue().lockKeys(List.of(first)).get(0);
            Due next = new Due(null, found.now().plus(QueueFixture.HOUR));
            assertThat(home.store().enqueue().replaceIfScheduled(found, keyed(holder, next)))
                    .isTrue();
            assertThat(fixture.rows(LOCKS))
                    .hasToString(
                            "[[acidq_key, PRIMARY, X,REC_NOT_GAP, 1], [acidq_scheduled, PRIMARY, X,REC_NOT_GAP, 1]]");
        });
    }

    private MessageRow keyed(UUID uid, Due due) {
        return new MessageRow(fixture.queueId, 0, uid, "replaced", "replaced", "type", "", new byte[] {1}, due);
    }

    @Test
    void costsTwoStatementsPerEnqueueWithANewKeyAndOneWithATakenOneAfterAnotherBesideTheTransactions()
            throws Exception {
        assertThat(costsOfAKey("TRANSACTION_READ_COMMITTED"))
                .as(
                        "INSERT of the key if it is free, INSERT of the message; that and a look; a look; each with a COMMIT")
                .containsExactly(3L, 3L, 2L);
    }

    @Test
    void costsThreeStatementsPerEnqueueWithANewKeyAtRepeatableRead() throws Exception {
        assertThat(costsOfAKey("TRANSACTION_REPEATABLE_READ"))
                .as("look, INSERT of the key, INSERT of the message; a look; a look; each with a COMMIT")
                .containsExactly(4L, 2L, 2L);
    }

    /** The statements of an enqueue and of two duplicates. */
    private List<Long> costsOfAKey(String isolation) throws SQLException {
        HikariConfig config = settings(1);
        config.setTransactionIsolation(isolation);
        List<Long> costs = new ArrayList<>();
        try (HikariDataSource one = new HikariDataSource(config)) {
            Object id = QueueFixture.connectionId(one);
            JdbcTransactions transactions = new JdbcTransactions(one);
            Store store = MyBatisStore.over(one, transactions);
            for (String key : List.of("first", "costly", "costly", "costly")) {
                KeyClaim claim = new KeyClaim(
                        fixture.queueId,
                        key + isolation,
                        UUID.randomUUID(),
                        0,
                        Due.NOW,
                        new Window(Duration.ofHours(1), true));
                long before = fixture.statements(id);
                transactions.run(() -> {
                    if (store.enqueue().takeKey(claim).isEmpty()) {
                        store.enqueue().insert(List.of(fixture.message(0, null, "m")));
                    }
                });
                costs.add(fixture.statements(id) - before);
            }
        }
        return costs.subList(1, costs.size()); // the first key queries the isolation level
    }

    @Test
    void costsFiveStatementsPerClaim() throws Exception {
        QueueFixture fresh = queueWith(4, null);
        try (HikariDataSource two = new HikariDataSource(settings(2))) {
            Store store = MyBatisStore.over(two, new JdbcTransactions(two));
            store.nodes().livingNodes(); // uses one connection; from now on the other is kept
            Object id = QueueFixture.connectionId(two);
            store.claims().claimDue(fresh.request(0, 1)); // borrows and prepares the connection

            long before = fresh.statements(id);
            store.claims().claimDue(fresh.request(0, 1));
            assertThat(fresh.statements(id) - before)
                    .as("lane, head, two updates, COMMIT")
                    .isEqualTo(5);
        }
    }

    @Test
    void costsThreeStatementsPerAcknowledgement() throws Exception {
        QueueFixture fresh = queueWith(4, null);
        Claim claim = fresh.claimOne(0).claim();
        try (HikariDataSource one = new HikariDataSource(settings(1))) {
            Object id = QueueFixture.connectionId(one);
            JdbcTransactions transactions = new JdbcTransactions(one);
            Store store = MyBatisStore.over(one, transactions);

            long before = fresh.statements(id);
            assertThat(transactions.inNew(() -> store.claims().ackIfClaimed(claim)))
                    .isTrue();
            assertThat(fresh.statements(id) - before)
                    .as("isolation, DELETE, COMMIT")
                    .isEqualTo(3);
        }
    }

    @Test
    void costsFourStatementsPerWorkThatIsDoneOnceBesideTheTransactions() throws Exception {
        try (HikariDataSource one = new HikariDataSource(settings(1))) {
            Object id = QueueFixture.connectionId(one);
            JdbcTransactions transactions = new JdbcTransactions(one);
            Store store = MyBatisStore.over(one, transactions);
            for (String key : List.of("first", "second", "second")) {
                long before = fixture.statements(id);
                transactions.run(() -> store.inbox()
                        .allOrNothing(() -> store.inbox().takeIfFree("cost", List.of(key), QueueFixture.HOUR)));
                assertThat(fixture.statements(id) - before)
                        .as("savepoint, INSERT, look, release, COMMIT")
                        .isEqualTo(5);
            }
        }
    }

    @Test
    void locksTheLettersThatItReplaysAndNothingElse() {
        QueueFixture fresh = new QueueFixture(home);
        List<Letter> letters = threeDead(fresh);
        OperatorAction operatorAction =
                new OperatorAction("ann", "test", new BulkProgress(0, fresh.queue.id(), "f", 2, 0, 0, 0));

        List<List<Object>> locks = home.own().runAndRelease("replayIfDead", t -> {
            new DeadLetterTransaction(t, operatorAction, letters.subList(0, 2)).replay();
            List<List<Object>> held = fresh.rows(LOCKS);
            t.setRollbackOnly();
            return held;
        });

        assertThat(locks).hasToString("[[acidq_dead, PRIMARY, X,REC_NOT_GAP, 2]]");
    }

    @Test
    void locksTheLettersThatItDiscardsAndNothingElse() {
        QueueFixture fresh = new QueueFixture(home);
        List<Letter> letters = threeDead(fresh);

        List<List<Object>> locks = home.own().runAndRelease("discardIfDead", t -> {
            new DeadLetterTransaction(t, QueueFixture.ANN, letters.subList(0, 2)).discard();
            List<List<Object>> held = fresh.rows(LOCKS);
            t.setRollbackOnly();
            return held;
        });

        assertThat(locks).hasToString("[[acidq_dead, PRIMARY, X,REC_NOT_GAP, 2]]");
    }

    @Test
    void costsAsManyStatementsForAHundredLettersAsForOne() throws Exception {
        QueueFixture fresh = new QueueFixture(home);
        DeadLetterPlanIT.fill(fresh, 500);
        try (HikariDataSource two = new HikariDataSource(settings(2))) {
            Store store = MyBatisStore.over(two);
            store.nodes().livingNodes(); // uses one connection; from now on the other is kept
            Object id = QueueFixture.connectionId(two);
            DeadLetterStore dead = store.dead();
            List<Letter> letters = fresh.store.dead().pick(fresh.queue, DeadLetterFilter.of(fresh.queue.name()), 201);
            BulkProgress begun = new BulkProgress(0, fresh.queueId, "f", 201, 0, 0, 0);
            BulkProgress bulkProgress =
                    begun.plus(dead.replayIfDead(new OperatorAction("ann", "test", begun), letters.subList(0, 1)));

            long before = fresh.statements(id);
            bulkProgress = bulkProgress.plus(
                    dead.replayIfDead(new OperatorAction("ann", "test", bulkProgress), letters.subList(1, 101)));
            assertThat(bulkProgress.changed()).isEqualTo(101);
            assertThat(fresh.statements(id) - before)
                    .as("lock, keys, counts, record, copy, delete, COMMIT")
                    .isEqualTo(7);

            before = fresh.statements(id);
            dead.discardIfDead(new OperatorAction("ann", "test", bulkProgress), letters.subList(101, 201));
            assertThat(fresh.statements(id) - before)
                    .as("lock, counts, record, delete, COMMIT")
                    .isEqualTo(5);
        }
    }

    /** The caller was told to run it again, though that could not succeed. */
    @Test
    void refusesToDiscardWhenATriggerHasRemovedALetterMeanwhile() {
        QueueFixture fresh = new QueueFixture(home);
        List<Letter> letters = threeDead(fresh);
        fresh.execute("CREATE TRIGGER removing AFTER INSERT ON acidq_audit FOR EACH ROW BEGIN IF NEW.uid IS NULL THEN"
                + " DELETE FROM acidq_dead WHERE queue = NEW.queue AND p_key = 'k'; END IF; END");
        try {
            assertThatThrownBy(() -> fresh.store
                            .dead()
                            .discardIfDead(
                                    new OperatorAction(
                                            "ann", "test", new BulkProgress(0, fresh.queueId, "f", 3, 0, 0, 0)),
                                    letters))
                    .isInstanceOf(QueueMisuseException.class)
                    .hasMessageContainingAll("only 2 of 3 locked dead letters were deleted", "trigger");
        } finally {
            fresh.execute("DROP TRIGGER removing");
        }
        assertThat(fresh.letters()).hasSize(3);
    }

    private static List<Letter> threeDead(QueueFixture fresh) {
        fresh.deadLetter("a", "k", "o", "m");
        fresh.deadLetter("b", "l", "o", "m");
        fresh.deadLetter("c", null, null, "m");
        return fresh.letters();
    }

    private HikariConfig settings(int poolSize) {
        HikariConfig config = home.another(poolSize);
        config.setAutoCommit(false);
        return config;
    }

    private QueueFixture queueWith(int messages, String key) {
        QueueFixture fresh = new QueueFixture(home);
        if (messages > 0) {
            fresh.enqueue(messages, i -> fresh.message(0, key == null ? null : key + i % 3, "m"));
        }
        return fresh;
    }

    private List<List<Object>> locksOf(QueueFixture fresh, int limit, boolean wary) {
        ClaimRequest request = fresh.request(0, limit);
        return home.own().runAndRelease("claimDue", t -> {
            new LaneClaim(t, request, wary).claim();
            return fresh.rows(LOCKS);
        });
    }
}
