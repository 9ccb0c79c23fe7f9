package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.Claim;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimStore.Claimed;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.MessageRow;
import io.acidq.store.Lane;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@EachStore
class ClaimDueStoreIT extends StoreFixture {

    @Test
    void claimsInOrderAndCountsClaimAndAttempt() {
        UUID a = fixture.enqueue(0, null, "a");
        fixture.enqueue(0, "k", "b");

        Claimed claimed = fixture.claim(0, 10);

        assertThat(QueueFixture.texts(claimed)).containsExactly("a", "b");
        ClaimedMessage first = claimed.messages().get(0);
        assertThat(first.uid()).isEqualTo(a);
        assertThat(first.attempts()).isEqualTo(1);
        assertThat(first.claim())
                .isEqualTo(new Claim(fixture.queueId, 0, first.claim().id(), a, fixture.node, 1));
        assertThat(claimed.leftover()).isFalse();
        assertThat(claimed.busy()).isFalse();
        assertThat(claimed.nextDue()).isNull();
        assertThat(fixture.rows(
                        "SELECT owner, claim_no, attempts, batch FROM acidq_message WHERE queue = ? ORDER BY id",
                        fixture.queueId))
                .allSatisfy(row -> assertThat(row).hasToString("[" + fixture.node + ", 1, 1, 1]"));
    }

    @Test
    void claimsWhatIsClaimedOnlyOnce() {
        fixture.enqueue(0, null, "a");

        assertThat(fixture.claim(0, 10).messages()).hasSize(1);
        Claimed again = fixture.claim(0, 10);
        assertThat(again.messages()).isEmpty();
        assertThat(again.leftover()).isFalse();
    }

    @Test
    void saysNothingOfAnEmptyLane() {
        assertThat(fixture.claim(0, 10)).isEqualTo(new Claimed(List.of(), false, null, false));
    }

    @Test
    void looksIntoNoOtherLaneOrQueue() {
        fixture.enqueue(1, null, "other lane");
        new QueueFixture(database()).enqueue(0, null, "other queue");

        assertThat(fixture.claim(0, 10).messages()).isEmpty();
    }

    @Test
    void claimsSeveralOfOneKeyAtOnce() {
        fixture.enqueueAll(0, "k", "1", "2", "3");

        assertThat(fixture.claimTexts(0, 2)).containsExactly("1", "2");
        assertThat(fixture.claim(0, 10).messages()).isEmpty();
    }

    @Test
    void keepsAKeyClosedWhileItsHeadIsClaimedAndLetsOthersPass() throws Exception {
        fixture.enqueue(fixture.message(0, "k", "k1"), fixture.message(0, "k", "k2"), fixture.message(0, "l", "l1"));
        ClaimedMessage head = fixture.claimOne(0);

        Claimed others = fixture.claim(0, 10);
        assertThat(QueueFixture.texts(others)).containsExactly("l1");
        assertThat(others.leftover()).isTrue();

        fixture.ack(head.claim());
        assertThat(fixture.claimTexts(0, 10)).containsExactly("k2");
    }

    @Test
    void keepsAKeyClosedWhileItsHeadWaitsForItsRetry() {
        fixture.enqueueAll(0, "k", "k1", "k2");
        fixture.enqueue(0, null, "free");
        claims.retryIfClaimed(fixture.claimOne(0), Duration.ofMinutes(9), List.of());

        Claimed others = fixture.claim(0, 10);
        assertThat(QueueFixture.texts(others)).containsExactly("free");
        assertThat(others.nextDue()).isBetween(Duration.ofMinutes(8), Duration.ofMinutes(9));

        fixture.passTwoHours();
        assertThat(fixture.claimTexts(0, 10)).containsExactly("k1", "k2");
    }

    @Test
    void keepsAKeyClosedBehindAHoldMarker() {
        fixture.enqueue(fixture.message(0, "k", "k1"), fixture.message(0, "k", "k2"), fixture.message(0, "l", "l1"));
        fixture.execute(
                "UPDATE acidq_message SET kind = 1 WHERE queue = ? AND uid IN (SELECT uid FROM (SELECT uid FROM acidq_message"
                        + " WHERE queue = ? ORDER BY id LIMIT 1) x)",
                fixture.queueId,
                fixture.queueId);

        assertThat(fixture.claimTexts(0, 10)).containsExactly("l1");
    }

    @Test
    void stopsAtTheLimitAndSaysThatMoreIsThere() {
        fixture.enqueueAll(0, null, "1", "2", "3");

        Claimed two = fixture.claim(0, 2);
        assertThat(QueueFixture.texts(two)).containsExactly("1", "2");
        assertThat(two.leftover()).isTrue();
    }

    @Test
    void leavesLargePayloadsBehindUntilTheyAreAskedFor() throws Exception {
        String large = "x".repeat(ClaimStore.INLINE_BYTES + 1);
        fixture.enqueue(0, null, "y".repeat(ClaimStore.INLINE_BYTES));
        fixture.enqueue(0, null, large);

        List<ClaimedMessage> messages = fixture.claim(0, 10).messages();
        assertThat(messages.get(0).payload()).hasSize(ClaimStore.INLINE_BYTES);
        assertThat(messages.get(1).payload()).isNull();
        assertThat(claims.content(messages.get(1).claim()).payload()).asString().isEqualTo(large);

        fixture.ack(messages.get(1).claim());
        assertThat(claims.content(messages.get(1).claim())).isNull();
    }

    @Test
    void claimsASuspectAloneAndOnlyWhenAsked() {
        fixture.enqueue(
                fixture.message(0, "k", "suspect"),
                fixture.message(0, "k", "follower"),
                fixture.message(0, null, "other"));
        fixture.execute(
                "UPDATE acidq_message SET crashes = 1 WHERE queue = ? AND size = ?",
                fixture.queueId,
                "suspect".length());

        assertThat(fixture.claimTexts(0, 10)).containsExactly("other");
        Claimed alone = fixture.claimSuspects(0, 10);
        assertThat(QueueFixture.texts(alone)).containsExactly("suspect");
        assertThat(alone.messages().get(0).isSuspect()).isTrue();
        assertThat(alone.leftover()).isTrue();
    }

    @Test
    void takesASuspectWithNothingElse() {
        fixture.enqueueAll(0, null, "first", "suspect", "last");
        fixture.execute(
                "UPDATE acidq_message SET crashes = 1 WHERE queue = ? AND size = ?",
                fixture.queueId,
                "suspect".length());

        assertThat(QueueFixture.texts(fixture.claimSuspects(0, 10))).containsExactly("first", "last");
        assertThat(QueueFixture.texts(fixture.claimSuspects(0, 10))).containsExactly("suspect");
    }

    @Test
    void findsWorkBehindAWindowFullOfOneClosedKey() {
        fixture.enqueue(0, "hot", "head");
        ClaimedMessage head = fixture.claimOne(0);
        fixture.enqueue(700, i -> fixture.message(0, "hot", "f" + i));
        fixture.enqueue(0, "cold", "found");

        assertThat(fixture.claimTexts(0, 10)).containsExactly("found");
        assertThat(claims.claimedBy(fixture.node)).extracting(h -> h.claim()).contains(head.claim());
    }

    @Test
    void findsWorkBehindAWindowFullOfWaitingMessages() {
        fixture.enqueue(300, i -> fixture.message(0, i % 2 == 0 ? "k" + i : null, "w"));
        claims.requeueIfClaimed(QueueFixture.claims(fixture.claim(0, 300)), QueueFixture.HOUR);
        UUID found = fixture.enqueue(0, null, "found");

        assertThat(fixture.claim(0, 1).messages())
                .extracting(ClaimedMessage::uid)
                .containsExactly(found);
    }

    @Test
    void raisesTheClaimNumberThroughEveryTable() throws Exception {
        fixture.enqueue(0, null, "a");
        ClaimedMessage first = fixture.claimOne(0);
        claims.retryIfClaimed(first, QueueFixture.HOUR, List.of());
        fixture.passTwoHours();
        maintenance.moveDue();
        ClaimedMessage second = fixture.claimOne(0);
        claims.deadLetterIfClaimed(second.claim(), "mark", List.of());
        dead.replayIfDead(QueueFixture.ANN, fixture.letters());
        ClaimedMessage third = fixture.claimOne(0);
        claims.requeueIfClaimed(List.of(third.claim()), Duration.ZERO);
        ClaimedMessage fourth = fixture.claimOne(0);

        assertThat(List.of(first, second, third, fourth))
                .extracting(m -> m.claim().claimNo())
                .containsExactly(1, 2, 3, 4);
        assertThat(List.of(first, second, third, fourth))
                .extracting(ClaimedMessage::attempts)
                .containsExactly(1, 2, 1, 1);
        assertThat(fixture.ack(first.claim()) || fixture.ack(second.claim()) || fixture.ack(third.claim()))
                .isFalse();
        assertThat(fixture.ack(fourth.claim())).isTrue();
    }

    @Test
    void listsTheLanesWithUnclaimedRows() {
        assertThat(claims.lanesWithWork(List.of(fixture.queueId))).isEmpty();
        fixture.enqueue(fixture.message(3, null, "a"), fixture.message(3, null, "b"), fixture.message(63, null, "c"));
        fixture.enqueueAll(7, null, "d");
        fixture.claimOne(3);
        fixture.claimOne(7);

        assertThat(claims.lanesWithWork(List.of(fixture.queueId)))
                .containsExactlyInAnyOrder(new Lane(fixture.queueId, 3), new Lane(fixture.queueId, 63));
    }

    @Test
    void listsEveryLaneAlsoOfManyRows() {
        int other = queues.openQueue("other-" + UUID.randomUUID()).id();
        fixture.enqueue(200, i -> fixture.message(i == 199 ? 63 : 3, null, "a"));
        fixture.enqueue(new MessageRow(other, 5, UUID.randomUUID(), null, null, "type", "", new byte[0], Due.NOW));

        assertThat(claims.lanesWithWork(List.of(fixture.queueId, other)))
                .containsExactlyInAnyOrder(
                        new Lane(fixture.queueId, 3), new Lane(fixture.queueId, 63), new Lane(other, 5));
        assertThat(claims.lanesWithWork(List.of(other))).containsExactly(new Lane(other, 5));
    }

    @ParameterizedTest
    @ValueSource(ints = {63, 64, 65})
    void listsTheLastLaneWhateverIsBeforeIt(int rows) {
        fixture.enqueue(rows, i -> fixture.message(i == rows - 1 ? 63 : 3, null, "a"));

        assertThat(claims.lanesWithWork(List.of(fixture.queueId)))
                .containsExactlyInAnyOrder(new Lane(fixture.queueId, 3), new Lane(fixture.queueId, 63));
    }
}
