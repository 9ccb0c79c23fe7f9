package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.DeadHeadPolicy;
import io.acidq.Receipt;
import io.acidq.admin.MessageFilter;
import io.acidq.store.DeadLetterStore.BulkProgress;
import io.acidq.store.DeadLetterStore.OperatorAction;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.KeyClaim;
import io.acidq.store.EnqueueStore.KeyState;
import io.acidq.store.EnqueueStore.MessageRow;
import io.acidq.store.EnqueueStore.Window;
import io.acidq.store.QueueStore.CancelPlace;
import io.acidq.store.QueueStore.Cancellable;
import io.acidq.store.QueueStore.CancelledMessages;
import io.acidq.store.ReceiptStore;
import io.acidq.store.ReceiptStore.NewReceipt;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bulk cancellations of operators, in every store. */
@EachStore
class BulkCancelStoreIT extends StoreFixture {

    private static final Duration HOUR = QueueFixture.HOUR;

    private MessageFilter all;

    @BeforeEach
    void selectAll() {
        all = MessageFilter.of(fixture.queue.name());
    }

    private List<Cancellable> pick(MessageFilter filter, @Nullable Integer lane, int limit) {
        return queues.pickForCancel(fixture.queue, filter, lane, limit);
    }

    private CancelledMessages cancel(List<Cancellable> messages, long bulk) {
        BulkProgress progress = new BulkProgress(bulk, fixture.queueId, all.toString(), messages.size(), 0, 0, 0);
        return queues.cancelAll(new OperatorAction("ann", "why", progress), fixture.queue, messages);
    }

    private void parkTwo() {
        queues.changeDeadHeadPolicy(fixture.queue, DeadHeadPolicy.PARK);
        fixture.enqueueAll(2, "k", "dead", "first", "second");
        claims.deadLetterIfClaimed(fixture.claimOne(2).claim(), "no", List.of());
        fixture.claim(2, 10);
        assertThat(fixture.count("acidq_parked")).isEqualTo(2);
    }

    @Test
    void picksWaitingThenScheduledThenParkedMessagesAndClaimedOnesOnlyIfTheFilterSaysSo() {
        fixture.enqueueAll(0, null, "a", "b");
        fixture.enqueueAll(1, null, "c");
        fixture.claimOne(0);
        fixture.enqueue(fixture.message(3, null, "d", new Due(HOUR, null)));
        parkTwo();

        assertThat(pick(all, null, 100))
                .extracting(Cancellable::place)
                .containsExactly(
                        CancelPlace.WAITING,
                        CancelPlace.WAITING,
                        CancelPlace.SCHEDULED,
                        CancelPlace.PARKED,
                        CancelPlace.PARKED);
        assertThat(pick(all.withClaimed(), null, 100)).hasSize(6);
        assertThat(pick(all, null, 3)).hasSize(3);
        assertThat(pick(all.withOrderingKey("k"), 2, 100)).hasSize(2);
        assertThat(pick(all.withOrderingKey("other"), 2, 100)).isEmpty();
        assertThat(pick(all.withType("type"), null, 100)).hasSize(5);
        assertThat(pick(all.withType("other"), null, 100)).isEmpty();
        assertThat(pick(all.withEnqueuedBefore(Instant.parse("2000-01-01T00:00:00Z")), null, 100))
                .isEmpty();
        assertThat(pick(all.withEnqueuedBefore(Instant.parse("2100-01-01T00:00:00Z")), null, 100))
                .hasSize(5);
    }

    /** Many of them are due at the same instant. */
    @Test
    void picksAllOfSeveralPages() {
        Due due = new Due(null, Instant.parse("2100-01-01T00:00:00Z"));
        Due later = new Due(null, Instant.parse("2100-01-02T00:00:00Z"));
        fixture.enqueue(1100, i -> fixture.message(0, null, "m" + i));
        fixture.enqueue(10, i -> fixture.message(0, null, "m" + i, new Due(HOUR, null)));
        fixture.enqueue(2100, i -> fixture.message(0, null, "m" + i, due));
        fixture.enqueue(10, i -> fixture.message(0, null, "m" + i, later));
        assertThat(pick(all, null, 10_000)).hasSize(3220).doesNotHaveDuplicates();
    }

    @Test
    void deletesWaitingMessagesAndRecordsThem() {
        UUID uid = ReceiptStore.uid(UUID.randomUUID(), false);
        MessageRow row = fixture.message(0, null, "a");
        fixture.enqueue(
                new MessageRow(row.queue(), 0, uid, null, null, row.type(), row.headers(), row.payload(), Due.NOW));
        transactions.run(() -> store.receipts().insert(List.of(new NewReceipt(uid, HOUR))));
        fixture.enqueueAll(0, null, "b", "c");
        List<Cancellable> picked = pick(all, null, 100);
        fixture.execute(
                "UPDATE acidq_message SET owner = 7 WHERE queue = ? AND id = ?",
                fixture.queueId,
                picked.get(1).id());

        CancelledMessages result = cancel(picked, 0);

        assertThat(result.cancelled()).containsExactly(picked.get(0), picked.get(2));
        assertThat(fixture.count("acidq_message")).isEqualTo(1);
        assertThat(store.receipts().find(uid).orElseThrow().state()).isEqualTo(Receipt.State.CANCELLED);
        assertThat(fixture.rows(
                        "SELECT action, actor, detail FROM acidq_audit WHERE queue = ? AND uid IS NULL",
                        fixture.queueId))
                .hasToString("[[cancel, ann, matched=3 changed=2 lost=1]]");
        assertThat(fixture.number("SELECT COUNT(*) FROM acidq_audit WHERE bulk = ?", result.bulk()))
                .isEqualTo(2);
        assertThat(cancel(picked.subList(1, 2), result.bulk()).bulk()).isEqualTo(result.bulk());
    }

    @Test
    void leavesALockedMessageAlone() throws Exception {
        fixture.enqueueAll(0, null, "a", "b");
        List<Cancellable> picked = pick(all, null, 100);
        CompletableFuture<Integer> holder = hold(() -> lock(picked.get(0)));

        assertThat(cancel(picked, 0).cancelled()).containsExactly(picked.get(1));
        end.countDown();
        holder.get();
    }

    /** Locks a message in the transaction of the caller, as an acknowledgement does. */
    private int lock(Cancellable message) throws Exception {
        try (var update = transactions
                .connection()
                .prepareStatement("UPDATE acidq_message SET batch = 5 WHERE queue = ? AND lane = ? AND id = ?")) {
            update.setInt(1, fixture.queueId);
            update.setInt(2, message.lane());
            update.setLong(3, message.id());
            return update.executeUpdate();
        }
    }

    @Test
    void deletesScheduledMessagesAndKeepsTheirKeys() {
        MessageRow row = fixture.message(0, null, "a", new Due(HOUR, null));
        MessageRow keyed = new MessageRow(
                row.queue(), 0, row.uid(), "key", null, row.type(), row.headers(), row.payload(), row.due());
        transactions.run(() -> {
            enqueue.takeKey(new KeyClaim(fixture.queueId, "key", row.uid(), 0, row.due(), new Window(HOUR, true)));
            enqueue.insert(List.of(keyed));
        });
        fixture.enqueue(fixture.message(1, null, "b", new Due(HOUR, null)));

        assertThat(cancel(pick(all, null, 100), 0).cancelled()).hasSize(2);

        assertThat(fixture.count("acidq_scheduled")).isZero();
        transactions.run(() -> {
            KeyState found = enqueue.lockKey(fixture.queueId, "key").orElseThrow();
            assertThat(found.due()).isNull();
        });
    }

    @Test
    void leavesNoDueTimeInTheKeyOfAMessageThatIsDiscardedWithItsSubscription() {
        MessageRow row = fixture.message(0, null, "a", new Due(HOUR, null));
        MessageRow keyed = new MessageRow(
                row.queue(), 0, row.uid(), "key", null, row.type(), row.headers(), row.payload(), row.due());
        transactions.run(() -> {
            enqueue.takeKey(new KeyClaim(fixture.queueId, "key", row.uid(), 0, row.due(), new Window(HOUR, true)));
            enqueue.insert(List.of(keyed));
        });

        assertThat(store.subscriptions().discardWaiting(fixture.queueId, 500)).isOne();

        assertThat(fixture.number("SELECT COUNT(*) FROM acidq_key WHERE queue = ? AND due IS NULL", fixture.queueId))
                .isOne();
    }

    @Test
    void deletesParkedMessagesWithTheirMarker() {
        parkTwo();

        assertThat(cancel(pick(all, null, 100), 0).cancelled()).hasSize(2);

        assertThat(fixture.count("acidq_parked")).isZero();
        assertThat(fixture.number("SELECT COUNT(*) FROM acidq_message WHERE queue = ? AND kind = 2", fixture.queueId))
                .isZero();
    }

    @Test
    void leavesAloneAMessageThatHasDiedAndHoldsItsPlace() {
        queues.changeDeadHeadPolicy(fixture.queue, DeadHeadPolicy.BLOCK);
        fixture.enqueueAll(0, "k", "a");
        List<Cancellable> picked = pick(all, null, 100);
        claims.deadLetterIfClaimed(fixture.claimOne(0).claim(), "no", List.of());

        assertThat(cancel(picked, 0).cancelled()).isEmpty();
        assertThat(fixture.count("acidq_message")).as("the marker").isEqualTo(1);
        assertThat(pick(all, null, 100)).isEmpty();
    }
}
