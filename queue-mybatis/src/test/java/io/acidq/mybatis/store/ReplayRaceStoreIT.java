package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.TransientQueueException;
import io.acidq.store.DeadLetterStore.ActionResult;
import io.acidq.store.DeadLetterStore.Letter;
import io.acidq.store.DeadLetterStore.OperatorAction;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Replay and discard while another transaction has its hand on a letter. */
@EachServer
class ReplayRaceStoreIT extends StoreFixture {

    private static final OperatorAction ANN = new OperatorAction("ann", "test", null);
    private static final String DELETE =
            "DELETE FROM acidq_dead WHERE queue = ? AND lane = 0 ORDER BY died_at, uid LIMIT 1";

    @Test
    void waitsForAnotherOperatorAndIsToldThatHeWon() throws Exception {
        List<Letter> letters = twoDead();
        try (Connection other = database().dataSource().getConnection()) {
            other.setAutoCommit(false);
            QueueFixture.execute(other, DELETE, queueFixture.queue.id());
            CompletableFuture<ActionResult> replay =
                    QueueFixture.runAsync(() -> store.dead().replayIfDead(ANN, letters));
            queueFixture.awaitLockWait();
            other.commit();

            assertThat(QueueFixture.join(replay)).isEqualTo(new ActionResult(1, 1, 0, 0));
        }
    }

    @Test
    void winsWhenTheOtherRollsBack() throws Exception {
        List<Letter> letters = twoDead();
        try (Connection other = database().dataSource().getConnection()) {
            other.setAutoCommit(false);
            QueueFixture.execute(other, DELETE, queueFixture.queue.id());
            CompletableFuture<ActionResult> discard =
                    QueueFixture.runAsync(() -> store.dead().discardIfDead(ANN, letters));
            queueFixture.awaitLockWait();
            other.rollback();

            assertThat(QueueFixture.join(discard)).isEqualTo(new ActionResult(2, 0, 0, 0));
        }
    }

    @Test
    void givesUpAfterASecondAndHasChangedNothing() throws Exception {
        List<Letter> letters = twoDead();
        try (Connection other = database().dataSource().getConnection()) {
            other.setAutoCommit(false);
            QueueFixture.execute(other, DELETE, queueFixture.queue.id());

            assertThatThrownBy(() -> store.dead().replayIfDead(ANN, letters))
                    .isInstanceOf(TransientQueueException.class);
            other.rollback();
        }
        assertThat(queueFixture.count("acidq_dead")).isEqualTo(2);
        assertThat(queueFixture.count("acidq_message") + queueFixture.count("acidq_audit"))
                .isZero();
    }

    @Test
    void locksNothingButTheLettersSoThatOthersDieMeanwhile() throws Exception {
        List<Letter> letters = twoDead();
        queueFixture.enqueue(0, null, "dying");
        var dying = queueFixture.claimOne(0);
        database().own().runAndRelease("replayIfDead", t -> {
            new DeadLetterTransaction(t, ANN, letters).replay();
            assertThat(claims.deadLetterIfClaimed(dying.claim(), "mark of a", List.of()))
                    .isTrue();
            return null;
        });
        assertThat(new DeadLetterFixture(queueFixture).deadLetters()).hasSize(1);
    }

    private List<Letter> twoDead() {
        DeadLetterFixture crashes = new DeadLetterFixture(queueFixture);
        crashes.deadLetter("a");
        crashes.deadLetter("b");
        return crashes.deadLetters();
    }
}
