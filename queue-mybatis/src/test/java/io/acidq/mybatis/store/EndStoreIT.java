package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import io.acidq.admin.DeadLetter;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore.HeldClaim;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.DeadLetterStore.Deed;
import io.acidq.store.Due;
import io.acidq.store.Lane;
import io.acidq.store.NodeStore.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** How claims end. */
@EachStore
class EndStoreIT extends StoreFixture {

    private static Claim with(Claim claim, int owner, int claimNo) {
        return new Claim(claim.queue(), claim.lane(), claim.id(), claim.uid(), owner, claimNo);
    }

    @Nested
    class AckIfClaimed {

        @Test
        void deletesTheMessageWithTheHandlersEffects() throws Exception {
            scene.enqueue(0, null, "a");
            ClaimedMessage message = scene.claimOne(0);

            assertThat(home().transactions().inNew(() -> {
                        enqueue.insert(List.of(scene.message(1, null, "effect")));
                        return claims.ackIfClaimed(message.claim());
                    }))
                    .isTrue();

            assertThat(claims.lanesWithWork(List.of(scene.queue.id()))).containsExactly(new Lane(scene.queue.id(), 1));
        }

        @Test
        void leavesTheMessageClaimedWhenTheHandlersTransactionRollsBack() {
            scene.enqueue(0, null, "a");
            ClaimedMessage message = scene.claimOne(0);

            assertThatThrownBy(() -> home().transactions().inNew(() -> {
                        assertThat(claims.ackIfClaimed(message.claim())).isTrue();
                        throw new IllegalStateException("roll back");
                    }))
                    .isInstanceOf(IllegalStateException.class);

            assertThat(claims.claimedBy(scene.node)).containsExactly(new HeldClaim(message.claim(), message.batch()));
        }

        @Test
        void isRefusedToAnyOtherOwnerOrClaimNumber() throws Exception {
            scene.enqueue(0, null, "a");
            Claim claim = scene.claimOne(0).claim();

            assertThat(scene.ack(with(claim, scene.node + 1, 1))).isFalse();
            assertThat(scene.ack(with(claim, scene.node, 2))).isFalse();
            assertThat(scene.ack(with(claim, 0, 1))).isFalse();
            assertThat(scene.ack(claim)).isTrue();
            assertThat(scene.ack(claim)).isFalse();
        }

        /** A promoted replica that had lost the message gave its place out again, and the end of the one deleted the other. */
        @Test
        void isRefusedToAnotherMessageThatLiesInTheSamePlaceUnderTheSameClaimNumber() throws Exception {
            scene.enqueue(0, null, "lost");
            Claim lost = scene.claimOne(0).claim();
            UUID other = UUID.randomUUID();
            scene.execute("UPDATE acidq_message SET uid = ? WHERE id = ?", Scene.bytes(other), lost.id());

            assertThat(scene.ack(lost)).isFalse();
            assertThat(claims.giveBackIfClaimed(List.of(lost), Duration.ZERO)).isZero();
            assertThat(claims.claimedBy(scene.node))
                    .extracting(held -> held.claim().uid())
                    .containsExactly(other);
        }

        @Test
        void isRefusedAfterARescueAlsoWhileNobodyHasClaimedItAnew() throws Exception {
            scene.enqueue(0, null, "a");
            Claim claim = scene.claimOne(0).claim();
            scene.bury(scene.node);
            nodes.rescue(scene.node, o -> List.of(new Verdict(claim, 0, null)));

            assertThat(scene.ack(claim)).isFalse();
            Claim anew = scene.claimAs(scene.newNode(), 0, 1).messages().get(0).claim();
            assertThat(anew.claimNo()).isEqualTo(2);
            assertThat(scene.ack(claim)).isFalse();
            assertThat(scene.ack(anew)).isTrue();
        }

        @Test
        void needsATransaction() {
            scene.enqueue(0, null, "a");
            Claim claim = scene.claimOne(0).claim();

            assertThatThrownBy(() -> claims.ackIfClaimed(claim)).isInstanceOf(QueueMisuseException.class);
        }
    }

    @Nested
    class AckAllIfClaimed {

        @Test
        void deletesMessagesOfSeveralLanes() throws Exception {
            List<Claim> all = claimed(3);

            assertThat(ackAll(all)).isEqualTo(6);

            assertThat(claims.claimedBy(scene.node)).isEmpty();
            assertThat(claims.lanesWithWork(List.of(scene.queue.id()))).isEmpty();
        }

        @Test
        void deletesNothingUnderAnotherOwnerClaimNumberUidOrLane() throws Exception {
            List<Claim> all = claimed(3);
            Claim mine = all.get(1);
            List<Claim> others = List.of(
                    with(mine, scene.node + 1, 1),
                    with(mine, scene.node, 2),
                    with(mine, 0, 1),
                    new Claim(mine.queue(), mine.lane() + 1, mine.id(), mine.uid(), mine.owner(), mine.claimNo()),
                    new Claim(mine.queue(), mine.lane(), mine.id(), UUID.randomUUID(), mine.owner(), mine.claimNo()));
            for (Claim other : others) {
                assertThat(ackAll(List.of(other))).isZero();
            }
            List<Claim> oneLost = new ArrayList<>(all);
            oneLost.set(1, others.get(1));

            assertThat(ackAll(oneLost)).isEqualTo(5);

            assertThat(claims.claimedBy(scene.node))
                    .extracting(HeldClaim::claim)
                    .containsExactly(mine);
        }

        @Test
        void countsNoneForNoClaimAndNeedsATransaction() throws Exception {
            assertThat(ackAll(List.of())).isZero();
            assertThatThrownBy(() -> claims.ackAllIfClaimed(claimed(1))).isInstanceOf(QueueMisuseException.class);
        }

        private int ackAll(List<Claim> claims) throws Exception {
            return home().transactions().inNew(() -> scene.store.claims().ackAllIfClaimed(claims));
        }

        /** So many in each of two lanes. */
        private List<Claim> claimed(int each) {
            List<Claim> all = new ArrayList<>();
            for (int lane = 0; lane < 2; lane++) {
                for (int i = 0; i < each; i++) {
                    scene.enqueue(lane, null, lane + "-" + i);
                }
                all.addAll(Scene.claims(scene.claim(lane, each)));
            }
            return all;
        }
    }

    @Nested
    class RetryIfClaimed {

        @Test
        void keepsTheHeadOfAKeyInItsPlaceAndGivesItsFollowersBack() {
            scene.enqueue(scene.message(0, "k", "head"), scene.message(0, "k", "f1"), scene.message(0, "k", "f2"));
            List<ClaimedMessage> all = scene.claim(0, 10).messages();

            assertThat(claims.retryIfClaimed(
                            all.get(0),
                            Scene.HOUR,
                            List.of(all.get(1).claim(), all.get(2).claim())))
                    .isTrue();

            assertThat(scene.rows(
                            "SELECT owner, attempts, claim_no FROM acidq_message WHERE queue = ? ORDER BY id",
                            scene.queue.id()))
                    .hasToString("[[0, 1, 1], [0, 0, 1], [0, 0, 1]]");
            assertThat(scene.claim(0, 10).messages()).isEmpty();
            scene.passTwoHours();
            assertThat(Scene.texts(scene.claim(0, 10))).containsExactly("head", "f1", "f2");
        }

        @Test
        void movesAMessageWithoutKeyAmongTheScheduled() {
            scene.enqueue(0, null, "a");
            ClaimedMessage message = scene.claimOne(0);

            assertThat(claims.retryIfClaimed(message, Scene.HOUR, List.of())).isTrue();

            assertThat(scene.count("acidq_message")).isZero();
            assertThat(scene.rows(
                            "SELECT attempts, claim_no, deaths FROM acidq_scheduled WHERE queue = ?", scene.queue.id()))
                    .hasToString("[[1, 1, 0]]");
            scene.passTwoHours();
            store.maintenance().moveDue();
            ClaimedMessage again = scene.claimOne(0);
            assertThat(again.uid()).isEqualTo(message.uid());
            assertThat(again.attempts()).isEqualTo(2);
            assertThat(again.enqueuedAt()).isEqualTo(message.enqueuedAt());
        }

        @Test
        void staysInItsPlaceWhenThereIsNoDelay() {
            scene.enqueue(scene.message(0, null, "a"), scene.message(0, null, "b"));
            ClaimedMessage first = scene.claimOne(0);

            assertThat(claims.retryIfClaimed(first, Duration.ZERO, List.of())).isTrue();
            assertThat(Scene.texts(scene.claim(0, 10))).containsExactly("a", "b");
        }

        @Test
        void changesNothingWhenTheClaimWasLost() {
            scene.enqueue(
                    scene.message(0, "k", "head"), scene.message(0, "k", "follower"), scene.message(0, null, "free"));
            List<ClaimedMessage> all = scene.claim(0, 10).messages();
            claims.giveBackIfClaimed(List.of(all.get(0).claim(), all.get(2).claim()), Duration.ZERO);

            assertThat(claims.retryIfClaimed(
                            all.get(0), Scene.HOUR, List.of(all.get(1).claim())))
                    .isFalse();
            assertThat(claims.retryIfClaimed(all.get(2), Scene.HOUR, List.of())).isFalse();

            assertThat(claims.claimedBy(scene.node))
                    .extracting(HeldClaim::claim)
                    .containsExactly(all.get(1).claim());
            assertThat(scene.count("acidq_scheduled")).isZero();
        }
    }

    @Nested
    class SnoozeIfClaimed {

        @Test
        void givesTheAttemptBackAndKeepsThePlaceOfAnOrderingKey() {
            scene.enqueue(scene.message(0, "k", "head"), scene.message(0, "k", "follower"));
            List<ClaimedMessage> both = scene.claim(0, 10).messages();

            assertThat(claims.snoozeIfClaimed(
                            both.get(0), Scene.HOUR, List.of(both.get(1).claim())))
                    .isTrue();

            assertThat(scene.rows(
                            "SELECT owner, attempts, claim_no FROM acidq_message WHERE queue = ? ORDER BY id",
                            scene.queue.id()))
                    .hasToString("[[0, 0, 1], [0, 0, 1]]");
            assertThat(scene.claim(0, 10).messages()).isEmpty();
            scene.passTwoHours();
            assertThat(Scene.texts(scene.claim(0, 10))).containsExactly("head", "follower");
        }

        @Test
        void movesAMessageWithoutKeyAmongTheScheduledWithItsAttemptBack() {
            scene.enqueue(0, null, "a");
            ClaimedMessage message = scene.claimOne(0);

            assertThat(claims.snoozeIfClaimed(message, Scene.HOUR, List.of())).isTrue();

            assertThat(scene.rows("SELECT attempts, claim_no FROM acidq_scheduled WHERE queue = ?", scene.queue.id()))
                    .hasToString("[[0, 1]]");
            scene.passTwoHours();
            store.maintenance().moveDue();
            ClaimedMessage again = scene.claimOne(0);
            assertThat(again.attempts()).isEqualTo(1);
            assertThat(again.claim().claimNo()).isEqualTo(2);
        }

        @Test
        void changesNothingWhenTheClaimWasLost() {
            scene.enqueue(0, null, "a");
            ClaimedMessage message = scene.claimOne(0);
            claims.giveBackIfClaimed(List.of(message.claim()), Duration.ZERO);

            assertThat(claims.snoozeIfClaimed(message, Scene.HOUR, List.of())).isFalse();
            assertThat(scene.count("acidq_scheduled")).isZero();
        }
    }

    @Nested
    class CancelIfClaimed {

        @Test
        void deletesTheMessageAndLeavesNothingBehind() {
            scene.enqueue(0, "k", "a");
            Claim claim = scene.claimOne(0).claim();

            assertThat(claims.cancelIfClaimed(with(claim, scene.node, 2))).isFalse();
            assertThat(scene.count("acidq_message")).isEqualTo(1);
            assertThat(claims.cancelIfClaimed(claim)).isTrue();
            assertThat(claims.cancelIfClaimed(claim)).isFalse();
            assertThat(scene.count("acidq_message")).isZero();
            assertThat(scene.count("acidq_dead")).isZero();
        }
    }

    @Nested
    class Age {

        @Test
        void countsFromTheFirstDueTimeWhateverHappensLater() {
            scene.enqueue(scene.message(0, null, "delayed", new Due(Scene.HOUR, null)));
            scene.passTwoHours();
            store.maintenance().moveDue();

            ClaimedMessage first = scene.claimOne(0);
            claims.retryIfClaimed(first, Scene.HOUR, List.of());
            scene.passTwoHours(); // moves due times, the first one stays an hour ahead
            store.maintenance().moveDue();
            ClaimedMessage again = scene.claimOne(0);

            assertThat(List.of(first.age(), again.age()))
                    .allSatisfy(age -> assertThat(age).isBetween(Duration.ofMinutes(-60), Duration.ofMinutes(-50)));
            assertThat(again.age()).isGreaterThan(first.age());
        }

        @Test
        void countsAnewAfterAReplay() {
            scene.enqueue(scene.message(0, null, "a"));
            ClaimedMessage message = scene.claimOne(0);
            claims.deadIfClaimed(message.claim(), "x", List.of());
            store.dead().replayIfDead(new Deed("test", "", null), new Deaths(scene).letters());

            assertThat(scene.rows(
                            "SELECT COUNT(*) FROM acidq_message WHERE queue = ? AND first_due = preexec_time AND first_due >= enqueued_at",
                            scene.queue.id()))
                    .hasToString("[[1]]");
        }
    }

    @Nested
    class DeadIfClaimed {

        @Test
        void keepsTheMessageWithItsCause() {
            scene.enqueue(3, "k", "a");
            ClaimedMessage message = scene.claimOne(3);

            assertThat(claims.deadIfClaimed(message.claim(), "boom\nat line 7", List.of()))
                    .isTrue();

            assertThat(scene.count("acidq_message")).isZero();
            DeadLetter dead = scene.deadLetters(10).get(0);
            assertThat(dead.id().uid()).isEqualTo(message.uid());
            assertThat(dead.id().lane()).isEqualTo(3);
            assertThat(dead.orderingKey()).contains("k");
            assertThat(dead.payload()).asString().isEqualTo("a");
            assertThat(dead.attempts()).isEqualTo(1);
            assertThat(dead.mark()).isEqualTo("boom\nat line 7");
            assertThat(dead.diedAt()).isAfterOrEqualTo(message.dueAt());
        }

        @Test
        void givesEqualCausesOneFingerprint() {
            scene.enqueue(scene.message(0, null, "a"), scene.message(0, null, "b"), scene.message(0, null, "c"));
            List<Claim> claimed = Scene.claims(scene.claim(0, 10));

            claims.deadIfClaimed(claimed.get(0), "order 4711 not found\nat A:1", List.of());
            claims.deadIfClaimed(claimed.get(1), "order 12 not found\nat B:2", List.of());
            claims.deadIfClaimed(claimed.get(2), "no such customer", List.of());

            assertThat(scene.number(
                            "SELECT COUNT(DISTINCT fingerprint) FROM acidq_dead WHERE queue = ?", scene.queue.id()))
                    .isEqualTo(2);
        }

        @Test
        void keepsCausesOfAnyLengthAndKind() {
            scene.enqueue(0, null, "a");
            claims.deadIfClaimed(scene.claimOne(0).claim(), "🦊" + "x".repeat(300_000), List.of());

            assertThat(scene.deadLetters(1).get(0).mark()).startsWith("🦊x").hasSizeBetween(90_000, 100_000);
        }

        @Test
        void changesNothingWhenTheClaimWasLost() {
            scene.enqueue(0, null, "a");
            Claim claim = scene.claimOne(0).claim();

            assertThat(claims.deadIfClaimed(with(claim, scene.node, 2), "mark", List.of()))
                    .isFalse();
            assertThat(scene.count("acidq_dead")).isZero();
            assertThat(scene.count("acidq_message")).isEqualTo(1);
        }
    }

    @Nested
    class GiveBackIfClaimed {

        @Test
        void takesTheAttemptBackAndKeepsTheClaimNumber() {
            scene.enqueue(scene.message(0, null, "a"), scene.message(0, "k", "b"));
            List<Claim> claimed = Scene.claims(scene.claim(0, 10));

            assertThat(claims.giveBackIfClaimed(claimed, Duration.ZERO)).isEqualTo(2);

            assertThat(scene.rows(
                            "SELECT owner, attempts, claim_no FROM acidq_message WHERE queue = ?", scene.queue.id()))
                    .hasToString("[[0, 0, 1], [0, 0, 1]]");
            assertThat(Scene.texts(scene.claim(0, 10))).containsExactly("a", "b");
        }

        @Test
        void holdsTheMessageBackForTheDelay() {
            scene.enqueue(0, null, "a");
            claims.giveBackIfClaimed(List.of(scene.claimOne(0).claim()), Scene.HOUR);

            assertThat(scene.claim(0, 10).messages()).isEmpty();
            scene.passTwoHours();
            assertThat(scene.claim(0, 10).messages()).hasSize(1);
        }

        @Test
        void countsOnlyWhatWasStillClaimedSo() {
            scene.enqueue(scene.message(1, null, "a"), scene.message(0, null, "b"), scene.message(0, null, "c"));
            Claim a = scene.claimOne(1).claim();
            List<Claim> rest = Scene.claims(scene.claim(0, 10));

            assertThat(claims.giveBackIfClaimed(
                            List.of(with(a, scene.node, 7), rest.get(1), with(rest.get(0), scene.node + 1, 1)),
                            Duration.ZERO))
                    .isEqualTo(1);
            assertThat(claims.giveBackIfClaimed(List.of(), Duration.ZERO)).isZero();
            assertThat(claims.claimedBy(scene.node))
                    .extracting(HeldClaim::claim)
                    .containsExactlyInAnyOrder(rest.get(0), a);
        }
    }

    @Nested
    class ClaimedBy {

        @Test
        void listsWhatANodeHasClaimedWithItsBatches() {
            int other = scene.newNode();
            scene.enqueue(scene.message(0, null, "a"), scene.message(7, "k", "b"), scene.message(7, "l", "c"));
            ClaimedMessage a = scene.claimOne(0);
            ClaimedMessage b = scene.claimOne(7);
            Claim c = scene.claimAs(other, 7, 10).messages().get(0).claim();

            assertThat(claims.claimedBy(scene.node))
                    .containsExactlyInAnyOrder(
                            new HeldClaim(a.claim(), a.batch()), new HeldClaim(b.claim(), b.batch()));
            assertThat(claims.claimedBy(other)).extracting(HeldClaim::claim).containsExactly(c);
        }
    }
}
