package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import io.acidq.admin.DeadLetter;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore.HeldClaim;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.DeadLetterStore.OperatorAction;
import io.acidq.store.Due;
import io.acidq.store.Lane;
import io.acidq.store.NodeStore.RescueDecision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** How claims end. */
@EachStore
class ClaimEndingsStoreIT extends StoreFixture {

    private static Claim with(Claim claim, int owner, int claimNo) {
        return new Claim(claim.queue(), claim.lane(), claim.id(), claim.uid(), owner, claimNo);
    }

    @Nested
    class AckIfClaimed {

        @Test
        void deletesTheMessageWithTheHandlersEffects() throws Exception {
            queueFixture.enqueue(0, null, "a");
            ClaimedMessage message = queueFixture.claimOne(0);

            assertThat(database().transactions().inNew(() -> {
                        enqueue.insert(List.of(queueFixture.message(1, null, "effect")));
                        return claims.ackIfClaimed(message.claim());
                    }))
                    .isTrue();

            assertThat(claims.lanesWithWork(List.of(queueFixture.queue.id())))
                    .containsExactly(new Lane(queueFixture.queue.id(), 1));
        }

        @Test
        void leavesTheMessageClaimedWhenTheHandlersTransactionRollsBack() {
            queueFixture.enqueue(0, null, "a");
            ClaimedMessage message = queueFixture.claimOne(0);

            assertThatThrownBy(() -> database().transactions().inNew(() -> {
                        assertThat(claims.ackIfClaimed(message.claim())).isTrue();
                        throw new IllegalStateException("roll back");
                    }))
                    .isInstanceOf(IllegalStateException.class);

            assertThat(claims.claimedBy(queueFixture.node))
                    .containsExactly(new HeldClaim(message.claim(), message.batch()));
        }

        @Test
        void isRefusedToAnyOtherOwnerOrClaimNumber() throws Exception {
            queueFixture.enqueue(0, null, "a");
            Claim claim = queueFixture.claimOne(0).claim();

            assertThat(queueFixture.ack(with(claim, queueFixture.node + 1, 1))).isFalse();
            assertThat(queueFixture.ack(with(claim, queueFixture.node, 2))).isFalse();
            assertThat(queueFixture.ack(with(claim, 0, 1))).isFalse();
            assertThat(queueFixture.ack(claim)).isTrue();
            assertThat(queueFixture.ack(claim)).isFalse();
        }

        /** A promoted replica that had lost the message gave its place out again, and the end of the one deleted the other. */
        @Test
        void isRefusedToAnotherMessageThatLiesInTheSamePlaceUnderTheSameClaimNumber() throws Exception {
            queueFixture.enqueue(0, null, "lost");
            Claim lost = queueFixture.claimOne(0).claim();
            UUID other = UUID.randomUUID();
            queueFixture.execute("UPDATE acidq_message SET uid = ? WHERE id = ?", QueueFixture.bytes(other), lost.id());

            assertThat(queueFixture.ack(lost)).isFalse();
            assertThat(claims.requeueIfClaimed(List.of(lost), Duration.ZERO)).isZero();
            assertThat(claims.claimedBy(queueFixture.node))
                    .extracting(held -> held.claim().uid())
                    .containsExactly(other);
        }

        @Test
        void isRefusedAfterARescueAlsoWhileNobodyHasClaimedItAnew() throws Exception {
            queueFixture.enqueue(0, null, "a");
            Claim claim = queueFixture.claimOne(0).claim();
            queueFixture.declareDead(queueFixture.node);
            nodes.rescue(queueFixture.node, o -> List.of(new RescueDecision(claim, 0, null)));

            assertThat(queueFixture.ack(claim)).isFalse();
            Claim anew = queueFixture
                    .claimAs(queueFixture.newNode(), 0, 1)
                    .messages()
                    .get(0)
                    .claim();
            assertThat(anew.claimNo()).isEqualTo(2);
            assertThat(queueFixture.ack(claim)).isFalse();
            assertThat(queueFixture.ack(anew)).isTrue();
        }

        @Test
        void needsATransaction() {
            queueFixture.enqueue(0, null, "a");
            Claim claim = queueFixture.claimOne(0).claim();

            assertThatThrownBy(() -> claims.ackIfClaimed(claim)).isInstanceOf(QueueMisuseException.class);
        }
    }

    @Nested
    class AckAllIfClaimed {

        @Test
        void deletesMessagesOfSeveralLanes() throws Exception {
            List<Claim> all = claimed(3);

            assertThat(ackAll(all)).isEqualTo(6);

            assertThat(claims.claimedBy(queueFixture.node)).isEmpty();
            assertThat(claims.lanesWithWork(List.of(queueFixture.queue.id()))).isEmpty();
        }

        @Test
        void deletesNothingUnderAnotherOwnerClaimNumberUidOrLane() throws Exception {
            List<Claim> all = claimed(3);
            Claim mine = all.get(1);
            List<Claim> others = List.of(
                    with(mine, queueFixture.node + 1, 1),
                    with(mine, queueFixture.node, 2),
                    with(mine, 0, 1),
                    new Claim(mine.queue(), mine.lane() + 1, mine.id(), mine.uid(), mine.owner(), mine.claimNo()),
                    new Claim(mine.queue(), mine.lane(), mine.id(), UUID.randomUUID(), mine.owner(), mine.claimNo()));
            for (Claim other : others) {
                assertThat(ackAll(List.of(other))).isZero();
            }
            List<Claim> oneLost = new ArrayList<>(all);
            oneLost.set(1, others.get(1));

            assertThat(ackAll(oneLost)).isEqualTo(5);

            assertThat(claims.claimedBy(queueFixture.node))
                    .extracting(HeldClaim::claim)
                    .containsExactly(mine);
        }

        @Test
        void countsNoneForNoClaimAndNeedsATransaction() throws Exception {
            assertThat(ackAll(List.of())).isZero();
            assertThatThrownBy(() -> claims.ackAllIfClaimed(claimed(1))).isInstanceOf(QueueMisuseException.class);
        }

        private int ackAll(List<Claim> claims) throws Exception {
            return database()
                    .transactions()
                    .inNew(() -> queueFixture.store.claims().ackAllIfClaimed(claims));
        }

        /** So many in each of two lanes. */
        private List<Claim> claimed(int each) {
            List<Claim> all = new ArrayList<>();
            for (int lane = 0; lane < 2; lane++) {
                for (int i = 0; i < each; i++) {
                    queueFixture.enqueue(lane, null, lane + "-" + i);
                }
                all.addAll(QueueFixture.claims(queueFixture.claim(lane, each)));
            }
            return all;
        }
    }

    @Nested
    class RetryIfClaimed {

        @Test
        void keepsTheHeadOfAKeyInItsPlaceAndGivesItsFollowersBack() {
            queueFixture.enqueue(
                    queueFixture.message(0, "k", "head"),
                    queueFixture.message(0, "k", "f1"),
                    queueFixture.message(0, "k", "f2"));
            List<ClaimedMessage> all = queueFixture.claim(0, 10).messages();

            assertThat(claims.retryIfClaimed(
                            all.get(0),
                            QueueFixture.HOUR,
                            List.of(all.get(1).claim(), all.get(2).claim())))
                    .isTrue();

            assertThat(queueFixture.rows(
                            "SELECT owner, attempts, claim_no FROM acidq_message WHERE queue = ? ORDER BY id",
                            queueFixture.queue.id()))
                    .hasToString("[[0, 1, 1], [0, 0, 1], [0, 0, 1]]");
            assertThat(queueFixture.claim(0, 10).messages()).isEmpty();
            queueFixture.passTwoHours();
            assertThat(QueueFixture.texts(queueFixture.claim(0, 10))).containsExactly("head", "f1", "f2");
        }

        @Test
        void movesAMessageWithoutKeyAmongTheScheduled() {
            queueFixture.enqueue(0, null, "a");
            ClaimedMessage message = queueFixture.claimOne(0);

            assertThat(claims.retryIfClaimed(message, QueueFixture.HOUR, List.of()))
                    .isTrue();

            assertThat(queueFixture.count("acidq_message")).isZero();
            assertThat(queueFixture.rows(
                            "SELECT attempts, claim_no, crashes FROM acidq_scheduled WHERE queue = ?",
                            queueFixture.queue.id()))
                    .hasToString("[[1, 1, 0]]");
            queueFixture.passTwoHours();
            store.maintenance().moveDue();
            ClaimedMessage again = queueFixture.claimOne(0);
            assertThat(again.uid()).isEqualTo(message.uid());
            assertThat(again.attempts()).isEqualTo(2);
            assertThat(again.enqueuedAt()).isEqualTo(message.enqueuedAt());
        }

        @Test
        void staysInItsPlaceWhenThereIsNoDelay() {
            queueFixture.enqueue(queueFixture.message(0, null, "a"), queueFixture.message(0, null, "b"));
            ClaimedMessage first = queueFixture.claimOne(0);

            assertThat(claims.retryIfClaimed(first, Duration.ZERO, List.of())).isTrue();
            assertThat(QueueFixture.texts(queueFixture.claim(0, 10))).containsExactly("a", "b");
        }

        @Test
        void changesNothingWhenTheClaimWasLost() {
            queueFixture.enqueue(
                    queueFixture.message(0, "k", "head"),
                    queueFixture.message(0, "k", "follower"),
                    queueFixture.message(0, null, "free"));
            List<ClaimedMessage> all = queueFixture.claim(0, 10).messages();
            claims.requeueIfClaimed(List.of(all.get(0).claim(), all.get(2).claim()), Duration.ZERO);

            assertThat(claims.retryIfClaimed(
                            all.get(0), QueueFixture.HOUR, List.of(all.get(1).claim())))
                    .isFalse();
            assertThat(claims.retryIfClaimed(all.get(2), QueueFixture.HOUR, List.of()))
                    .isFalse();

            assertThat(claims.claimedBy(queueFixture.node))
                    .extracting(HeldClaim::claim)
                    .containsExactly(all.get(1).claim());
            assertThat(queueFixture.count("acidq_scheduled")).isZero();
        }
    }

    @Nested
    class SnoozeIfClaimed {

        @Test
        void givesTheAttemptBackAndKeepsThePlaceOfAnOrderingKey() {
            queueFixture.enqueue(queueFixture.message(0, "k", "head"), queueFixture.message(0, "k", "follower"));
            List<ClaimedMessage> both = queueFixture.claim(0, 10).messages();

            assertThat(claims.snoozeIfClaimed(
                            both.get(0), QueueFixture.HOUR, List.of(both.get(1).claim())))
                    .isTrue();

            assertThat(queueFixture.rows(
                            "SELECT owner, attempts, claim_no FROM acidq_message WHERE queue = ? ORDER BY id",
                            queueFixture.queue.id()))
                    .hasToString("[[0, 0, 1], [0, 0, 1]]");
            assertThat(queueFixture.claim(0, 10).messages()).isEmpty();
            queueFixture.passTwoHours();
            assertThat(QueueFixture.texts(queueFixture.claim(0, 10))).containsExactly("head", "follower");
        }

        @Test
        void movesAMessageWithoutKeyAmongTheScheduledWithItsAttemptBack() {
            queueFixture.enqueue(0, null, "a");
            ClaimedMessage message = queueFixture.claimOne(0);

            assertThat(claims.snoozeIfClaimed(message, QueueFixture.HOUR, List.of()))
                    .isTrue();

            assertThat(queueFixture.rows(
                            "SELECT attempts, claim_no FROM acidq_scheduled WHERE queue = ?", queueFixture.queue.id()))
                    .hasToString("[[0, 1]]");
            queueFixture.passTwoHours();
            store.maintenance().moveDue();
            ClaimedMessage again = queueFixture.claimOne(0);
            assertThat(again.attempts()).isEqualTo(1);
            assertThat(again.claim().claimNo()).isEqualTo(2);
        }

        @Test
        void changesNothingWhenTheClaimWasLost() {
            queueFixture.enqueue(0, null, "a");
            ClaimedMessage message = queueFixture.claimOne(0);
            claims.requeueIfClaimed(List.of(message.claim()), Duration.ZERO);

            assertThat(claims.snoozeIfClaimed(message, QueueFixture.HOUR, List.of()))
                    .isFalse();
            assertThat(queueFixture.count("acidq_scheduled")).isZero();
        }
    }

    @Nested
    class CancelIfClaimed {

        @Test
        void deletesTheMessageAndLeavesNothingBehind() {
            queueFixture.enqueue(0, "k", "a");
            Claim claim = queueFixture.claimOne(0).claim();

            assertThat(claims.cancelIfClaimed(with(claim, queueFixture.node, 2)))
                    .isFalse();
            assertThat(queueFixture.count("acidq_message")).isEqualTo(1);
            assertThat(claims.cancelIfClaimed(claim)).isTrue();
            assertThat(claims.cancelIfClaimed(claim)).isFalse();
            assertThat(queueFixture.count("acidq_message")).isZero();
            assertThat(queueFixture.count("acidq_dead")).isZero();
        }
    }

    @Nested
    class Age {

        @Test
        void countsFromTheFirstDueTimeWhateverHappensLater() {
            queueFixture.enqueue(queueFixture.message(0, null, "delayed", new Due(QueueFixture.HOUR, null)));
            queueFixture.passTwoHours();
            store.maintenance().moveDue();

            ClaimedMessage first = queueFixture.claimOne(0);
            claims.retryIfClaimed(first, QueueFixture.HOUR, List.of());
            queueFixture.passTwoHours(); // moves due times, the first one stays an hour ahead
            store.maintenance().moveDue();
            ClaimedMessage again = queueFixture.claimOne(0);

            assertThat(List.of(first.age(), again.age()))
                    .allSatisfy(age -> assertThat(age).isBetween(Duration.ofMinutes(-60), Duration.ofMinutes(-50)));
            assertThat(again.age()).isGreaterThan(first.age());
        }

        @Test
        void countsAnewAfterAReplay() {
            queueFixture.enqueue(queueFixture.message(0, null, "a"));
            ClaimedMessage message = queueFixture.claimOne(0);
            claims.deadLetterIfClaimed(message.claim(), "x", List.of());
            store.dead()
                    .replayIfDead(
                            new OperatorAction("test", "", null), new DeadLetterFixture(queueFixture).deadLetters());

            assertThat(queueFixture.rows(
                            "SELECT COUNT(*) FROM acidq_message WHERE queue = ? AND first_due = preexec_time AND first_due >= enqueued_at",
                            queueFixture.queue.id()))
                    .hasToString("[[1]]");
        }
    }

    @Nested
    class DeadIfClaimed {

        @Test
        void keepsTheMessageWithItsCause() {
            queueFixture.enqueue(3, "k", "a");
            ClaimedMessage message = queueFixture.claimOne(3);

            assertThat(claims.deadLetterIfClaimed(message.claim(), "boom\nat line 7", List.of()))
                    .isTrue();

            assertThat(queueFixture.count("acidq_message")).isZero();
            DeadLetter dead = queueFixture.deadLetters(10).get(0);
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
            queueFixture.enqueue(
                    queueFixture.message(0, null, "a"),
                    queueFixture.message(0, null, "b"),
                    queueFixture.message(0, null, "c"));
            List<Claim> claimed = QueueFixture.claims(queueFixture.claim(0, 10));

            claims.deadLetterIfClaimed(claimed.get(0), "order 4711 not found\nat A:1", List.of());
            claims.deadLetterIfClaimed(claimed.get(1), "order 12 not found\nat B:2", List.of());
            claims.deadLetterIfClaimed(claimed.get(2), "no such customer", List.of());

            assertThat(queueFixture.number(
                            "SELECT COUNT(DISTINCT fingerprint) FROM acidq_dead WHERE queue = ?",
                            queueFixture.queue.id()))
                    .isEqualTo(2);
        }

        @Test
        void keepsCausesOfAnyLengthAndKind() {
            queueFixture.enqueue(0, null, "a");
            claims.deadLetterIfClaimed(queueFixture.claimOne(0).claim(), "🦊" + "x".repeat(300_000), List.of());

            assertThat(queueFixture.deadLetters(1).get(0).mark())
                    .startsWith("🦊x")
                    .hasSizeBetween(90_000, 100_000);
        }

        @Test
        void changesNothingWhenTheClaimWasLost() {
            queueFixture.enqueue(0, null, "a");
            Claim claim = queueFixture.claimOne(0).claim();

            assertThat(claims.deadLetterIfClaimed(with(claim, queueFixture.node, 2), "mark", List.of()))
                    .isFalse();
            assertThat(queueFixture.count("acidq_dead")).isZero();
            assertThat(queueFixture.count("acidq_message")).isEqualTo(1);
        }
    }

    @Nested
    class RequeueIfClaimed {

        @Test
        void takesTheAttemptBackAndKeepsTheClaimNumber() {
            queueFixture.enqueue(queueFixture.message(0, null, "a"), queueFixture.message(0, "k", "b"));
            List<Claim> claimed = QueueFixture.claims(queueFixture.claim(0, 10));

            assertThat(claims.requeueIfClaimed(claimed, Duration.ZERO)).isEqualTo(2);

            assertThat(queueFixture.rows(
                            "SELECT owner, attempts, claim_no FROM acidq_message WHERE queue = ?",
                            queueFixture.queue.id()))
                    .hasToString("[[0, 0, 1], [0, 0, 1]]");
            assertThat(QueueFixture.texts(queueFixture.claim(0, 10))).containsExactly("a", "b");
        }

        @Test
        void holdsTheMessageBackForTheDelay() {
            queueFixture.enqueue(0, null, "a");
            claims.requeueIfClaimed(List.of(queueFixture.claimOne(0).claim()), QueueFixture.HOUR);

            assertThat(queueFixture.claim(0, 10).messages()).isEmpty();
            queueFixture.passTwoHours();
            assertThat(queueFixture.claim(0, 10).messages()).hasSize(1);
        }

        @Test
        void countsOnlyWhatWasStillClaimedSo() {
            queueFixture.enqueue(
                    queueFixture.message(1, null, "a"),
                    queueFixture.message(0, null, "b"),
                    queueFixture.message(0, null, "c"));
            Claim a = queueFixture.claimOne(1).claim();
            List<Claim> rest = QueueFixture.claims(queueFixture.claim(0, 10));

            assertThat(claims.requeueIfClaimed(
                            List.of(
                                    with(a, queueFixture.node, 7),
                                    rest.get(1),
                                    with(rest.get(0), queueFixture.node + 1, 1)),
                            Duration.ZERO))
                    .isEqualTo(1);
            assertThat(claims.requeueIfClaimed(List.of(), Duration.ZERO)).isZero();
            assertThat(claims.claimedBy(queueFixture.node))
                    .extracting(HeldClaim::claim)
                    .containsExactlyInAnyOrder(rest.get(0), a);
        }
    }

    @Nested
    class ClaimedBy {

        @Test
        void listsWhatANodeHasClaimedWithItsBatches() {
            int other = queueFixture.newNode();
            queueFixture.enqueue(
                    queueFixture.message(0, null, "a"),
                    queueFixture.message(7, "k", "b"),
                    queueFixture.message(7, "l", "c"));
            ClaimedMessage a = queueFixture.claimOne(0);
            ClaimedMessage b = queueFixture.claimOne(7);
            Claim c = queueFixture.claimAs(other, 7, 10).messages().get(0).claim();

            assertThat(claims.claimedBy(queueFixture.node))
                    .containsExactlyInAnyOrder(
                            new HeldClaim(a.claim(), a.batch()), new HeldClaim(b.claim(), b.batch()));
            assertThat(claims.claimedBy(other)).extracting(HeldClaim::claim).containsExactly(c);
        }
    }
}
