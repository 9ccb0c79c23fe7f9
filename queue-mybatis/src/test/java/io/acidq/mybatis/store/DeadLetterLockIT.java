package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.QueueMisuseException;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.store.DeadLetterStore;
import io.acidq.store.DeadLetterStore.BulkProgress;
import io.acidq.store.DeadLetterStore.Letter;
import io.acidq.store.DeadLetterStore.OperatorAction;
import io.acidq.store.Store;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** The locks of an open replay on MySQL, and the number of its statements. */
@TestInstance(Lifecycle.PER_CLASS)
class DeadLetterLockIT {

    private static final String LOCKS =
            "SELECT object_name, index_name, lock_mode, COUNT(*) FROM performance_schema.data_locks WHERE lock_type = 'RECORD'"
                    + " AND object_schema = DATABASE() GROUP BY object_name, index_name, lock_mode ORDER BY object_name, index_name";

    private StoreDatabase home;
    private QueueFixture fixture;

    @BeforeAll
    void open() {
        home = StoreKind.MYSQL.open();
        fixture = new QueueFixture(home);
        DeadLetterPlanIT.fill(fixture, 500);
    }

    @AfterAll
    void close() {
        home.close();
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
        HikariConfig config = home.another(2);
        config.setAutoCommit(false);
        try (HikariDataSource two = new HikariDataSource(config)) {
            Store store = MyBatisStore.over(two);
            store.nodes().livingNodes(); // uses one connection; from now on the other is kept
            Object id = QueueFixture.connectionId(two);
            DeadLetterStore dead = store.dead();
            List<Letter> letters =
                    fixture.store.dead().pick(fixture.queue, DeadLetterFilter.of(fixture.queue.name()), 201);
            BulkProgress begun = new BulkProgress(0, fixture.queueId, "f", 201, 0, 0, 0);
            BulkProgress bulkProgress =
                    begun.plus(dead.replayIfDead(new OperatorAction("ann", "test", begun), letters.subList(0, 1)));

            long before = fixture.statements(id);
            bulkProgress = bulkProgress.plus(
                    dead.replayIfDead(new OperatorAction("ann", "test", bulkProgress), letters.subList(1, 101)));
            assertThat(bulkProgress.changed()).isEqualTo(101);
            assertThat(fixture.statements(id) - before)
                    .as("lock, keys, counts, record, copy, delete, COMMIT")
                    .isEqualTo(7);

            before = fixture.statements(id);
            dead.discardIfDead(new OperatorAction("ann", "test", bulkProgress), letters.subList(101, 201));
            assertThat(fixture.statements(id) - before)
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
}
