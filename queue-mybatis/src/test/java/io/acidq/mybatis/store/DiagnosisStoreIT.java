package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.admin.MessageTable;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.MessageRow;
import io.acidq.store.InspectionStore;
import io.acidq.store.InspectionStore.MessageLocation;
import io.acidq.store.Lane;
import io.acidq.store.NodeStore.NodeHeartbeats;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Where a message is, and which messages are before it. */
@EachStore
class DiagnosisStoreIT extends StoreFixture {

    @Test
    void findsAMessageInWhicheverTableItIs() {
        UUID uid = fixture.enqueue(3, "k", "a");
        assertThat(place(3, uid)).satisfies(p -> {
            assertThat(p.inTable()).isEqualTo(MessageTable.LANE);
            assertThat(p.orderingKey()).isEqualTo("k");
            assertThat(p.due()).isTrue();
            assertThat(p.owner()).isZero();
            assertThat(p.claimNo()).isZero();
        });
        ClaimedMessage claimed = fixture.claimOne(3);
        assertThat(place(3, uid)).satisfies(p -> {
            assertThat(p.owner()).isEqualTo(fixture.node);
            assertThat(p.claimNo()).isEqualTo(1);
            assertThat(p.id()).isEqualTo(claimed.claim().id());
        });
        claims.retryIfClaimed(claimed, QueueFixture.HOUR, List.of());
        assertThat(place(3, uid).due()).isFalse();
        fixture.passTwoHours();
        assertThat(place(3, uid).due()).isTrue();
        claims.deadLetterIfClaimed(fixture.claimOne(3).claim(), "broken", List.of());
        assertThat(place(3, uid)).satisfies(p -> {
            assertThat(p.inTable()).isEqualTo(MessageTable.DEAD);
            assertThat(p.error()).isEqualTo("broken");
            assertThat(p.attempts()).isEqualTo(2);
        });
    }

    @Test
    void findsWhatIsScheduledAndNothingThatIsNot() {
        MessageRow later = fixture.message(5, null, "later", new Due(QueueFixture.HOUR, null));
        fixture.enqueue(later);
        assertThat(place(5, later.uid())).satisfies(p -> {
            assertThat(p.inTable()).isEqualTo(MessageTable.SCHEDULED);
            assertThat(p.due()).isFalse();
            assertThat(p.isOrdered()).isFalse();
        });
        assertThat(why().findLocation(lane(5), UUID.randomUUID())).isEmpty();
        assertThat(why().findLocation(new Lane(fixture.queueId + 1, 5), later.uid()))
                .isEmpty();
    }

    @Test
    void findsTheDeadLetterAndNotTheMarkerThatHoldsItsPlace() {
        UUID uid = fixture.enqueue(0, "k", "a");
        fixture.execute("UPDATE acidq_message SET kind = 1 WHERE queue = ?", fixture.queueId);
        assertThat(why().findLocation(lane(0), uid)).isEmpty();
    }

    @Test
    void namesTheFirstThatStandsBeforeAMessageWithItsOrderingKey() {
        UUID first = fixture.enqueue(0, "k", "1");
        UUID second = fixture.enqueue(0, "k", "2");
        UUID other = fixture.enqueue(0, "K", "other");
        UUID third = fixture.enqueue(0, "k", "3");
        UUID plain = fixture.enqueue(0, null, "plain");
        assertThat(why().findBlocking(lane(0), place(0, third)).orElseThrow().uid())
                .isEqualTo(first);
        assertThat(why().findBlocking(lane(0), place(0, second)).orElseThrow().uid())
                .isEqualTo(first);
        assertThat(why().findBlocking(lane(0), place(0, first))).isEmpty();
        assertThat(why().findBlocking(lane(0), place(0, other))).isEmpty();
        assertThat(why().findBlocking(lane(0), place(0, plain))).isEmpty();
        fixture.execute("UPDATE acidq_message SET kind = 1 WHERE queue = ? ORDER BY id LIMIT 1", fixture.queueId);
        assertThat(why().findBlocking(lane(0), place(0, third)).orElseThrow().kind())
                .as("a marker holds the place")
                .isEqualTo(1);
    }

    @Test
    void countsWhatStandsBeforeAMessageWithinABound() {
        for (int i = 0; i < 4; i++) {
            fixture.enqueue(0, null, "before");
        }
        MessageLocation last = place(0, fixture.enqueue(0, null, "last"));
        assertThat(why().countBefore(lane(0), last.id(), 100)).isEqualTo(4);
        assertThat(why().countBefore(lane(0), last.id(), 3)).isEqualTo(3);
        fixture.claimOne(0);
        assertThat(why().countBefore(lane(0), last.id(), 100)).isEqualTo(3);
        assertThat(why().countBefore(lane(0), place(0, firstOf(0)).id(), 100)).isZero();
    }

    @Test
    void tellsWhetherALivingNodeServesTheQueue() {
        assertThat(why().isServed(fixture.queueId)).isTrue();
        assertThat(why().isServed(1_000_000 + fixture.queueId)).isFalse();
        assertThat(why().node(fixture.node).orElseThrow()).satisfies(n -> {
            assertThat(n.alive()).isTrue();
            assertThat(n.host()).isEqualTo("host");
        });
        nodes.declareDeadIfSilent(new NodeHeartbeats(fixture.node, 0));
        assertThat(why().isServed(fixture.queueId)).isFalse();
        assertThat(why().node(fixture.node).orElseThrow().alive()).isFalse();
        assertThat(why().node(Integer.MAX_VALUE)).isEmpty();
    }

    private UUID firstOf(int lane) {
        return fixture.claimOne(lane).uid();
    }

    private InspectionStore why() {
        return inspection;
    }

    private Lane lane(int lane) {
        return new Lane(fixture.queueId, lane);
    }

    private MessageLocation place(int lane, UUID uid) {
        return why().findLocation(lane(lane), uid).orElseThrow();
    }
}
