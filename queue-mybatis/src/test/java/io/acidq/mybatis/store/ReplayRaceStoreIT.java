package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.TransientQueueException;
import io.acidq.store.DeadLetterStore.Acted;
import io.acidq.store.DeadLetterStore.Deed;
import io.acidq.store.DeadLetterStore.Letter;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Replay and discard while another transaction has its hand on a letter. */
@EachServer
class ReplayRaceStoreIT extends StoreFixture {

    private static final Deed ANN = new Deed("ann", "test", null);
    private static final String DELETE =
            "DELETE FROM acidq_dead WHERE queue = ? AND lane = 0 ORDER BY died_at, uid LIMIT 1";

    @Test
    void waitsForAnotherOperatorAndIsToldThatHeWon() throws Exception {
        List<Letter> letters = twoDead();
        try (Connection other = home().dataSource().getConnection()) {
            other.setAutoCommit(false);
            Scene.execute(other, DELETE, scene.queue.id());
            CompletableFuture<Acted> replay = Scene.aside(() -> store.dead().replayIfDead(ANN, letters));
            scene.awaitLockWait();
            other.commit();

            assertThat(Scene.join(replay)).isEqualTo(new Acted(1, 1, 0, 0));
        }
    }

    @Test
    void winsWhenTheOtherRollsBack() throws Exception {
        List<Letter> letters = twoDead();
        try (Connection other = home().dataSource().getConnection()) {
            other.setAutoCommit(false);
            Scene.execute(other, DELETE, scene.queue.id());
            CompletableFuture<Acted> discard = Scene.aside(() -> store.dead().discardIfDead(ANN, letters));
            scene.awaitLockWait();
            other.rollback();

            assertThat(Scene.join(discard)).isEqualTo(new Acted(2, 0, 0, 0));
        }
    }

    @Test
    void givesUpAfterASecondAndHasChangedNothing() throws Exception {
        List<Letter> letters = twoDead();
        try (Connection other = home().dataSource().getConnection()) {
            other.setAutoCommit(false);
            Scene.execute(other, DELETE, scene.queue.id());

            assertThatThrownBy(() -> store.dead().replayIfDead(ANN, letters))
                    .isInstanceOf(TransientQueueException.class);
            other.rollback();
        }
        assertThat(scene.count("acidq_dead")).isEqualTo(2);
        assertThat(scene.count("acidq_message") + scene.count("acidq_audit")).isZero();
    }

    @Test
    void locksNothingButTheLettersSoThatOthersDieMeanwhile() throws Exception {
        List<Letter> letters = twoDead();
        scene.enqueue(0, null, "dying");
        var dying = scene.claimOne(0);
        home().own().once("replayIfDead", t -> {
            new DeadLetterTransaction(t, ANN, letters).replay();
            assertThat(claims.deadIfClaimed(dying.claim(), "mark of a", List.of()))
                    .isTrue();
            return null;
        });
        assertThat(new Deaths(scene).letters()).hasSize(1);
    }

    private List<Letter> twoDead() {
        Deaths deaths = new Deaths(scene);
        deaths.die("a");
        deaths.die("b");
        return deaths.letters();
    }
}
