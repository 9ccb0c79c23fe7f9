package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.Claim;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimStore.Claimed;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.DeadLetterStore.Deed;
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
        UUID a = scene.enqueue(0, null, "a");
        scene.enqueue(0, "k", "b");

        Claimed claimed = scene.claim(0, 10);

        assertThat(Scene.texts(claimed)).containsExactly("a", "b");
        ClaimedMessage first = claimed.messages().get(0);
        assertThat(first.uid()).isEqualTo(a);
        assertThat(first.attempts()).isEqualTo(1);
        assertThat(first.claim())
                .isEqualTo(new Claim(scene.queue.id(), 0, first.claim().id(), a, scene.node, 1));
        assertThat(claimed.leftover()).isFalse();
        assertThat(claimed.busy()).isFalse();
        assertThat(claimed.nextDue()).isNull();
        assertThat(scene.rows(
                        "SELECT owner, claim_no, attempts, batch FROM acidq_message WHERE queue = ? ORDER BY id",
                        scene.queue.id()))
                .allSatisfy(row -> assertThat(row).hasToString("[" + scene.node + ", 1, 1, 1]"));
    }

    @Test
    void claimsWhatIsClaimedOnlyOnce() {
        scene.enqueue(0, null, "a");

        assertThat(scene.claim(0, 10).messages()).hasSize(1);
        Claimed again = scene.claim(0, 10);
        assertThat(again.messages()).isEmpty();
        assertThat(again.leftover()).isFalse();
    }

    @Test
    void saysNothingOfAnEmptyLane() {
        assertThat(scene.claim(0, 10)).isEqualTo(new Claimed(List.of(), false, null, false));
    }

    @Test
    void looksIntoNoOtherLaneOrQueue() {
        scene.enqueue(1, null, "other lane");
        new Scene(home()).enqueue(0, null, "other queue");

        assertThat(scene.claim(0, 10).messages()).isEmpty();
    }

    @Test
    void claimsSeveralOfOneKeyAtOnce() {
        scene.enqueue(scene.message(0, "k", "1"), scene.message(0, "k", "2"), scene.message(0, "k", "3"));

        assertThat(Scene.texts(scene.claim(0, 2))).containsExactly("1", "2");
        assertThat(scene.claim(0, 10).messages()).isEmpty();
    }

    @Test
    void keepsAKeyClosedWhileItsHeadIsClaimedAndLetsOthersPass() throws Exception {
        scene.enqueue(scene.message(0, "k", "k1"), scene.message(0, "k", "k2"), scene.message(0, "l", "l1"));
        ClaimedMessage head = scene.claimOne(0);

        Claimed others = scene.claim(0, 10);
        assertThat(Scene.texts(others)).containsExactly("l1");
        assertThat(others.leftover()).isTrue();

        scene.ack(head.claim());
        assertThat(Scene.texts(scene.claim(0, 10))).containsExactly("k2");
    }

    @Test
    void keepsAKeyClosedWhileItsHeadWaitsForItsRetry() {
        scene.enqueue(scene.message(0, "k", "k1"), scene.message(0, "k", "k2"));
        scene.enqueue(0, null, "free");
        claims.retryIfClaimed(scene.claimOne(0), Duration.ofMinutes(9), List.of());

        Claimed others = scene.claim(0, 10);
        assertThat(Scene.texts(others)).containsExactly("free");
        assertThat(others.nextDue()).isBetween(Duration.ofMinutes(8), Duration.ofMinutes(9));

        scene.passTwoHours();
        assertThat(Scene.texts(scene.claim(0, 10))).containsExactly("k1", "k2");
    }

    @Test
    void keepsAKeyClosedBehindAHoldMarker() {
        scene.enqueue(scene.message(0, "k", "k1"), scene.message(0, "k", "k2"), scene.message(0, "l", "l1"));
        scene.execute(
                "UPDATE acidq_message SET kind = 1 WHERE queue = ? AND uid IN (SELECT uid FROM (SELECT uid FROM acidq_message"
                        + " WHERE queue = ? ORDER BY id LIMIT 1) x)",
                scene.queue.id(),
                scene.queue.id());

        assertThat(Scene.texts(scene.claim(0, 10))).containsExactly("l1");
    }

    @Test
    void stopsAtTheLimitAndSaysThatMoreIsThere() {
        scene.enqueue(scene.message(0, null, "1"), scene.message(0, null, "2"), scene.message(0, null, "3"));

        Claimed two = scene.claim(0, 2);
        assertThat(Scene.texts(two)).containsExactly("1", "2");
        assertThat(two.leftover()).isTrue();
    }

    @Test
    void leavesLargePayloadsBehindUntilTheyAreAskedFor() throws Exception {
        String large = "x".repeat(ClaimStore.INLINE_BYTES + 1);
        scene.enqueue(0, null, "y".repeat(ClaimStore.INLINE_BYTES));
        scene.enqueue(0, null, large);

        List<ClaimedMessage> messages = scene.claim(0, 10).messages();
        assertThat(messages.get(0).payload()).hasSize(ClaimStore.INLINE_BYTES);
        assertThat(messages.get(1).payload()).isNull();
        assertThat(claims.content(messages.get(1).claim()).payload()).asString().isEqualTo(large);

        scene.ack(messages.get(1).claim());
        assertThat(claims.content(messages.get(1).claim())).isNull();
    }

    @Test
    void claimsASuspectAloneAndOnlyWhenAsked() {
        scene.enqueue(
                scene.message(0, "k", "suspect"), scene.message(0, "k", "follower"), scene.message(0, null, "other"));
        scene.execute(
                "UPDATE acidq_message SET deaths = 1 WHERE queue = ? AND size = ?",
                scene.queue.id(),
                "suspect".length());

        assertThat(Scene.texts(scene.claim(0, 10))).containsExactly("other");
        Claimed alone = scene.claimSuspects(0, 10);
        assertThat(Scene.texts(alone)).containsExactly("suspect");
        assertThat(alone.messages().get(0).isSuspect()).isTrue();
        assertThat(alone.leftover()).isTrue();
    }

    @Test
    void takesASuspectWithNothingElse() {
        scene.enqueue(
                scene.message(0, null, "first"), scene.message(0, null, "suspect"), scene.message(0, null, "last"));
        scene.execute(
                "UPDATE acidq_message SET deaths = 1 WHERE queue = ? AND size = ?",
                scene.queue.id(),
                "suspect".length());

        assertThat(Scene.texts(scene.claimSuspects(0, 10))).containsExactly("first", "last");
        assertThat(Scene.texts(scene.claimSuspects(0, 10))).containsExactly("suspect");
    }

    @Test
    void findsWorkBehindAWindowFullOfOneClosedKey() {
        scene.enqueue(0, "hot", "head");
        ClaimedMessage head = scene.claimOne(0);
        scene.enqueue(IntStream.range(0, 700)
                .mapToObj(i -> scene.message(0, "hot", "f" + i))
                .toArray(io.acidq.store.MessageRow[]::new));
        scene.enqueue(0, "cold", "found");

        assertThat(Scene.texts(scene.claim(0, 10))).containsExactly("found");
        assertThat(claims.claimedBy(scene.node)).extracting(h -> h.claim()).contains(head.claim());
    }

    @Test
    void findsWorkBehindAWindowFullOfWaitingMessages() {
        scene.enqueue(IntStream.range(0, 300)
                .mapToObj(i -> scene.message(0, i % 2 == 0 ? "k" + i : null, "w"))
                .toArray(io.acidq.store.MessageRow[]::new));
        claims.giveBackIfClaimed(Scene.claims(scene.claim(0, 300)), Scene.HOUR);
        UUID found = scene.enqueue(0, null, "found");

        assertThat(scene.claim(0, 1).messages()).extracting(ClaimedMessage::uid).containsExactly(found);
    }

    @Test
    void raisesTheClaimNumberThroughEveryTable() throws Exception {
        scene.enqueue(0, null, "a");
        ClaimedMessage first = scene.claimOne(0);
        claims.retryIfClaimed(first, Scene.HOUR, List.of());
        scene.passTwoHours();
        store.maintenance().moveDue();
        ClaimedMessage second = scene.claimOne(0);
        claims.deadIfClaimed(second.claim(), "mark", List.of());
        store.dead().replayIfDead(new Deed("ann", "test", null), new Deaths(scene).letters());
        ClaimedMessage third = scene.claimOne(0);
        claims.giveBackIfClaimed(List.of(third.claim()), Duration.ZERO);
        ClaimedMessage fourth = scene.claimOne(0);

        assertThat(List.of(first, second, third, fourth))
                .extracting(m -> m.claim().claimNo())
                .containsExactly(1, 2, 3, 4);
        assertThat(List.of(first, second, third, fourth))
                .extracting(ClaimedMessage::attempts)
                .containsExactly(1, 2, 1, 1);
        assertThat(scene.ack(first.claim()) || scene.ack(second.claim()) || scene.ack(third.claim()))
                .isFalse();
        assertThat(scene.ack(fourth.claim())).isTrue();
    }

    @Test
    void listsTheLanesThatHoldRowsWhichNobodyHasClaimed() {
        assertThat(claims.lanesWithWork(List.of(scene.queue.id()))).isEmpty();
        scene.enqueue(scene.message(3, null, "a"), scene.message(3, null, "b"), scene.message(63, null, "c"));
        scene.enqueue(scene.message(7, null, "d"));
        scene.claimOne(3);
        scene.claimOne(7);

        assertThat(claims.lanesWithWork(List.of(scene.queue.id())))
                .containsExactlyInAnyOrder(new Lane(scene.queue.id(), 3), new Lane(scene.queue.id(), 63));
    }

    @Test
    void listsEveryLaneAlsoOfManyRows() {
        int other = scene.store.queues().openQueue("other-" + UUID.randomUUID()).id();
        scene.enqueue(IntStream.range(0, 200)
                .mapToObj(i -> scene.message(i == 199 ? 63 : 3, null, "a"))
                .toArray(MessageRow[]::new));
        scene.enqueue(new MessageRow(other, 5, UUID.randomUUID(), null, null, "type", "", new byte[0], Due.NOW));

        assertThat(claims.lanesWithWork(List.of(scene.queue.id(), other)))
                .containsExactlyInAnyOrder(
                        new Lane(scene.queue.id(), 3), new Lane(scene.queue.id(), 63), new Lane(other, 5));
        assertThat(claims.lanesWithWork(List.of(other))).containsExactly(new Lane(other, 5));
    }

    @ParameterizedTest
    @ValueSource(ints = {63, 64, 65})
    void listsTheLastLaneWhateverIsBeforeIt(int rows) {
        scene.enqueue(IntStream.range(0, rows)
                .mapToObj(i -> scene.message(i == rows - 1 ? 63 : 3, null, "a"))
                .toArray(MessageRow[]::new));

        assertThat(claims.lanesWithWork(List.of(scene.queue.id())))
                .containsExactlyInAnyOrder(new Lane(scene.queue.id(), 3), new Lane(scene.queue.id(), 63));
    }
}
