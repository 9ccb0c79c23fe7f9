package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.MessageId;
import io.acidq.admin.Operator;
import io.acidq.store.ClaimStore.Budget;
import io.acidq.store.ClaimStore.ClaimRequest;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.ClaimedMessage.TimeLeft;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.KeyClaim;
import io.acidq.store.EnqueueStore.KeyState;
import io.acidq.store.EnqueueStore.MessageRow;
import io.acidq.store.EnqueueStore.Window;
import io.acidq.store.Expiry;
import io.acidq.store.QueueStore.Cancellation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The expiry of messages, and what changes messages that wait, in every store. */
@EachStore
class ExpiryStoreIT extends StoreFixture {

    private static final Duration HOUR = QueueFixture.HOUR;
    private static final Instant AT = Instant.parse("2100-01-02T03:04:05.678901Z");

    private MessageRow row(String text, Due due, Expiry expiry) {
        MessageRow row = fixture.message(0, null, text, due);
        return new MessageRow(
                row.queue(), row.lane(), row.uid(), text, null, row.type(), row.headers(), row.payload(), due, expiry);
    }

    private static TimeLeft left(ClaimedMessage message) {
        return Objects.requireNonNull(message.timeLeft());
    }

    @Test
    void returnsTheTimeLeftWithTheClaim() {
        fixture.enqueue(
                row("never", Due.NOW, Expiry.NEVER),
                row("at", Due.NOW, new Expiry(null, AT)),
                row("after", Due.NOW, new Expiry(HOUR, null)),
                row("expired", Due.NOW, new Expiry(null, Instant.EPOCH)));

        List<ClaimedMessage> claimed = fixture.claim(0, 10).messages();

        assertThat(claimed.get(0).timeLeft()).isNull();
        assertThat(left(claimed.get(1)).expiresAt()).isEqualTo(AT);
        assertThat(left(claimed.get(2)).atClaim()).isBetween(HOUR.minusMinutes(5), HOUR);
        assertThat(left(claimed.get(3)).atClaim()).isNegative();
    }

    @ParameterizedTest
    @EnumSource(
            value = ClaimStrategy.class,
            names = {"FOR_UPDATE", "OPTIMISTIC", "BATCH_ID"})
    void returnsTheTimeLeftByEachStrategy(ClaimStrategy strategy) {
        fixture.enqueue(row("at", Due.NOW, new Expiry(null, AT)));
        ClaimedMessage claimed = claims.claimDue(
                        new ClaimRequest(fixture.queueId, 0, fixture.node, 1, new Budget(1, 1, true), strategy))
                .messages()
                .get(0);
        assertThat(left(claimed).expiresAt()).isEqualTo(AT);
    }

    /** A time to live counts from the due time, or from now if that has passed. */
    @Test
    void countsATimeToLiveFromTheDueTime() {
        fixture.enqueue(
                row("delayed", new Due(HOUR, null), new Expiry(HOUR, null)),
                row("at", new Due(null, AT), new Expiry(HOUR, null)),
                row("past", new Due(null, Instant.EPOCH), new Expiry(HOUR, null)),
                row("instant", new Due(HOUR, null), new Expiry(null, AT)));

        assertThat(fixture.number(
                        "SELECT COUNT(*) FROM acidq_scheduled WHERE p_key IN (?, ?) AND expires_at > preexec_time",
                        "delayed".getBytes(),
                        "at".getBytes()))
                .isEqualTo(2);
        store.maintenance().moveDue();
        assertThat(left(fixture.claim(0, 10).messages().get(0)).atClaim()).isBetween(HOUR.minusMinutes(5), HOUR);
    }

    @Test
    void tellsTheRescueOfADeadNodeWhichMessagesHaveExpired() {
        fixture.enqueue(
                row("later", Due.NOW, new Expiry(HOUR, null)), row("past", Due.NOW, new Expiry(null, Instant.EPOCH)));
        List<Boolean> expired = new ArrayList<>();
        List<ClaimedMessage> claimed = fixture.claim(0, 10).messages();
        fixture.declareDead(fixture.node);
        store.nodes().rescue(fixture.node, orphans -> {
            orphans.claims().stream()
                    .sorted(Comparator.comparingLong(orphan -> orphan.claim().id()))
                    .forEach(orphan -> expired.add(orphan.expired()));
            return List.of();
        });
        assertThat(claimed).hasSize(2);
        assertThat(expired).containsExactly(false, true);
    }

    @Test
    void reschedulesAndWithdrawsByTheKey() throws Exception {
        MessageRow row = row("k", new Due(HOUR, null), new Expiry(HOUR, null));
        transactions.run(() -> {
            enqueue.takeKey(new KeyClaim(fixture.queueId, "k", row.uid(), 0, row.due(), new Window(HOUR, true)));
            enqueue.insert(List.of(row));
        });
        transactions.run(() -> {
            KeyState found = enqueue.lockKey(fixture.queueId, "k").orElseThrow();
            assertThat(enqueue.rescheduleIfScheduled(found, AT)).isTrue();
        });
        assertThat(fixture.number(
                        "SELECT COUNT(*) FROM acidq_scheduled WHERE preexec_time > ? AND expires_at > preexec_time",
                        "2100-01-01 00:00:00"))
                .isEqualTo(1);
        transactions.run(() -> {
            KeyState found = enqueue.lockKey(fixture.queueId, "k").orElseThrow();
            assertThat(enqueue.withdrawIfScheduled(fixture.queueId, found)).isTrue();
            assertThat(enqueue.lockKey(fixture.queueId, "k")).isEmpty();
        });
        assertThat(fixture.count("acidq_scheduled") + fixture.count("acidq_key"))
                .isZero();
    }

    @Test
    void cancelsWhatWaitsAndAsksWhatIsClaimed() {
        fixture.execute("DELETE FROM acidq_cancel"); // other classes use the same database
        MessageRow free = row("free", Due.NOW, Expiry.NEVER);
        MessageRow later = row("later", new Due(HOUR, null), Expiry.NEVER);
        MessageRow claimed = row("claimed", Due.NOW, Expiry.NEVER);
        fixture.enqueue(claimed);
        ClaimedMessage message = fixture.claimOne(0);
        fixture.enqueue(free, later);

        assertThat(cancel(free)).isEqualTo(Cancellation.CANCELLED);
        assertThat(cancel(later)).isEqualTo(Cancellation.CANCELLED);
        assertThat(cancel(claimed)).isEqualTo(Cancellation.REQUESTED);
        assertThat(cancel(claimed)).as("again").isEqualTo(Cancellation.REQUESTED);
        assertThat(cancel(free)).isEqualTo(Cancellation.GONE);
        assertThat(store.queues().cancelRequests()).containsExactly(claimed.uid());
        assertThat(store.queues().readQueues(List.of(fixture.queueId)).get(0).cancelRequests())
                .isEqualTo(1);
        assertThat(claims.retryIfClaimed(message, HOUR, List.of())).isFalse();
        assertThat(claims.cancelIfRequested(message.claim())).isTrue();
        assertThat(store.queues().cancelRequests()).as("forgotten").isEmpty();
        assertThat(store.queues().readQueues(List.of(fixture.queueId)).get(0).cancelRequests())
                .isZero();
        assertThat(fixture.count("acidq_message") + fixture.count("acidq_scheduled"))
                .isZero();
    }

    private Cancellation cancel(MessageRow row) {
        return store.queues()
                .cancel(fixture.queue, new MessageId(fixture.queue.name(), 0, row.uid()), new Operator("ann", "test"));
    }
}
