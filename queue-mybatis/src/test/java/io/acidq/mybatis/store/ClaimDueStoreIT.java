package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.Claim;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimStore.Claimed;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.DeadLetterStore.OperatorAction;
import io.acidq.store.Due;
import io.acidq.store.Lane;
import io.acidq.store.MessageRow;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@EachStore
class ClaimDueStoreIT extends StoreFixture {

    @Test
    void claimsInOrderAndCountsClaimAndAttempt() {
        UUID a = queueFixture.enqueue(0, null, "a");
        queueFixture.enqueue(0, "k", "b");

        Claimed claimed = queueFixture.claim(0, 10);

        assertThat(QueueFixture.texts(claimed)).containsExactly("a", "b");
        ClaimedMessage first = claimed.messages().get(0);
        assertThat(first.uid()).isEqualTo(a);
        assertThat(first.attempts()).isEqualTo(1);
        assertThat(first.claim())
                .isEqualTo(new Claim(queueFixture.queue.id(), 0, first.claim().id(), a, queueFixture.node, 1));
        assertThat(claimed.leftover()).isFalse();
        assertThat(claimed.busy()).isFalse();
        assertThat(claimed.nextDue()).isNull();
        assertThat(queueFixture.rows(
                        "SELECT owner, claim_no, attempts, batch FROM acidq_message WHERE queue = ? ORDER BY id",
                        queueFixture.queue.id()))
                .allSatisfy(row -> assertThat(row).hasToString("[" + queueFixture.node + ", 1, 1, 1]"));
    }

    @Test
    void claimsWhatIsClaimedOnlyOnce() {
        queueFixture.enqueue(0, null, "a");

        assertThat(queueFixture.claim(0, 10).messages()).hasSize(1);
        Claimed again = queueFixture.claim(0, 10);
        assertThat(again.messages()).isEmpty();
        assertThat(again.leftover()).isFalse();
    }

    @Test
    void saysNothingOfAnEmptyLane() {
        assertThat(queueFixture.claim(0, 10)).isEqualTo(new Claimed(List.of(), false, null, false));
    }

    @Test
    void looksIntoNoOtherLaneOrQueue() {
        queueFixture.enqueue(1, null, "other lane");
        new QueueFixture(database()).enqueue(0, null, "other queue");

        assertThat(queueFixture.claim(0, 10).messages()).isEmpty();
    }

    @Test
    void claimsSeveralOfOneKeyAtOnce() {
        queueFixture.enqueue(
                queueFixture.message(0, "k", "1"),
                queueFixture.message(0, "k", "2"),
                queueFixture.message(0, "k", "3"));

        assertThat(QueueFixture.texts(queueFixture.claim(0, 2))).containsExactly("1", "2");
        assertThat(queueFixture.claim(0, 10).messages()).isEmpty();
    }

    @Test
    void keepsAKeyClosedWhileItsHeadIsClaimedAndLetsOthersPass() throws Exception {
        queueFixture.enqueue(
                queueFixture.message(0, "k", "k1"),
                queueFixture.message(0, "k", "k2"),
                queueFixture.message(0, "l", "l1"));
        ClaimedMessage head = queueFixture.claimOne(0);

        Claimed others = queueFixture.claim(0, 10);
        assertThat(QueueFixture.texts(others)).containsExactly("l1");
        assertThat(others.leftover()).isTrue();

        queueFixture.ack(head.claim());
        assertThat(QueueFixture.texts(queueFixture.claim(0, 10))).containsExactly("k2");
    }

    @Test
    void keepsAKeyClosedWhileItsHeadWaitsForItsRetry() {
        queueFixture.enqueue(queueFixture.message(0, "k", "k1"), queueFixture.message(0, "k", "k2"));
        queueFixture.enqueue(0, null, "free");
        claims.retryIfClaimed(queueFixture.claimOne(0), Duration.ofMinutes(9), List.of());

        Claimed others = queueFixture.claim(0, 10);
        assertThat(QueueFixture.texts(others)).containsExactly("free");
        assertThat(others.nextDue()).isBetween(Duration.ofMinutes(8), Duration.ofMinutes(9));

        queueFixture.passTwoHours();
        assertThat(QueueFixture.texts(queueFixture.claim(0, 10))).containsExactly("k1", "k2");
    }

    @Test
    void keepsAKeyClosedBehindAHoldMarker() {
        queueFixture.enqueue(
                queueFixture.message(0, "k", "k1"),
                queueFixture.message(0, "k", "k2"),
                queueFixture.message(0, "l", "l1"));
        queueFixture.execute(
                "UPDATE acidq_message SET kind = 1 WHERE queue = ? AND uid IN (SELECT uid FROM (SELECT uid FROM acidq_message"
                        + " WHERE queue = ? ORDER BY id LIMIT 1) x)",
                queueFixture.queue.id(),
                queueFixture.queue.id());

        assertThat(QueueFixture.texts(queueFixture.claim(0, 10))).containsExactly("l1");
    }

    @Test
    void stopsAtTheLimitAndSaysThatMoreIsThere() {
        queueFixture.enqueue(
                queueFixture.message(0, null, "1"),
                queueFixture.message(0, null, "2"),
                queueFixture.message(0, null, "3"));

        Claimed two = queueFixture.claim(0, 2);
        assertThat(QueueFixture.texts(two)).containsExactly("1", "2");
        assertThat(two.leftover()).isTrue();
    }

    @Test
    void leavesLargePayloadsBehindUntilTheyAreAskedFor() throws Exception {
        String large = "x".repeat(ClaimStore.INLINE_BYTES + 1);
        queueFixture.enqueue(0, null, "y".repeat(ClaimStore.INLINE_BYTES));
        queueFixture.enqueue(0, null, large);

        List<ClaimedMessage> messages = queueFixture.claim(0, 10).messages();
        assertThat(messages.get(0).payload()).hasSize(ClaimStore.INLINE_BYTES);
        assertThat(messages.get(1).payload()).isNull();
        assertThat(claims.content(messages.get(1).claim()).payload()).asString().isEqualTo(large);

        queueFixture.ack(messages.get(1).claim());
        assertThat(claims.content(messages.get(1).claim())).isNull();
    }

    @Test
    void claimsASuspectAloneAndOnlyWhenAsked() {
        queueFixture.enqueue(
                queueFixture.message(0, "k", "suspect"),
                queueFixture.message(0, "k", "follower"),
                queueFixture.message(0, null, "other"));
        queueFixture.execute(
                "UPDATE acidq_message SET crashes = 1 WHERE queue = ? AND size = ?",
                queueFixture.queue.id(),
                "suspect".length());

        assertThat(QueueFixture.texts(queueFixture.claim(0, 10))).containsExactly("other");
        Claimed alone = queueFixture.claimSuspects(0, 10);
        assertThat(QueueFixture.texts(alone)).containsExactly("suspect");
        assertThat(alone.messages().get(0).isSuspect()).isTrue();
        assertThat(alone.leftover()).isTrue();
    }

    @Test
    void takesASuspectWithNothingElse() {
        queueFixture.enqueue(
                queueFixture.message(0, null, "first"),
                queueFixture.message(0, null, "suspect"),
                queueFixture.message(0, null, "last"));
        queueFixture.execute(
                "UPDATE acidq_message SET crashes = 1 WHERE queue = ? AND size = ?",
                queueFixture.queue.id(),
                "suspect".length());

        assertThat(QueueFixture.texts(queueFixture.claimSuspects(0, 10))).containsExactly("first", "last");
        assertThat(QueueFixture.texts(queueFixture.claimSuspects(0, 10))).containsExactly("suspect");
    }

    @Test
    void findsWorkBehindAWindowFullOfOneClosedKey() {
        queueFixture.enqueue(0, "hot", "head");
        ClaimedMessage head = queueFixture.claimOne(0);
        queueFixture.enqueue(IntStream.range(0, 700)
                .mapToObj(i -> queueFixture.message(0, "hot", "f" + i))
                .toArray(io.acidq.store.MessageRow[]::new));
        queueFixture.enqueue(0, "cold", "found");

        assertThat(QueueFixture.texts(queueFixture.claim(0, 10))).containsExactly("found");
        assertThat(claims.claimedBy(queueFixture.node))
                .extracting(h -> h.claim())
                .contains(head.claim());
    }

    @Test
    void findsWorkBehindAWindowFullOfWaitingMessages() {
        queueFixture.enqueue(IntStream.range(0, 300)
                .mapToObj(i -> queueFixture.message(0, i % 2 == 0 ? "k" + i : null, "w"))
                .toArray(io.acidq.store.MessageRow[]::new));
        claims.requeueIfClaimed(QueueFixture.claims(queueFixture.claim(0, 300)), QueueFixture.HOUR);
        UUID found = queueFixture.enqueue(0, null, "found");

        assertThat(queueFixture.claim(0, 1).messages())
                .extracting(ClaimedMessage::uid)
                .containsExactly(found);
    }

    @Test
    void raisesTheClaimNumberThroughEveryTable() throws Exception {
        queueFixture.enqueue(0, null, "a");
        ClaimedMessage first = queueFixture.claimOne(0);
        claims.retryIfClaimed(first, QueueFixture.HOUR, List.of());
        queueFixture.passTwoHours();
        store.maintenance().moveDue();
        ClaimedMessage second = queueFixture.claimOne(0);
        claims.deadLetterIfClaimed(second.claim(), "mark", List.of());
        store.dead()
                .replayIfDead(
                        new OperatorAction("ann", "test", null), new DeadLetterFixture(queueFixture).deadLetters());
        ClaimedMessage third = queueFixture.claimOne(0);
        claims.requeueIfClaimed(List.of(third.claim()), Duration.ZERO);
        ClaimedMessage fourth = queueFixture.claimOne(0);

        assertThat(List.of(first, second, third, fourth))
                .extracting(m -> m.claim().claimNo())
                .containsExactly(1, 2, 3, 4);
        assertThat(List.of(first, second, third, fourth))
                .extracting(ClaimedMessage::attempts)
                .containsExactly(1, 2, 1, 1);
        assertThat(queueFixture.ack(first.claim())
                        || queueFixture.ack(second.claim())
                        || queueFixture.ack(third.claim()))
                .isFalse();
        assertThat(queueFixture.ack(fourth.claim())).isTrue();
    }

    @Test
    void listsTheLanesThatHoldRowsWhichNobodyHasClaimed() {
        assertThat(claims.lanesWithWork(List.of(queueFixture.queue.id()))).isEmpty();
        queueFixture.enqueue(
                queueFixture.message(3, null, "a"),
                queueFixture.message(3, null, "b"),
                queueFixture.message(63, null, "c"));
        queueFixture.enqueue(queueFixture.message(7, null, "d"));
        queueFixture.claimOne(3);
        queueFixture.claimOne(7);

        assertThat(claims.lanesWithWork(List.of(queueFixture.queue.id())))
                .containsExactlyInAnyOrder(new Lane(queueFixture.queue.id(), 3), new Lane(queueFixture.queue.id(), 63));
    }

    @Test
    void listsEveryLaneAlsoOfManyRows() {
        int other = queueFixture
                .store
                .queues()
                .openQueue("other-" + UUID.randomUUID())
                .id();
        queueFixture.enqueue(IntStream.range(0, 200)
                .mapToObj(i -> queueFixture.message(i == 199 ? 63 : 3, null, "a"))
                .toArray(MessageRow[]::new));
        queueFixture.enqueue(new MessageRow(other, 5, UUID.randomUUID(), null, null, "type", "", new byte[0], Due.NOW));

        assertThat(claims.lanesWithWork(List.of(queueFixture.queue.id(), other)))
                .containsExactlyInAnyOrder(
                        new Lane(queueFixture.queue.id(), 3),
                        new Lane(queueFixture.queue.id(), 63),
                        new Lane(other, 5));
        assertThat(claims.lanesWithWork(List.of(other))).containsExactly(new Lane(other, 5));
    }

    @ParameterizedTest
    @ValueSource(ints = {63, 64, 65})
    void listsTheLastLaneWhateverIsBeforeIt(int rows) {
        queueFixture.enqueue(IntStream.range(0, rows)
                .mapToObj(i -> queueFixture.message(i == rows - 1 ? 63 : 3, null, "a"))
                .toArray(MessageRow[]::new));

        assertThat(claims.lanesWithWork(List.of(queueFixture.queue.id())))
                .containsExactlyInAnyOrder(new Lane(queueFixture.queue.id(), 3), new Lane(queueFixture.queue.id(), 63));
    }
}
