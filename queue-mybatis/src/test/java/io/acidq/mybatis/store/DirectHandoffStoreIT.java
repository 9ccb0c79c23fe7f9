package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.Claim;
import io.acidq.store.ClaimStore.Content;
import io.acidq.store.ClaimStore.HeldClaim;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.EnqueueStore.MessageRow;
import io.acidq.store.Lane;
import io.acidq.store.NodeStore.Orphan;
import io.acidq.store.NodeStore.RescueDecision;
import io.acidq.store.QueueStore;
import io.acidq.store.QueueStore.QueueRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages that are claimed by their enqueue. */
@EachStore
class DirectHandoffStoreIT extends StoreFixture {

    @BeforeEach
    void openLanes() {
        queues.openLanes(List.of(fixture.queue));
    }

    private int lane() {
        return fixture.queue.lanes();
    }

    private Claim insertClaimed(String text) {
        return insertClaimed(fixture.message(lane(), null, text));
    }

    private Claim insertClaimed(MessageRow row) {
        return transactions.call(() -> enqueue.insertClaimed(row, fixture.node));
    }

    @Test
    void belongsToTheNodeFromTheCommitOn() throws Exception {
        Claim claim = insertClaimed("a");

        assertThat(claims.lanesWithWork(List.of(fixture.queueId))).isEmpty();
        assertThat(fixture.claim(lane(), 10).messages()).isEmpty();
        assertThat(claims.claimedBy(fixture.node)).containsExactly(new HeldClaim(claim, ClaimedMessage.DIRECT_BATCH));
        Content content = claims.content(claim);
        assertThat(content.payload()).asString().isEqualTo("a");
        assertThat(content.dueAt()).isEqualTo(content.enqueuedAt());
        assertThat(fixture.ack(claim)).isTrue();
        assertThat(fixture.ack(claim)).isFalse();
    }

    @Test
    void isNothingWhenTheEnqueueRollsBack() {
        AtomicReference<Claim> claim = new AtomicReference<>();
        try {
            transactions.run(() -> {
                claim.set(enqueue.insertClaimed(fixture.message(lane(), null, "a"), fixture.node));
                assertThat(claims.content(claim.get()).payload()).asString().isEqualTo("a");
                throw new IllegalStateException("roll back");
            });
        } catch (IllegalStateException expected) {
            assertThat(claims.content(claim.get())).isNull();
        }
        assertThat(claims.claimedBy(fixture.node)).isEmpty();
    }

    @Test
    void canBeRequeuedAndClaimedLikeAnyOther() {
        Claim claim = insertClaimed("a");

        assertThat(claims.requeueIfClaimed(List.of(claim), Duration.ZERO)).isEqualTo(1);

        assertThat(claims.content(claim)).isNull();
        assertThat(claims.lanesWithWork(List.of(fixture.queueId))).containsExactly(new Lane(fixture.queueId, lane()));
        ClaimedMessage again = fixture.claimOne(lane());
        assertThat(again.attempts()).isEqualTo(1);
        assertThat(again.claim().claimNo()).isEqualTo(2);
        assertThat(again.batch()).isGreaterThan(ClaimedMessage.DIRECT_BATCH);
    }

    @Test
    void isRescuedWhenItsNodeIsDead() {
        Claim claim = insertClaimed("a");
        fixture.declareDead(fixture.node);

        assertThat(nodes.endedOwners()).contains(fixture.node);
        List<Orphan> orphans = new ArrayList<>();
        nodes.rescue(fixture.node, o -> {
            assertThat(o.stopped()).isFalse();
            orphans.addAll(o.claims());
            return List.of(new RescueDecision(claim, 1, null));
        });
        assertThat(orphans)
                .extracting(Orphan::claim, Orphan::batch)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(claim, ClaimedMessage.DIRECT_BATCH));
        assertThat(fixture.claimSuspects(lane(), 1).messages()).hasSize(1);
    }

    @Test
    void isRescuedWhenItsNodeHasStopped() {
        Claim claim = insertClaimed("a");
        nodes.markStopped(fixture.node, QueueFixture.REGISTRATION);

        assertThat(nodes.endedOwners()).contains(fixture.node);
        nodes.rescue(fixture.node, o -> {
            assertThat(o.stopped()).isTrue();
            return List.of(new RescueDecision(claim, 0, null));
        });
        assertThat(fixture.claim(lane(), 1).messages()).hasSize(1);
    }

    @Test
    void holdsPayloadsOfEachSize() {
        for (int size : List.of(0, 2_047, 2_048, 100_000, 900_000)) {
            byte[] payload = new byte[size];
            IntStream.range(0, size).forEach(i -> payload[i] = (byte) (i * 31));
            MessageRow row = fixture.message(lane(), null, "");
            MessageRow large = new MessageRow(
                    row.queue(), row.lane(), row.uid(), "k'" + size, null, row.type(), "h'", payload, row.due());

            Claim claim = insertClaimed(large);

            assertThat(claims.content(claim).payload()).isEqualTo(payload);
        }
    }

    @Test
    void hasLanesOfItsOwnThatAreOpenedOnce() {
        QueueRow other = queues.openQueue("other-" + fixture.queue.name());

        queues.openLanes(List.of(fixture.queue, other));
        queues.openLanes(List.of(other));
        queues.openLanes(List.of());

        for (QueueRow queue : List.of(fixture.queue, other)) {
            assertThat(fixture.number(
                            "SELECT COUNT(*) FROM acidq_lane WHERE queue = ? AND lane >= ? AND claimed_to = ?",
                            queue.id(),
                            queue.lanes(),
                            Long.MAX_VALUE))
                    .isEqualTo(QueueStore.DIRECT_LANES);
        }
    }
}
