package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.TransientQueueException;
import io.acidq.store.DeadLetterStore.ActionResult;
import io.acidq.store.DeadLetterStore.Letter;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Replay and discard while another transaction has locked a letter. */
@EachServer
class ReplayRaceStoreIT extends StoreFixture {

    private static final String DELETE =
            "DELETE FROM acidq_dead WHERE queue = ? AND lane = 0 ORDER BY died_at, uid LIMIT 1";

    @Test
    void waitsForAnotherOperatorAndLoses() throws Exception {
        List<Letter> letters = twoDead();
        try (Connection other = database().dataSource().getConnection()) {
            other.setAutoCommit(false);
            QueueFixture.execute(other, DELETE, fixture.queueId);
            CompletableFuture<ActionResult> replay =
                    QueueFixture.runAsync(() -> dead.replayIfDead(QueueFixture.ANN, letters));
            fixture.awaitLockWait();
            other.commit();

            assertThat(QueueFixture.join(replay)).isEqualTo(new ActionResult(1, 1, 0, 0));
        }
    }

    @Test
    void winsWhenTheOtherRollsBack() throws Exception {
        List<Letter> letters = twoDead();
        try (Connection other = database().dataSource().getConnection()) {
            other.setAutoCommit(false);
            QueueFixture.execute(other, DELETE, fixture.queueId);
            CompletableFuture<ActionResult> discard =
                    QueueFixture.runAsync(() -> dead.discardIfDead(QueueFixture.ANN, letters));
            fixture.awaitLockWait();
            other.rollback();

            assertThat(QueueFixture.join(discard)).isEqualTo(new ActionResult(2, 0, 0, 0));
        }
    }

    @Test
    void givesUpAfterASecondAndHasChangedNothing() throws Exception {
        List<Letter> letters = twoDead();
        try (Connection other = database().dataSource().getConnection()) {
            other.setAutoCommit(false);
            QueueFixture.execute(other, DELETE, fixture.queueId);

            assertThatThrownBy(() -> dead.replayIfDead(QueueFixture.ANN, letters))
                    .isInstanceOf(TransientQueueException.class);
            other.rollback();
        }
        assertThat(fixture.count("acidq_dead")).isEqualTo(2);
        assertThat(fixture.count("acidq_message") + fixture.count("acidq_audit"))
                .isZero();
    }

    @Test
    void locksOnlyTheLettersAndDoesNotBlockOtherDeadLetters() throws Exception {
        List<Letter> letters = twoDead();
        fixture.enqueue(0, null, "dying");
        var dying = fixture.claimOne(0);
        database().own().runAndRelease("replayIfDead", t -> {
            new DeadLetterTransaction(t, QueueFixture.ANN, letters).replay();
            assertThat(claims.deadLetterIfClaimed(dying.claim(), "mark of a", List.of()))
                    .isTrue();
            return null;
        });
        assertThat(fixture.letters()).hasSize(1);
    }

    private List<Letter> twoDead() {
        fixture.deadLetter("a");
        fixture.deadLetter("b");
        return fixture.letters();
    }
}
