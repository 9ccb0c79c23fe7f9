package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.ClaimedMessage;
import io.acidq.store.Due;
import io.acidq.store.InspectionStore;
import io.acidq.store.InspectionStore.MessageLocation;
import io.acidq.store.InspectionStore.Table;
import io.acidq.store.Lane;
import io.acidq.store.MessageRow;
import io.acidq.store.NodeStore.NodeHeartbeats;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Where a message is, and what stands before it. */
@EachStore
class DiagnosisStoreIT extends StoreFixture {

    @Test
    void findsAMessageInWhicheverTableItIs() {
        UUID uid = queueFixture.enqueue(3, "k", "a");
        assertThat(place(3, uid)).satisfies(p -> {
            assertThat(p.place()).isEqualTo(Table.LANE);
            assertThat(p.orderKey()).isEqualTo("k");
            assertThat(p.due()).isTrue();
            assertThat(p.owner()).isZero();
            assertThat(p.claimNo()).isZero();
        });
        ClaimedMessage claimed = queueFixture.claimOne(3);
        assertThat(place(3, uid)).satisfies(p -> {
            assertThat(p.owner()).isEqualTo(queueFixture.node);
            assertThat(p.claimNo()).isEqualTo(1);
            assertThat(p.id()).isEqualTo(claimed.claim().id());
        });
        claims.retryIfClaimed(claimed, QueueFixture.HOUR, List.of());
        assertThat(place(3, uid).due()).isFalse();
        queueFixture.passTwoHours();
        assertThat(place(3, uid).due()).isTrue();
        claims.deadLetterIfClaimed(queueFixture.claimOne(3).claim(), "broken", List.of());
        assertThat(place(3, uid)).satisfies(p -> {
            assertThat(p.place()).isEqualTo(Table.DEAD);
            assertThat(p.cause()).isEqualTo("broken");
            assertThat(p.attempts()).isEqualTo(2);
        });
    }

    @Test
    void findsWhatIsScheduledAndNothingThatIsNot() {
        MessageRow later = queueFixture.message(5, null, "later", new Due(QueueFixture.HOUR, null));
        queueFixture.enqueue(later);
        assertThat(place(5, later.uid())).satisfies(p -> {
            assertThat(p.place()).isEqualTo(Table.SCHEDULED);
            assertThat(p.due()).isFalse();
            assertThat(p.isOrdered()).isFalse();
        });
        assertThat(why().findLocation(lane(5), UUID.randomUUID())).isEmpty();
        assertThat(why().findLocation(new Lane(queueFixture.queue.id() + 1, 5), later.uid()))
                .isEmpty();
    }

    @Test
    void findsTheDeadLetterAndNotTheMarkerThatHoldsItsPlace() {
        UUID uid = queueFixture.enqueue(0, "k", "a");
        queueFixture.execute("UPDATE acidq_message SET kind = 1 WHERE queue = ?", queueFixture.queue.id());
        assertThat(why().findLocation(lane(0), uid)).isEmpty();
    }

    @Test
    void namesTheFirstThatStandsBeforeAMessageWithItsOrderingKey() {
        UUID first = queueFixture.enqueue(0, "k", "1");
        UUID second = queueFixture.enqueue(0, "k", "2");
        UUID other = queueFixture.enqueue(0, "K", "other");
        UUID third = queueFixture.enqueue(0, "k", "3");
        UUID plain = queueFixture.enqueue(0, null, "plain");
        assertThat(why().findBlocking(lane(0), place(0, third)).orElseThrow().uid())
                .isEqualTo(first);
        assertThat(why().findBlocking(lane(0), place(0, second)).orElseThrow().uid())
                .isEqualTo(first);
        assertThat(why().findBlocking(lane(0), place(0, first))).isEmpty();
        assertThat(why().findBlocking(lane(0), place(0, other))).isEmpty();
        assertThat(why().findBlocking(lane(0), place(0, plain))).isEmpty();
        queueFixture.execute(
                "UPDATE acidq_message SET kind = 1 WHERE queue = ? ORDER BY id LIMIT 1", queueFixture.queue.id());
        assertThat(why().findBlocking(lane(0), place(0, third)).orElseThrow().kind())
                .as("a marker holds the place")
                .isEqualTo(1);
    }

    @Test
    void countsWhatStandsBeforeAMessageWithinABound() {
        for (int i = 0; i < 4; i++) {
            queueFixture.enqueue(0, null, "before");
        }
        MessageLocation last = place(0, queueFixture.enqueue(0, null, "last"));
        assertThat(why().countBefore(lane(0), last.id(), 100)).isEqualTo(4);
        assertThat(why().countBefore(lane(0), last.id(), 3)).isEqualTo(3);
        queueFixture.claimOne(0);
        assertThat(why().countBefore(lane(0), last.id(), 100)).isEqualTo(3);
        assertThat(why().countBefore(lane(0), place(0, firstOf(0)).id(), 100)).isZero();
    }

    @Test
    void tellsWhetherALivingNodeServesTheQueue() {
        assertThat(why().isServed(queueFixture.queue.id())).isTrue();
        assertThat(why().isServed(1_000_000 + queueFixture.queue.id())).isFalse();
        assertThat(why().node(queueFixture.node).orElseThrow()).satisfies(n -> {
            assertThat(n.alive()).isTrue();
            assertThat(n.host()).isEqualTo("host");
        });
        nodes.declareDeadIfSilent(new NodeHeartbeats(queueFixture.node, 0));
        assertThat(why().isServed(queueFixture.queue.id())).isFalse();
        assertThat(why().node(queueFixture.node).orElseThrow().alive()).isFalse();
        assertThat(why().node(Integer.MAX_VALUE)).isEmpty();
    }

    private UUID firstOf(int lane) {
        return queueFixture.claimOne(lane).uid();
    }

    private InspectionStore why() {
        return store.inspection();
    }

    private Lane lane(int lane) {
        return new Lane(queueFixture.queue.id(), lane);
    }

    private MessageLocation place(int lane, UUID uid) {
        return why().findLocation(lane(lane), uid).orElseThrow();
    }
}
