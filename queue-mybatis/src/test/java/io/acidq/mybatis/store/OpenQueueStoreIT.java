package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.Priority;
import io.acidq.QueueMisuseException;
import io.acidq.store.ClaimStore.HeldClaim;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.Due;
import io.acidq.store.Lane;
import io.acidq.store.QueueStore;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.store.QueueStore.StoredQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EachStore
class OpenQueueStoreIT extends StoreFixture {

    private final String name = "open-" + UUID.randomUUID();

    @BeforeEach
    void removeCancelRequestsOfOtherTests() {
        fixture.execute("DELETE FROM acidq_cancel");
    }

    @Test
    void createsAQueueWithItsLanesOnce() {
        QueueRow first = queues.openQueue(name);
        QueueRow second = queues.openQueue(name);

        assertThat(first).isEqualTo(second);
        assertThat(first.lanes()).isEqualTo(QueueStore.LANES);
        assertThat(fixture.number("SELECT COUNT(*) FROM acidq_lane WHERE queue = ?", first.id()))
                .isEqualTo(QueueStore.LANES);
    }

    @Test
    void givesOneQueueToAllWhoOpenItAtOnce() {
        List<CompletableFuture<QueueRow>> openers = IntStream.range(0, 6)
                .mapToObj(i -> QueueFixture.runAsync(() -> queues.openQueue(name)))
                .toList();

        assertThat(openers.stream().map(QueueFixture::join).distinct()).hasSize(1);
    }

    @Test
    void survivesTheRollbackOfTheCaller() {
        assertThatThrownBy(() -> transactions.run(() -> {
                    queues.openQueue(name);
                    throw new IllegalStateException("roll back");
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThat(fixture.number("SELECT COUNT(*) FROM acidq_queue WHERE name = ?", name))
                .isEqualTo(1);
    }

    @Test
    void usesLanesThatExistAlready() {
        for (int lane = 0; lane < 3; lane++) {
            fixture.execute("INSERT INTO acidq_lane (queue, lane) VALUES (?, ?)", QueueStore.numberOf(name), lane);
        }
        QueueRow row = queues.openQueue(name);
        assertThat(fixture.number("SELECT COUNT(*) FROM acidq_lane WHERE queue = ?", row.id()))
                .isEqualTo(QueueStore.LANES);
    }

    @Test
    void refusesAQueueWithoutLanes() {
        fixture.execute(
                "INSERT INTO acidq_queue (id, name, lanes, created_at) VALUES (?, ?, 0, TIMESTAMP '2026-11-22 00:00:00')",
                QueueStore.numberOf(name),
                name);
        assertThatThrownBy(() -> queues.openQueue(name))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll(name, "0 lanes", "acidq_lane");
    }

    /** A process that has kept the number in memory uses it in every database. */
    @Test
    void givesAQueueTheNumberOfItsName() {
        assertThat(queues.openQueue(name).id()).isEqualTo(QueueStore.numberOf(name));
    }

    @Test
    void refusesAQueueWhoseNumberAnotherQueueHas() {
        fixture.execute(
                "INSERT INTO acidq_queue (id, name, lanes, created_at) VALUES (?, ?, 64, TIMESTAMP '2026-11-22 00:00:00')",
                QueueStore.numberOf(name),
                "twin-" + name);
        assertThatThrownBy(() -> queues.openQueue(name))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("'" + name + "'", "'twin-" + name + "'", "rename one of the two queues");
    }

    @Test
    void refusesAQueueWhoseNumberIsNotThatOfItsName() {
        fixture.execute(
                "INSERT INTO acidq_queue (id, name, lanes, created_at) VALUES (?, ?, 64, TIMESTAMP '2026-11-22 00:00:00')",
                -QueueStore.numberOf(name),
                name);
        assertThatThrownBy(() -> queues.openQueue(name))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll(name, "must be " + QueueStore.numberOf(name));
    }

    /** The claims of a dead node are searched up to the claimed_to of each lane. */
    @Test
    void opensLostLanesAgainSoThatTheirClaimsAreFound() {
        fixture.enqueue(5, null, "a");
        ClaimedMessage claimed = fixture.claimOne(5);
        fixture.execute("DELETE FROM acidq_lane WHERE queue = ?", fixture.queueId);
        assertThat(claims.claimedBy(fixture.node)).isEmpty();

        queues.openLanes(List.of(fixture.queue));

        assertThat(claims.claimedBy(fixture.node)).extracting(HeldClaim::claim).containsExactly(claimed.claim());
        assertThat(queues.readQueues(List.of(fixture.queueId)))
                .containsExactly(new StoredQueue(
                        fixture.queueId, fixture.queue.name(), false, 0, QueueStore.DIRECT_LANES, 0, 0));
    }

    @Test
    void opensTheLanesOfPrioritiesOnce() {
        queues.openPriorityLanes(fixture.queue);
        queues.openPriorityLanes(fixture.queue);
        assertThat(queues.readQueues(List.of(fixture.queueId)))
                .extracting(StoredQueue::priorityLanes)
                .containsExactly(16);
    }

    /** The claims of a dead node are searched up to the claimed_to of each lane. */
    @Test
    void opensALostLaneOfAPriorityAgainSoThatItsClaimsAreFound() {
        queues.openPriorityLanes(fixture.queue);
        fixture.enqueue(1003, null, "a");
        assertThat(claims.lanesWithWork(fixture.queueId, Priority.HIGH))
                .containsExactly(new Lane(fixture.queueId, 1003));
        assertThat(claims.lanesWithWork(fixture.queueId, Priority.LOW)).isEmpty();
        ClaimedMessage claimed = fixture.claimOne(1003);
        assertThat(claims.lanesWithWork(fixture.queueId, Priority.HIGH)).isEmpty();
        fixture.execute("DELETE FROM acidq_lane WHERE queue = ? AND lane = 1003", fixture.queueId);
        assertThat(claims.claimedBy(fixture.node)).isEmpty();

        queues.reopenPriorityLanes(fixture.queue);

        assertThat(claims.claimedBy(fixture.node)).extracting(HeldClaim::claim).containsExactly(claimed.claim());
    }

    @Test
    void tellsWhichRowsAQueueHas() {
        QueueRow row = queues.openQueue(name);
        fixture.execute("DELETE FROM acidq_lane WHERE queue = ? AND lane < 10", row.id());
        assertThat(queues.readQueues(List.of(row.id(), -1)))
                .containsExactly(new StoredQueue(row.id(), name, false, 10, 0, 0, 0));
    }

    /** A process that had used the queue before its row was lost has scheduled them. */
    @Test
    void letsMessagesOfALostQueueNotHoldUpOthersThatAreDue() {
        QueueFixture lost = new QueueFixture(database());
        Due past = new Due(null, Instant.parse("2020-01-01T00:00:00Z"));
        lost.enqueue(500, i -> lost.message(0, null, "lost", past));
        lost.execute("DELETE FROM acidq_queue WHERE id = ?", lost.queueId);
        fixture.enqueue(fixture.message(7, null, "due", new Due(null, Instant.parse("2020-01-02T00:00:00Z"))));

        assertThat(maintenance.moveDue().lanes()).contains(new Lane(fixture.queueId, 7));
        assertThat(maintenance.moveDue().nextDue()).isNotEqualTo(Duration.ofMillis(20));

        assertThat(queues.openQueue(lost.queue.name())).isEqualTo(lost.queue);
        assertThat(maintenance.moveDue().lanes()).containsExactly(new Lane(lost.queueId, 0));
    }

    @Test
    void tellsNamesApartByTheirBytes() {
        assertThat(queues.openQueue(name + "-a")).isNotEqualTo(queues.openQueue(name + "-A"));
    }
}
