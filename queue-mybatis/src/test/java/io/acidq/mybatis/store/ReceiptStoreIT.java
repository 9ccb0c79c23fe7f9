package io.acidq.mybatis.store;

import static io.acidq.mybatis.store.QueueFixture.ANN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.MessageId;
import io.acidq.Receipt.State;
import io.acidq.Receipts.Committed;
import io.acidq.admin.Operator;
import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.KeyClaim;
import io.acidq.store.EnqueueStore.KeyState;
import io.acidq.store.EnqueueStore.MessageRow;
import io.acidq.store.EnqueueStore.Window;
import io.acidq.store.NodeStore.RescueDecision;
import io.acidq.store.QueueStore.Cancellation;
import io.acidq.store.ReceiptStore;
import io.acidq.store.ReceiptStore.NewReceipt;
import io.acidq.store.ReceiptStore.ReceiptRow;
import io.acidq.store.ReceiptStore.Result;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Receipts: each end of a message writes its receipt in its own transaction. */
@EachServer
class ReceiptStoreIT extends StoreFixture {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final byte[] BYTES = "result".getBytes(StandardCharsets.UTF_8);

    private ReceiptStore receipts;

    @BeforeEach
    void removeWhatOtherTestsLeft() {
        receipts = store.receipts();
        fixture.execute("DELETE FROM acidq_receipt");
    }

    /** A number as the generator makes them: of version 7, with the time in front. */
    private static UUID uid() {
        UUID random = UUID.randomUUID();
        long high = System.currentTimeMillis() << 16 | 0x7000 | (random.getMostSignificantBits() & 0xFFF);
        return ReceiptStore.uid(new UUID(high, random.getLeastSignificantBits()), true);
    }

    private MessageRow row(Due due) {
        return new MessageRow(fixture.queueId, 0, uid(), null, null, "type", "headers", new byte[] {1}, due);
    }

    private void insert(MessageRow row) {
        enqueue.insert(List.of(row));
        receipts.insert(List.of(new NewReceipt(row.uid(), HOUR)));
    }

    private UUID enqueue(Due due) {
        MessageRow row = row(due);
        transactions.run(() -> insert(row));
        return row.uid();
    }

    private ClaimedMessage claimed() {
        UUID uid = enqueue(Due.NOW);
        ClaimedMessage message = fixture.claimOne(0);
        assertThat(message.uid()).isEqualTo(uid);
        return message;
    }

    private ReceiptRow receipt(UUID uid) {
        return receipts.find(uid).orElseThrow();
    }

    /** Asserts the state, and that the receipt is kept for an hour from now, or without limit. */
    private void assertEnded(UUID uid, State state, boolean limited) {
        ReceiptRow receipt = receipt(uid);
        assertThat(receipt.state()).isEqualTo(state);
        assertThat(receipt.endedAt()).isNotNull();
        if (limited) {
            assertThat(receipt.keptUntil()).isEqualTo(receipt.endedAt().plus(HOUR));
        } else {
            assertThat(receipt.keptUntil()).isNull();
        }
    }

    private void assertPending(UUID uid) {
        assertThat(receipt(uid)).isEqualTo(new ReceiptRow(State.PENDING, "", null, null, null));
    }

    // ---- whether it was committed

    @Test
    void waitsForTheTransactionThatInsertsAndThenKnows() throws Exception {
        for (boolean commits : List.of(true, false)) {
            MessageRow row = row(Due.NOW);
            CountDownLatch inserted = new CountDownLatch(1);
            CountDownLatch decides = new CountDownLatch(1);
            CompletableFuture<?> caller = QueueFixture.runAsync(() -> {
                try {
                    transactions.run(() -> {
                        insert(row);
                        inserted.countDown();
                        QueueFixture.await(decides);
                        if (!commits) {
                            throw new IllegalStateException("rolled back");
                        }
                    });
                } catch (IllegalStateException e) {
                    assertThat(commits).isFalse();
                }
                return null;
            });
            QueueFixture.await(inserted);
            CompletableFuture<Committed> answer = QueueFixture.runAsync(() -> receipts.committed(row.uid()));
            assertThat(receipts.find(row.uid()))
                    .as("a plain read does not wait")
                    .isEmpty();
            assertThat(answer).isNotDone();
            decides.countDown();
            assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo(commits ? Committed.YES : Committed.NO);
            caller.get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void isNotHeldUpByAnAnswerToNo() throws Exception {
        MessageRow row = row(Due.NOW);
        assertThat(receipts.committed(row.uid())).isEqualTo(Committed.NO);
        transactions.run(() -> insert(row));
        assertThat(receipts.committed(row.uid())).isEqualTo(Committed.YES);
    }

    // ---- each end

    @Test
    void endsWithTheAcknowledgement() throws Exception {
        Claim claim = claimed().claim();
        assertPending(claim.uid());
        transactions.run(() -> {
            assertThat(claims.ackIfClaimed(claim, new Result("quote", BYTES))).isTrue();
            assertPending(claim.uid());
        });
        assertEnded(claim.uid(), State.DONE, true);
        assertThat(receipt(claim.uid()).type()).isEqualTo("quote");
        assertThat(receipt(claim.uid()).result()).isEqualTo(BYTES);
    }

    @Test
    void doesNotEndWithAnAcknowledgementThatTheFenceRefuses() {
        Claim claim = claimed().claim();
        claims.requeueIfClaimed(List.of(claim), Duration.ZERO);
        transactions.run(() -> assertThat(claims.ackIfClaimed(claim)).isFalse());
        transactions.run(
                () -> assertThat(claims.ackAllIfClaimed(List.of(claim, claim))).isZero());
        transactions.run(() -> assertThat(claims.archiveIfClaimed(claim, HOUR)).isFalse());
        assertThat(claims.cancelIfClaimed(claim)).isFalse();
        assertThat(claims.deadLetterIfClaimed(claim, "error", List.of())).isFalse();
        assertPending(claim.uid());
    }

    @Test
    void endsWithTheAcknowledgementOfSeveral() {
        UUID withResult = enqueue(Due.NOW);
        UUID without = enqueue(Due.NOW);
        UUID untracked = fixture.enqueue(0, null, "m");
        List<Claim> all = QueueFixture.claims(fixture.claim(0, 10));
        transactions.run(() -> assertThat(claims.ackAllIfClaimed(all, Map.of(withResult, new Result("quote", BYTES))))
                .isEqualTo(3));
        assertEnded(withResult, State.DONE, true);
        assertEnded(without, State.DONE, true);
        assertThat(receipt(withResult).result()).isEqualTo(BYTES);
        assertThat(receipt(without).result()).isNull();
        assertThat(receipts.find(untracked)).isEmpty();
    }

    @Test
    void endsWithTheArchive() {
        Claim claim = claimed().claim();
        transactions.run(() -> assertThat(claims.archiveIfClaimed(claim, HOUR, new Result("quote", BYTES)))
                .isTrue());
        assertEnded(claim.uid(), State.DONE, true);
        assertThat(receipt(claim.uid()).result()).isEqualTo(BYTES);
    }

    @Test
    void endsWithACancel() {
        Claim claim = claimed().claim();
        assertThat(claims.cancelIfClaimed(claim)).isTrue();
        assertEnded(claim.uid(), State.CANCELLED, true);
    }

    @Test
    void isPendingAfterARetryAndARequeue() {
        ClaimedMessage message = claimed();
        assertThat(claims.retryIfClaimed(message, Duration.ZERO, List.of())).isTrue();
        assertPending(message.uid());
        Claim again = fixture.claimOne(0).claim();
        assertThat(claims.requeueIfClaimed(List.of(again), Duration.ZERO)).isOne();
        assertPending(message.uid());
    }

    @Test
    void isDeadWhileThereIsADeadLetterAndPendingAfterAReplay() {
        Claim claim = claimed().claim();
        assertThat(claims.deadLetterIfClaimed(claim, "error", List.of())).isTrue();
        assertEnded(claim.uid(), State.DEAD, false);
        assertThat(dead.replayIfDead(ANN, fixture.letters()).changed()).isOne();
        assertPending(claim.uid());
    }

    @Test
    void isPendingAfterAReplayWithAnotherPayload() {
        Claim claim = claimed().claim();
        claims.deadLetterIfClaimed(claim, "error", List.of());
        assertThat(dead.editIfDead(ANN, fixture.letters().get(0), BYTES, null).changed())
                .isOne();
        assertPending(claim.uid());
    }

    @Test
    void isDiscardedWithTheDeadLetter() {
        Claim claim = claimed().claim();
        claims.deadLetterIfClaimed(claim, "error", List.of());
        assertThat(dead.discardIfDead(ANN, fixture.letters()).changed()).isOne();
        assertEnded(claim.uid(), State.DISCARDED, true);
    }

    @Test
    void isKeptForItsTimeAfterTheRetentionOfTheDeadLetter() {
        Claim claim = claimed().claim();
        claims.deadLetterIfClaimed(claim, "error", List.of());
        fixture.execute(
                "UPDATE acidq_dead SET died_at = TIMESTAMPADD(HOUR, -2, died_at) WHERE queue = ?", fixture.queueId);
        maintenance.pruneDead(queue -> queue.equals(fixture.queue.name()) ? HOUR : null, 500);
        assertThat(fixture.letters()).isEmpty();
        assertThat(receipt(claim.uid()).state()).isEqualTo(State.DEAD);
        assertThat(receipt(claim.uid()).keptUntil()).isNotNull();
    }

    @Test
    void isDeadWhenTheRescuerGivesTheMessageUp() {
        int other = fixture.newNode();
        UUID uid = enqueue(Due.NOW);
        Claim claim = QueueFixture.claims(fixture.claimAs(other, 0, 1)).get(0);
        fixture.declareDead(other);
        nodes.rescue(other, orphans -> List.of(new RescueDecision(claim, 1, "crashed too often")));
        assertEnded(uid, State.DEAD, false);
    }

    @Test
    void isPendingWhenTheRescuerFreesTheMessage() {
        int other = fixture.newNode();
        UUID uid = enqueue(Due.NOW);
        Claim claim = QueueFixture.claims(fixture.claimAs(other, 0, 1)).get(0);
        fixture.declareDead(other);
        nodes.rescue(other, orphans -> List.of(new RescueDecision(claim, 1, null)));
        assertPending(uid);
    }

    @Test
    void isDiscardedWithTheWaitingMessagesOfASubscription() {
        UUID waiting = enqueue(Due.NOW);
        UUID scheduled = enqueue(new Due(HOUR, null));
        UUID parked = park();
        assertThat(store.subscriptions().discardWaiting(fixture.queueId, 500)).isEqualTo(3);
        for (UUID uid : List.of(waiting, scheduled, parked)) {
            assertEnded(uid, State.DISCARDED, true);
        }
        assertThat(fixture.count("acidq_parked")).isZero();
    }

    @Test
    void isExpiredWhenTheMessageIsRemovedBecauseItHasExpired() {
        Claim claim = claimed().claim();
        assertThat(claims.cancelIfClaimed(claim, State.EXPIRED)).isTrue();
        assertEnded(claim.uid(), State.EXPIRED, true);
    }

    @Test
    void endsWithTheCancelOfAMessageThatWaits() throws Exception {
        UUID free = enqueue(Due.NOW);
        UUID scheduled = enqueue(new Due(HOUR, null));
        UUID parked = park();
        for (UUID uid : List.of(free, scheduled, parked)) {
            assertThat(cancel(uid)).isEqualTo(Cancellation.CANCELLED);
            assertEnded(uid, State.CANCELLED, true);
        }
        assertThat(cancel(free)).isEqualTo(Cancellation.GONE);
    }

    /** Enqueues a message behind a dead letter that blocks its ordering key. */
    private UUID park() {
        UUID parked = uid();
        fixture.execute(
                "INSERT INTO acidq_parked (queue, order_key, id, lane, uid, claim_no, attempts, crashes, enqueued_at, preexec_time, type, headers, size, payload)"
                        + " SELECT queue, 'key', id, lane, X'"
                        + parked.toString().replace("-", "")
                        + "', 0, 0, 0, enqueued_at, preexec_time, type, headers, size, payload FROM acidq_message WHERE queue = ?",
                fixture.queueId);
        transactions.run(() -> receipts.insert(List.of(new NewReceipt(parked, HOUR))));
        return parked;
    }

    @Test
    void isPendingWhileAClaimedMessageIsAskedToStop() {
        Claim claim = asked().claim();
        assertPending(claim.uid());
        transactions.run(() -> assertThat(claims.ackIfClaimed(claim)).isTrue());
        assertEnded(claim.uid(), State.DONE, true);
    }

    private ClaimedMessage asked() {
        ClaimedMessage message = claimed();
        assertThat(cancel(message.uid())).isEqualTo(Cancellation.REQUESTED);
        return message;
    }

    private Cancellation cancel(UUID uid) {
        return store.queues()
                .cancel(fixture.queue, new MessageId(fixture.queue.name(), 0, uid), new Operator("ann", "test"));
    }

    @Test
    void endsOnlyWithTheEndOfAMessageThatIsAskedToStop() {
        ClaimedMessage message = asked();
        assertThat(claims.retryIfClaimed(message, HOUR, List.of())).isFalse();
        assertThat(claims.deadLetterIfClaimed(message.claim(), "error", List.of()))
                .isFalse();
        assertPending(message.uid());
        assertThat(claims.cancelIfRequested(message.claim())).isTrue();
        assertEnded(message.uid(), State.CANCELLED, true);
    }

    @Test
    void isPendingIfNobodyHasAskedTheMessageToStop() {
        Claim claim = claimed().claim();
        assertThat(claims.cancelIfRequested(claim)).isFalse();
        assertPending(claim.uid());
    }

    @Test
    void endsWithTheRequeueOfAMessageThatIsAskedToStop() {
        Claim claim = asked().claim();
        assertThat(claims.requeueIfClaimed(List.of(claim), Duration.ZERO)).isOne();
        assertEnded(claim.uid(), State.CANCELLED, true);
    }

    @Test
    void endsWithTheRescueOfAMessageThatIsAskedToStop() {
        int other = fixture.newNode();
        UUID uid = enqueue(Due.NOW);
        Claim claim = QueueFixture.claims(fixture.claimAs(other, 0, 1)).get(0);
        assertThat(cancel(uid)).isEqualTo(Cancellation.REQUESTED);
        fixture.declareDead(other);
        nodes.rescue(other, orphans -> List.of(new RescueDecision(claim, 1, "crashed too often")));
        assertEnded(uid, State.CANCELLED, true);
    }

    @Test
    void endsWithTheTransactionThatWithdraws() {
        UUID uid = enqueueKeyed();
        assertThatThrownBy(() -> transactions.run(() -> {
                    withdraw();
                    throw new IllegalStateException("rolled back");
                }))
                .hasMessage("rolled back");
        assertPending(uid);
        transactions.run(this::withdraw);
        assertEnded(uid, State.CANCELLED, true);
    }

    private UUID enqueueKeyed() {
        Due due = new Due(HOUR, null);
        MessageRow row = new MessageRow(fixture.queueId, 0, uid(), "key", null, "type", "", new byte[] {1}, due);
        transactions.run(() -> {
            enqueue.takeKey(new KeyClaim(fixture.queueId, "key", row.uid(), 0, due, new Window(HOUR, true)));
            insert(row);
        });
        return row.uid();
    }

    private void withdraw() {
        KeyState found = enqueue.lockKey(fixture.queueId, "key").orElseThrow();
        assertThat(enqueue.withdrawIfScheduled(fixture.queueId, found)).isTrue();
    }

    @Test
    void isPendingAfterAReschedule() {
        UUID uid = enqueueKeyed();
        transactions.run(() -> {
            KeyState found = enqueue.lockKey(fixture.queueId, "key").orElseThrow();
            assertThat(enqueue.rescheduleIfScheduled(found, found.now().plus(HOUR.multipliedBy(2))))
                    .isTrue();
        });
        assertPending(uid);
    }

    // ---- retention

    @Test
    void removesOldReceiptsAndNeverSaysNoForTheirMessages() {
        UUID old = claimed().uid();
        fixture.execute("UPDATE acidq_receipt SET state = 'DONE', kept_until = UTC_TIMESTAMP(6)");
        UUID pending = enqueue(Due.NOW);
        assertThat(maintenance.pruneReceipts(500).rows()).isOne();
        assertThat(maintenance.pruneReceipts(500).rows()).isZero();
        assertThat(receipts.committed(old)).isEqualTo(Committed.NOT_TRACKED);
        assertThat(receipts.committed(pending)).isEqualTo(Committed.YES);
        UUID later = new UUID(pending.getMostSignificantBits() + (1L << 16), pending.getLeastSignificantBits());
        assertThat(receipts.committed(later)).isEqualTo(Committed.NO);
    }

    @Test
    void keepsTheGreatestNumberThatWasRemoved() {
        List<UUID> uids = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            uids.add(enqueue(Due.NOW));
        }
        uids.sort(ReceiptEndings::compare);
        for (int i : List.of(2, 0)) { // first the greatest
            fixture.execute("UPDATE acidq_receipt SET kept_until = UTC_TIMESTAMP(6) WHERE uid = X'"
                    + uids.get(i).toString().replace("-", "") + "'");
            maintenance.pruneReceipts(500);
        }
        assertThat(receipts.committed(uids.get(2))).isEqualTo(Committed.NOT_TRACKED);
        assertThat(receipts.committed(uids.get(0))).isEqualTo(Committed.NOT_TRACKED);
        assertThat(receipts.committed(uids.get(1))).isEqualTo(Committed.YES);
    }
}
