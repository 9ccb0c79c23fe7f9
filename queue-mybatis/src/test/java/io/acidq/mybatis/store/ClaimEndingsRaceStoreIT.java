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

/** Endings of claims while an acknowledgement is executed and not committed. */
@EachServer
class ClaimEndingsRaceStoreIT extends StoreFixture {

    private final CountDownLatch acked = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);

    @Test
    void rescueSkipsRowsWithAnUncommittedAcknowledgement() {
        fixture.enqueueAll(0, null, "acked", "left");
        List<Claim> claimed = QueueFixture.claims(fixture.claim(0, 10));
        CompletableFuture<Boolean> ack = ackHalfway(claimed.get(0));
        fixture.declareDead(fixture.node);

        assertThat(rescueAll()).isEqualTo(1);
        end.countDown();

        assertThat(QueueFixture.join(ack)).isTrue();
        assertThat(QueueFixture.texts(fixture.claimAs(fixture.newNode(), 0, 10)))
                .containsExactly("left");
        assertThat(rescueAll()).isZero();
    }

    @Test
    void requeuesTheOthersWhenARowIsLocked() {
        fixture.enqueue(
                fixture.message(0, null, "acked"),
                fixture.message(0, null, "left"),
                fixture.message(1, null, "other lane"));
        List<Claim> claimed = QueueFixture.claims(fixture.claim(0, 10));
        Claim other = fixture.claimOne(1).claim();
        CompletableFuture<Boolean> ack = ackHalfway(claimed.get(0));

        assertThat(claims.requeueIfClaimed(List.of(other, claimed.get(0), claimed.get(1)), Duration.ZERO))
                .isEqualTo(2);
        end.countDown();
        assertThat(QueueFixture.join(ack)).isTrue();
    }

    @Test
    void claimsPastAHeadWhoseAcknowledgementIsNotYetCommittedButNotItsFollowers() {
        fixture.enqueue(
                fixture.message(0, "k", "head"), fixture.message(0, "k", "follower"), fixture.message(0, "l", "other"));
        Claim head = fixture.claimOne(0).claim();
        CompletableFuture<Boolean> ack = ackHalfway(head);

        assertThat(fixture.claimTexts(0, 10)).containsExactly("other");
        end.countDown();
        QueueFixture.join(ack);
        assertThat(fixture.claimTexts(0, 10)).containsExactly("follower");
    }

    @Test
    void letsOneRescueAtATimeDecideAboutADeadNode() throws Exception {
        fixture.enqueue(0, null, "a");
        fixture.claimOne(0);
        fixture.declareDead(fixture.node);
        try (Connection other = database().dataSource().getConnection()) {
            other.setAutoCommit(false);
            QueueFixture.rows(other, "SELECT id FROM acidq_node WHERE id = ? FOR UPDATE", fixture.node);

            assertThat(rescueAll()).isZero();
            other.rollback();
        }
        assertThat(rescueAll()).isEqualTo(1);
    }

    private int rescueAll() {
        return nodes.rescue(
                        fixture.node,
                        o -> o.claims().stream()
                                .map(c -> new RescueDecision(c.claim(), 0, null))
                                .toList())
                .size();
    }

    private CompletableFuture<Boolean> ackHalfway(Claim claim) {
        CompletableFuture<Boolean> ack = QueueFixture.runAsync(() -> transactions.inNew(() -> {
            boolean won = claims.ackIfClaimed(claim);
            acked.countDown();
            QueueFixture.await(end);
            return won;
        }));
        QueueFixture.await(acked);
        return ack;
    }
}
