package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.MessageId;
import io.acidq.QueueMisuseException;
import io.acidq.Receipt.State;
import io.acidq.admin.DeadLetter;
import io.acidq.admin.Operator;
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
import java.util.Map;
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
            fixture.enqueue(0, null, "a");
            ClaimedMessage message = fixture.claimOne(0);

            assertThat(transactions.inNew(() -> {
                        enqueue.insert(List.of(fixture.message(1, null, "effect")));
                        return claims.ackIfClaimed(message.claim());
                    }))
                    .isTrue();

            assertThat(claims.lanesWithWork(List.of(fixture.queueId))).containsExactly(new Lane(fixture.queueId, 1));
        }

        @Test
        void leavesTheMessageClaimedWhenTheHandlersTransactionRollsBack() {
            fixture.enqueue(0, null, "a");
            ClaimedMessage message = fixture.claimOne(0);

            assertThatThrownBy(() -> transactions.inNew(() -> {
                        assertThat(claims.ackIfClaimed(message.claim())).isTrue();
                        throw new IllegalStateException("roll back");
                    }))
                    .isInstanceOf(IllegalStateException.class);

            assertThat(claims.claimedBy(fixture.node)).containsExactly(new HeldClaim(message.claim(), message.batch()));
        }

        @Test
        void isRefusedToAnyOtherOwnerOrClaimNumber() throws Exception {
            fixture.enqueue(0, null, "a");
            Claim claim = fixture.claimOne(0).claim();

            assertThat(fixture.ack(with(claim, fixture.node + 1, 1))).isFalse();
            assertThat(fixture.ack(with(claim, fixture.node, 2))).isFalse();
            assertThat(fixture.ack(with(claim, 0, 1))).isFalse();
            assertThat(fixture.ack(claim)).isTrue();
            assertThat(fixture.ack(claim)).isFalse();
        }

        /** A bug: a promoted replica had lost the message and assigned its id again, and an acknowledgement deleted the other message. */
        @Test
        void isRefusedToAnotherMessageThatLiesInTheSamePlaceUnderTheSameClaimNumber() throws Exception {
            fixture.enqueue(0, null, "lost");
            Claim lost = fixture.claimOne(0).claim();
            UUID other = UUID.randomUUID();
            fixture.execute("UPDATE acidq_message SET uid = ? WHERE id = ?", QueueFixture.bytes(other), lost.id());

            assertThat(fixture.ack(lost)).isFalse();
            assertThat(claims.requeueIfClaimed(List.of(lost), Duration.ZERO)).isZero();
            assertThat(claims.claimedBy(fixture.node))
                    .extracting(held -> held.claim().uid())
                    .containsExactly(other);
        }

        @Test
        void isRefusedAfterARescueBeforeAndAfterTheNextClaim() throws Exception {
            fixture.enqueue(0, null, "a");
            Claim claim = fixture.claimOne(0).claim();
            fixture.declareDead(fixture.node);
            nodes.rescue(fixture.node, o -> List.of(new RescueDecision(claim, 0, null)));

            assertThat(fixture.ack(claim)).isFalse();
            Claim anew =
                    fixture.claimAs(fixture.newNode(), 0, 1).messages().get(0).claim();
            assertThat(anew.claimNo()).isEqualTo(2);
            assertThat(fixture.ack(claim)).isFalse();
            assertThat(fixture.ack(anew)).isTrue();
        }

        @Test
        void needsATransaction() {
            fixture.enqueue(0, null, "a");
            Claim claim = fixture.claimOne(0).claim();

            assertThatThrownBy(() -> claims.ackIfClaimed(claim)).isInstanceOf(QueueMisuseException.class);
        }
    }

    @Nested
    class AckAllIfClaimed {

        @Test
        void deletesMessagesOfSeveralLanes() throws Exception {
            List<Claim> all = claimed(3);

            assertThat(ackAll(all)).isEqualTo(6);

            assertThat(claims.claimedBy(fixture.node)).isEmpty();
            assertThat(claims.lanesWithWork(List.of(fixture.queueId))).isEmpty();
        }

        @Test
        void deletesNothingUnderAnotherOwnerClaimNumberUidOrLane() throws Exception {
            List<Claim> all = claimed(3);
            Claim mine = all.get(1);
            List<Claim> others = List.of(
                    with(mine, fixture.node + 1, 1),
                    with(mine, fixture.node, 2),
                    with(mine, 0, 1),
                    new Claim(mine.queue(), mine.lane() + 1, mine.id(), mine.uid(), mine.owner(), mine.claimNo()),
                    new Claim(mine.queue(), mine.lane(), mine.id(), UUID.randomUUID(), mine.owner(), mine.claimNo()));
            for (Claim other : others) {
                assertThat(ackAll(List.of(other))).isZero();
            }
            List<Claim> oneLost = new ArrayList<>(all);
            oneLost.set(1, others.get(1));

            assertThat(ackAll(oneLost)).isEqualTo(5);

            assertThat(claims.claimedBy(fixture.node))
                    .extracting(HeldClaim::claim)
                    .containsExactly(mine);
        }

        @Test
        void countsNoneForNoClaimAndNeedsATransaction() throws Exception {
            assertThat(ackAll(List.of())).isZero();
            assertThatThrownBy(() -> claims.ackAllIfClaimed(claimed(1))).isInstanceOf(QueueMisuseException.class);
        }

        private int ackAll(List<Claim> claims) throws Exception {
            return transactions.inNew(() -> fixture.store.claims().ackAllIfClaimed(claims));
        }

        /** Claims this number of messages in each of two lanes. */
        private List<Claim> claimed(int each) {
            List<Claim> all = new ArrayList<>();
            for (int lane = 0; lane < 2; lane++) {
                for (int i = 0; i < each; i++) {
                    fixture.enqueue(lane, null, lane + "-" + i);
                }
                all.addAll(QueueFixture.claims(fixture.claim(lane, each)));
            }
            return all;
        }
    }

    @Nested
    class RetryIfClaimed {

        @Test
        void keepsTheHeadOfAKeyInItsPlaceAndRequeuesItsFollowers() {
            fixture.enqueueAll(0, "k", "head", "f1", "f2");
            List<ClaimedMessage> all = fixture.claim(0, 10).messages();

            assertThat(claims.retryIfClaimed(
                            all.get(0),
                            QueueFixture.HOUR,
                            List.of(all.get(1).claim(), all.get(2).claim())))
                    .isTrue();

            assertThat(fixture.rows(
                            "SELECT owner, attempts, claim_no FROM acidq_message WHERE queue = ? ORDER BY id",
                            fixture.queueId))
                    .hasToString("[[0, 1, 1], [0, 0, 1], [0, 0, 1]]");
            assertThat(fixture.claim(0, 10).messages()).isEmpty();
            fixture.passTwoHours();
            assertThat(fixture.claimTexts(0, 10)).containsExactly("head", "f1", "f2");
        }

        @Test
        void movesAMessageWithoutKeyAmongTheScheduled() {
            fixture.enqueue(0, null, "a");
            ClaimedMessage message = fixture.claimOne(0);

            assertThat(claims.retryIfClaimed(message, QueueFixture.HOUR, List.of()))
                    .isTrue();

            assertThat(fixture.count("acidq_message")).isZero();
            assertThat(fixture.rows(
                            "SELECT attempts, claim_no, crashes FROM acidq_scheduled WHERE queue = ?", fixture.queueId))
                    .hasToString("[[1, 1, 0]]");
            fixture.passTwoHours();
            maintenance.moveDue();
            ClaimedMessage again = fixture.claimOne(0);
            assertThat(again.uid()).isEqualTo(message.uid());
            assertThat(again.attempts()).isEqualTo(2);
            assertThat(again.enqueuedAt()).isEqualTo(message.enqueuedAt());
        }

        @Test
        void staysInItsPlaceWhenThereIsNoDelay() {
            fixture.enqueueAll(0, null, "a", "b");
            ClaimedMessage first = fixture.claimOne(0);

            assertThat(claims.retryIfClaimed(first, Duration.ZERO, List.of())).isTrue();
            assertThat(fixture.claimTexts(0, 10)).containsExactly("a", "b");
        }

        @Test
        void changesNothingWhenTheClaimWasLost() {
            fixture.enqueue(
                    fixture.message(0, "k", "head"),
                    fixture.message(0, "k", "follower"),
                    fixture.message(0, null, "free"));
            List<ClaimedMessage> all = fixture.claim(0, 10).messages();
            claims.requeueIfClaimed(List.of(all.get(0).claim(), all.get(2).claim()), Duration.ZERO);

            assertThat(claims.retryIfClaimed(
                            all.get(0), QueueFixture.HOUR, List.of(all.get(1).claim())))
                    .isFalse();
            assertThat(claims.retryIfClaimed(all.get(2), QueueFixture.HOUR, List.of()))
                    .isFalse();

            assertThat(claims.claimedBy(fixture.node))
                    .extracting(HeldClaim::claim)
                    .containsExactly(all.get(1).claim());
            assertThat(fixture.count("acidq_scheduled")).isZero();
        }
    }

    @Nested
    class SnoozeIfClaimed {

        @Test
        void subtractsTheAttemptAndKeepsThePlaceOfAnOrderingKey() {
            fixture.enqueueAll(0, "k", "head", "follower");
            List<ClaimedMessage> both = fixture.claim(0, 10).messages();

            assertThat(claims.snoozeIfClaimed(
                            both.get(0), QueueFixture.HOUR, List.of(both.get(1).claim())))
                    .isTrue();

            assertThat(fixture.rows(
                            "SELECT owner, attempts, claim_no FROM acidq_message WHERE queue = ? ORDER BY id",
                            fixture.queueId))
                    .hasToString("[[0, 0, 1], [0, 0, 1]]");
            assertThat(fixture.claim(0, 10).messages()).isEmpty();
            fixture.passTwoHours();
            assertThat(fixture.claimTexts(0, 10)).containsExactly("head", "follower");
        }

        @Test
        void movesAMessageWithoutKeyAmongTheScheduledWithItsAttemptBack() {
            fixture.enqueue(0, null, "a");
            ClaimedMessage message = fixture.claimOne(0);

            assertThat(claims.snoozeIfClaimed(message, QueueFixture.HOUR, List.of()))
                    .isTrue();

            assertThat(fixture.rows("SELECT attempts, claim_no FROM acidq_scheduled WHERE queue = ?", fixture.queueId))
                    .hasToString("[[0, 1]]");
            fixture.passTwoHours();
            maintenance.moveDue();
            ClaimedMessage again = fixture.claimOne(0);
            assertThat(again.attempts()).isEqualTo(1);
            assertThat(again.claim().claimNo()).isEqualTo(2);
        }

        @Test
        void changesNothingWhenTheClaimWasLost() {
            fixture.enqueue(0, null, "a");
            ClaimedMessage message = fixture.claimOne(0);
            claims.requeueIfClaimed(List.of(message.claim()), Duration.ZERO);

            assertThat(claims.snoozeIfClaimed(message, QueueFixture.HOUR, List.of()))
                    .isFalse();
            assertThat(fixture.count("acidq_scheduled")).isZero();
        }
    }

    @Nested
    class CancelIfClaimed {

        @Test
        void deletesTheMessageAndLeavesNothingBehind() {
            fixture.enqueue(0, "k", "a");
            Claim claim = fixture.claimOne(0).claim();

            assertThat(claims.cancelIfClaimed(with(claim, fixture.node, 2))).isFalse();
            assertThat(fixture.count("acidq_message")).isEqualTo(1);
            assertThat(claims.cancelIfClaimed(claim)).isTrue();
            assertThat(claims.cancelIfClaimed(claim)).isFalse();
            assertThat(fixture.count("acidq_message")).isZero();
            assertThat(fixture.count("acidq_dead")).isZero();
        }
    }

    @Nested
    class CancelAllIfClaimed {

        @Test
        void deletesTheMessagesOfSeveralLanesOrNone() {
            fixture.enqueueAll(0, null, "a", "b");
            fixture.enqueueAll(1, null, "c");
            List<Claim> all = new ArrayList<>(QueueFixture.claims(fixture.claim(0, 2)));
            all.addAll(QueueFixture.claims(fixture.claim(1, 1)));
            List<Claim> withALostOne = List.of(all.get(0), with(all.get(2), fixture.node, 2), all.get(1));

            assertThat(claims.cancelAllIfClaimed(withALostOne, State.EXPIRED)).isFalse();
            assertThat(fixture.count("acidq_message")).isEqualTo(3);
            assertThat(claims.cancelAllIfClaimed(all, State.EXPIRED)).isTrue();
            assertThat(fixture.count("acidq_message")).isZero();
            assertThat(fixture.count("acidq_dead")).isZero();
        }
    }

    @Nested
    class DeadLetterAllIfClaimed {

        @Test
        void writesTheDeadLettersOfAllOrOfNone() {
            fixture.enqueueAll(0, null, "a", "b");
            List<Claim> all = QueueFixture.claims(fixture.claim(0, 2));
            Map<Claim, String> errors = Map.of(all.get(0), "one", all.get(1), "two");

            assertThat(claims.deadLetterAllIfClaimed(
                            Map.of(all.get(0), "one", with(all.get(1), fixture.node, 2), "two"), List.of()))
                    .isFalse();
            assertThat(fixture.count("acidq_dead")).isZero();
            assertThat(claims.deadLetterAllIfClaimed(errors, List.of())).isTrue();
            assertThat(fixture.rows("SELECT mark FROM acidq_dead WHERE queue = ? ORDER BY mark", fixture.queueId))
                    .hasToString("[[one], [two]]");
            assertThat(fixture.count("acidq_message")).isZero();
        }

        @Test
        void writesNoneWhenAnOperatorHasAskedOneToStop() {
            fixture.enqueueAll(0, null, "a", "b");
            List<Claim> all = QueueFixture.claims(fixture.claim(0, 2));
            store.queues()
                    .cancel(
                            fixture.queue,
                            new MessageId(fixture.queue.name(), 0, all.get(0).uid()),
                            new Operator("ann", "no"));

            assertThat(claims.deadLetterAllIfClaimed(Map.of(all.get(0), "one", all.get(1), "two"), List.of()))
                    .isFalse();
            assertThat(fixture.count("acidq_dead")).isZero();
        }

        @Test
        void requeuesTheFollowers() {
            fixture.enqueueAll(0, "k", "a", "b");
            fixture.enqueueAll(0, null, "c");
            List<Claim> all = QueueFixture.claims(fixture.claim(0, 3));

            assertThat(claims.deadLetterAllIfClaimed(Map.of(all.get(0), "one", all.get(2), "two"), List.of(all.get(1))))
                    .isTrue();
            assertThat(fixture.rows(
                            "SELECT owner FROM acidq_message WHERE queue = ? AND id = ?",
                            fixture.queueId,
                            all.get(1).id()))
                    .hasToString("[[0]]");
        }
    }

    @Nested
    class Age {

        @Test
        void countsFromTheFirstDueTimeWhateverHappensLater() {
            fixture.enqueue(fixture.message(0, null, "delayed", new Due(QueueFixture.HOUR, null)));
            fixture.passTwoHours();
            maintenance.moveDue();

            ClaimedMessage first = fixture.claimOne(0);
            claims.retryIfClaimed(first, QueueFixture.HOUR, List.of());
            fixture.passTwoHours(); // moves due times, but not the first due time
            maintenance.moveDue();
            ClaimedMessage again = fixture.claimOne(0);

            assertThat(List.of(first.age(), again.age()))
                    .allSatisfy(age -> assertThat(age).isBetween(Duration.ofMinutes(-60), Duration.ofMinutes(-50)));
            assertThat(again.age()).isGreaterThan(first.age());
        }

        @Test
        void restartsAfterAReplay() {
            fixture.enqueueAll(0, null, "a");
            ClaimedMessage message = fixture.claimOne(0);
            claims.deadLetterIfClaimed(message.claim(), "x", List.of());
            store.dead().replayIfDead(new OperatorAction("test", "", null), fixture.letters());

            assertThat(fixture.rows(
                            "SELECT COUNT(*) FROM acidq_message WHERE queue = ? AND first_due = preexec_time AND first_due >= enqueued_at",
                            fixture.queueId))
                    .hasToString("[[1]]");
        }
    }

    @Nested
    class DeadIfClaimed {

        @Test
        void keepsTheMessageWithItsCause() {
            fixture.enqueue(3, "k", "a");
            ClaimedMessage message = fixture.claimOne(3);

            assertThat(claims.deadLetterIfClaimed(message.claim(), "boom\nat line 7", List.of()))
                    .isTrue();

            assertThat(fixture.count("acidq_message")).isZero();
            DeadLetter dead = fixture.deadLetters(10).get(0);
            assertThat(dead.id().uid()).isEqualTo(message.uid());
            assertThat(dead.id().lane()).isEqualTo(3);
            assertThat(dead.orderingKey()).contains("k");
            assertThat(dead.payload()).asString().isEqualTo("a");
            assertThat(dead.attempts()).isEqualTo(1);
            assertThat(dead.error()).isEqualTo("boom\nat line 7");
            assertThat(dead.diedAt()).isAfterOrEqualTo(message.dueAt());
        }

        @Test
        void givesEqualErrorsOneCause() {
            fixture.enqueueAll(0, null, "a", "b", "c");
            List<Claim> claimed = QueueFixture.claims(fixture.claim(0, 10));

            claims.deadLetterIfClaimed(claimed.get(0), "order 4711 not found\nat A:1", List.of());
            claims.deadLetterIfClaimed(claimed.get(1), "order 12 not found\nat B:2", List.of());
            claims.deadLetterIfClaimed(claimed.get(2), "no such customer", List.of());

            assertThat(fixture.number("SELECT COUNT(DISTINCT cause) FROM acidq_dead WHERE queue = ?", fixture.queueId))
                    .isEqualTo(2);
        }

        @Test
        void keepsCausesOfAnyLengthAndKind() {
            fixture.enqueue(0, null, "a");
            claims.deadLetterIfClaimed(fixture.claimOne(0).claim(), "🦊" + "x".repeat(300_000), List.of());

            assertThat(fixture.deadLetters(1).get(0).error()).startsWith("🦊x").hasSizeBetween(90_000, 100_000);
        }

        @Test
        void changesNothingWhenTheClaimWasLost() {
            fixture.enqueue(0, null, "a");
            Claim claim = fixture.claimOne(0).claim();

            assertThat(claims.deadLetterIfClaimed(with(claim, fixture.node, 2), "mark", List.of()))
                    .isFalse();
            assertThat(fixture.count("acidq_dead")).isZero();
            assertThat(fixture.count("acidq_message")).isEqualTo(1);
        }
    }

    @Nested
    class RequeueIfClaimed {

        @Test
        void takesTheAttemptBackAndKeepsTheClaimNumber() {
            fixture.enqueue(fixture.message(0, null, "a"), fixture.message(0, "k", "b"));
            List<Claim> claimed = QueueFixture.claims(fixture.claim(0, 10));

            assertThat(claims.requeueIfClaimed(claimed, Duration.ZERO)).isEqualTo(2);

            assertThat(fixture.rows(
                            "SELECT owner, attempts, claim_no FROM acidq_message WHERE queue = ?", fixture.queueId))
                    .hasToString("[[0, 0, 1], [0, 0, 1]]");
            assertThat(fixture.claimTexts(0, 10)).containsExactly("a", "b");
        }

        @Test
        void holdsTheMessageBackForTheDelay() {
            fixture.enqueue(0, null, "a");
            claims.requeueIfClaimed(List.of(fixture.claimOne(0).claim()), QueueFixture.HOUR);

            assertThat(fixture.claim(0, 10).messages()).isEmpty();
            fixture.passTwoHours();
            assertThat(fixture.claim(0, 10).messages()).hasSize(1);
        }

        @Test
        void countsOnlyWhatWasStillClaimedSo() {
            fixture.enqueue(
                    fixture.message(1, null, "a"), fixture.message(0, null, "b"), fixture.message(0, null, "c"));
            Claim a = fixture.claimOne(1).claim();
            List<Claim> rest = QueueFixture.claims(fixture.claim(0, 10));

            assertThat(claims.requeueIfClaimed(
                            List.of(with(a, fixture.node, 7), rest.get(1), with(rest.get(0), fixture.node + 1, 1)),
                            Duration.ZERO))
                    .isEqualTo(1);
            assertThat(claims.requeueIfClaimed(List.of(), Duration.ZERO)).isZero();
            assertThat(claims.claimedBy(fixture.node))
                    .extracting(HeldClaim::claim)
                    .containsExactlyInAnyOrder(rest.get(0), a);
        }
    }

    @Nested
    class ClaimedBy {

        @Test
        void listsWhatANodeHasClaimedWithItsBatches() {
            int other = fixture.newNode();
            fixture.enqueue(fixture.message(0, null, "a"), fixture.message(7, "k", "b"), fixture.message(7, "l", "c"));
            ClaimedMessage a = fixture.claimOne(0);
            ClaimedMessage b = fixture.claimOne(7);
            Claim c = fixture.claimAs(other, 7, 10).messages().get(0).claim();

            assertThat(claims.claimedBy(fixture.node))
                    .containsExactlyInAnyOrder(
                            new HeldClaim(a.claim(), a.batch()), new HeldClaim(b.claim(), b.batch()));
            assertThat(claims.claimedBy(other)).extracting(HeldClaim::claim).containsExactly(c);
        }
    }
}
