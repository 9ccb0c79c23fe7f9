package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.Claim;
import io.acidq.store.NodeStore.RescueDecision;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Ends of claims while an acknowledgement has been executed and not yet committed. */
@EachServer
class ClaimEndingsRaceStoreIT extends StoreFixture {

    private final CountDownLatch acked = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);

    @Test
    void rescueLeavesRowsAloneWhoseAcknowledgementMayYetCommit() {
        queueFixture.enqueue(queueFixture.message(0, null, "acked"), queueFixture.message(0, null, "left"));
        List<Claim> claimed = QueueFixture.claims(queueFixture.claim(0, 10));
        CompletableFuture<Boolean> ack = ackHalfway(claimed.get(0));
        queueFixture.declareDead(queueFixture.node);

        assertThat(rescueAll()).isEqualTo(1);
        end.countDown();

        assertThat(QueueFixture.join(ack)).isTrue();
        assertThat(QueueFixture.texts(queueFixture.claimAs(queueFixture.newNode(), 0, 10)))
                .containsExactly("left");
        assertThat(rescueAll()).isZero();
    }

    @Test
    void givesTheOthersBackWhenARowIsLocked() {
        queueFixture.enqueue(
                queueFixture.message(0, null, "acked"),
                queueFixture.message(0, null, "left"),
                queueFixture.message(1, null, "other lane"));
        List<Claim> claimed = QueueFixture.claims(queueFixture.claim(0, 10));
        Claim other = queueFixture.claimOne(1).claim();
        CompletableFuture<Boolean> ack = ackHalfway(claimed.get(0));

        assertThat(claims.requeueIfClaimed(List.of(other, claimed.get(0), claimed.get(1)), Duration.ZERO))
                .isEqualTo(2);
        end.countDown();
        assertThat(QueueFixture.join(ack)).isTrue();
    }

    @Test
    void claimsPastAHeadWhoseAcknowledgementIsNotYetCommittedButNotItsFollowers() {
        queueFixture.enqueue(
                queueFixture.message(0, "k", "head"),
                queueFixture.message(0, "k", "follower"),
                queueFixture.message(0, "l", "other"));
        Claim head = queueFixture.claimOne(0).claim();
        CompletableFuture<Boolean> ack = ackHalfway(head);

        assertThat(QueueFixture.texts(queueFixture.claim(0, 10))).containsExactly("other");
        end.countDown();
        QueueFixture.join(ack);
        assertThat(QueueFixture.texts(queueFixture.claim(0, 10))).containsExactly("follower");
    }

    @Test
    void letsOneRescuerAtATimeJudgeADeadNode() throws Exception {
        queueFixture.enqueue(0, null, "a");
        queueFixture.claimOne(0);
        queueFixture.declareDead(queueFixture.node);
        try (Connection other = database().dataSource().getConnection()) {
            other.setAutoCommit(false);
            QueueFixture.rows(other, "SELECT id FROM acidq_node WHERE id = ? FOR UPDATE", queueFixture.node);

            assertThat(rescueAll()).isZero();
            other.rollback();
        }
        assertThat(rescueAll()).isEqualTo(1);
    }

    private int rescueAll() {
        return nodes.rescue(
                        queueFixture.node,
                        o -> o.claims().stream()
                                .map(c -> new RescueDecision(c.claim(), 0, null))
                                .toList())
                .size();
    }

    private CompletableFuture<Boolean> ackHalfway(Claim claim) {
        CompletableFuture<Boolean> ack =
                QueueFixture.runAsync(() -> database().transactions().inNew(() -> {
                    boolean won = claims.ackIfClaimed(claim);
                    acked.countDown();
                    QueueFixture.await(end);
                    return won;
                }));
        QueueFixture.await(acked);
        return ack;
    }
}
