package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.Claim;
import io.acidq.store.NodeStore.Verdict;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Ends of claims while an acknowledgement has been executed and not yet committed. */
@EachServer
class EndRaceStoreIT extends StoreFixture {

    private final CountDownLatch acked = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);

    @Test
    void rescueLeavesRowsAloneWhoseAcknowledgementMayYetCommit() {
        scene.enqueue(scene.message(0, null, "acked"), scene.message(0, null, "left"));
        List<Claim> claimed = Scene.claims(scene.claim(0, 10));
        CompletableFuture<Boolean> ack = ackHalfway(claimed.get(0));
        scene.bury(scene.node);

        assertThat(rescueAll()).isEqualTo(1);
        end.countDown();

        assertThat(Scene.join(ack)).isTrue();
        assertThat(Scene.texts(scene.claimAs(scene.newNode(), 0, 10))).containsExactly("left");
        assertThat(rescueAll()).isZero();
    }

    @Test
    void givesTheOthersBackWhenARowIsLocked() {
        scene.enqueue(
                scene.message(0, null, "acked"), scene.message(0, null, "left"), scene.message(1, null, "other lane"));
        List<Claim> claimed = Scene.claims(scene.claim(0, 10));
        Claim other = scene.claimOne(1).claim();
        CompletableFuture<Boolean> ack = ackHalfway(claimed.get(0));

        assertThat(claims.giveBackIfClaimed(List.of(other, claimed.get(0), claimed.get(1)), Duration.ZERO))
                .isEqualTo(2);
        end.countDown();
        assertThat(Scene.join(ack)).isTrue();
    }

    @Test
    void claimsPastAHeadWhoseAcknowledgementIsNotYetCommittedButNotItsFollowers() {
        scene.enqueue(scene.message(0, "k", "head"), scene.message(0, "k", "follower"), scene.message(0, "l", "other"));
        Claim head = scene.claimOne(0).claim();
        CompletableFuture<Boolean> ack = ackHalfway(head);

        assertThat(Scene.texts(scene.claim(0, 10))).containsExactly("other");
        end.countDown();
        Scene.join(ack);
        assertThat(Scene.texts(scene.claim(0, 10))).containsExactly("follower");
    }

    @Test
    void letsOneRescuerAtATimeJudgeADeadNode() throws Exception {
        scene.enqueue(0, null, "a");
        scene.claimOne(0);
        scene.bury(scene.node);
        try (Connection other = home().dataSource().getConnection()) {
            other.setAutoCommit(false);
            Scene.rows(other, "SELECT id FROM acidq_node WHERE id = ? FOR UPDATE", scene.node);

            assertThat(rescueAll()).isZero();
            other.rollback();
        }
        assertThat(rescueAll()).isEqualTo(1);
    }

    private int rescueAll() {
        return nodes.rescue(
                        scene.node,
                        o -> o.claims().stream()
                                .map(c -> new Verdict(c.claim(), 0, null))
                                .toList())
                .size();
    }

    private CompletableFuture<Boolean> ackHalfway(Claim claim) {
        CompletableFuture<Boolean> ack = Scene.aside(() -> home().transactions().inNew(() -> {
            boolean won = claims.ackIfClaimed(claim);
            acked.countDown();
            Scene.await(end);
            return won;
        }));
        Scene.await(acked);
        return ack;
    }
}
