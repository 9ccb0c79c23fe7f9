package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.MessageId;
import io.acidq.admin.ArchivedMessage;
import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.DeadLetterStore.OperatorAction;
import io.acidq.store.MaintenanceStore.Pruned;
import io.acidq.store.NodeStore.NodeHeartbeats;
import io.acidq.store.NodeStore.RescueDecision;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is removed by its age alone, and the archive. */
@EachStore
class AgeingStoreIT extends StoreFixture {

    private static final Duration DAY = Duration.ofDays(1);

    @BeforeEach
    void removeWhatOtherTestsLeft() {
        for (String table : List.of("acidq_message", "acidq_dead", "acidq_audit", "acidq_crash", "acidq_archive")) {
            queueFixture.execute("DELETE FROM " + table);
        }
        queueFixture.execute("DELETE FROM acidq_node WHERE id <> ?", queueFixture.node);
        while (store.maintenance().pruneCrashes(500).more()) {
            // on to the end, so that the next look begins anew
        }
    }

    @Test
    void removesTheDeadLettersThatAreOlderThanTheirQueueKeepsThem() {
        deadLetter(3);
        queueFixture.execute("UPDATE acidq_dead SET died_at = TIMESTAMPADD(HOUR, -49, died_at)");
        UUID young = deadLetter(1).get(0);

        assertThat(store.maintenance().pruneDead(queue -> null, 500)).isEqualTo(new Pruned(0, false));
        assertThat(store.maintenance().pruneDead(queue -> Duration.ofDays(3), 500))
                .isEqualTo(new Pruned(0, false));
        assertThat(store.maintenance().pruneDead(queue -> DAY, 2)).isEqualTo(new Pruned(2, true));
        assertThat(store.maintenance().pruneDead(queue -> queue.equals(queueFixture.queue.name()) ? DAY : null, 2))
                .isEqualTo(new Pruned(1, false));
        assertThat(queueFixture.number("SELECT COUNT(*) FROM acidq_dead WHERE uid = ?", QueueFixture.bytes(young)))
                .isEqualTo(1);
    }

    @Test
    void removesTheOldestOfTheAuditTable() {
        deadLetter(3);
        store.dead()
                .discardIfDead(
                        new OperatorAction("ann", "test", null), new DeadLetterFixture(queueFixture).deadLetters());
        queueFixture.execute("UPDATE acidq_audit SET at = TIMESTAMPADD(HOUR, -49, at)");
        deadLetter(1);
        store.dead()
                .discardIfDead(
                        new OperatorAction("bob", "test", null), new DeadLetterFixture(queueFixture).deadLetters());

        assertThat(store.maintenance().pruneAudit(Duration.ofDays(3), 500)).isEqualTo(new Pruned(0, false));
        assertThat(store.maintenance().pruneAudit(DAY, 2)).isEqualTo(new Pruned(2, true));
        assertThat(store.maintenance().pruneAudit(DAY, 2)).isEqualTo(new Pruned(1, false));
        assertThat(queueFixture.rows("SELECT actor FROM acidq_audit")).hasToString("[[bob]]");
    }

    @Test
    void removesEndedNodesThatOwnNothingButNeverTheLastNumber() {
        int buried = queueFixture.newNode();
        int owner = queueFixture.newNode();
        int stopped = queueFixture.newNode();
        int living = queueFixture.newNode();
        int last = queueFixture.newNode();
        queueFixture.enqueue(0, null, "a");
        queueFixture.claimAs(owner, 0, 1);
        store.nodes().declareDeadIfSilent(new NodeHeartbeats(buried, 0));
        store.nodes().declareDeadIfSilent(new NodeHeartbeats(owner, 0));
        store.nodes().retire(stopped);
        store.nodes().retire(last);
        assertThat(store.maintenance().pruneNodes(DAY, 500)).isEqualTo(new Pruned(0, false));
        queueFixture.execute("UPDATE acidq_node SET ended_at = TIMESTAMPADD(HOUR, -25, ended_at)");

        assertThat(store.maintenance().pruneNodes(DAY, 500)).isEqualTo(new Pruned(2, false));

        assertThat(queueFixture.rows("SELECT id FROM acidq_node WHERE id <> ? ORDER BY id", queueFixture.node))
                .hasToString("[[" + owner + "], [" + living + "], [" + last + "]]");
        assertThat(queueFixture.newNode()).isGreaterThan(last);
    }

    @Test
    void removesDeathsOfMessagesThatAreGone() throws Exception {
        UUID alive = queueFixture.enqueue(0, null, "alive");
        UUID gone = queueFixture.enqueue(1, null, "gone");
        queueFixture.declareDead(queueFixture.node);
        for (int lane = 0; lane <= 1; lane++) {
            Claim claim = queueFixture.claimOne(lane).claim();
            store.nodes().rescue(queueFixture.node, o -> List.of(new RescueDecision(claim, 1, null)));
        }
        queueFixture.ack(queueFixture.claimSuspects(1, 1).messages().get(0).claim());
        assertThat(store.maintenance().pruneCrashes(1)).as("not a day old").isEqualTo(new Pruned(0, false));
        queueFixture.execute("UPDATE acidq_crash SET died_at = TIMESTAMPADD(HOUR, -25, died_at)");

        int removed = 0;
        for (Pruned step = store.maintenance().pruneCrashes(1);
                ;
                step = store.maintenance().pruneCrashes(1)) {
            removed += step.rows();
            if (!step.more()) {
                break;
            }
        }
        assertThat(removed).isEqualTo(1);
        assertThat(queueFixture.number("SELECT COUNT(*) FROM acidq_crash WHERE uid = ?", QueueFixture.bytes(alive)))
                .isEqualTo(1);
        assertThat(queueFixture.number("SELECT COUNT(*) FROM acidq_crash WHERE uid = ?", QueueFixture.bytes(gone)))
                .isZero();
    }

    @Test
    void keepsWhatIsDoneUntilItsTimeHasPassed() {
        queueFixture.enqueue(queueFixture.message(0, "k", "payload"));
        ClaimedMessage message = queueFixture.claimOne(0);
        database()
                .transactions()
                .run(() -> assertThat(store.claims().archiveIfClaimed(message.claim(), DAY))
                        .isTrue());

        assertThat(queueFixture.count("acidq_message")).isZero();
        ArchivedMessage kept = store.inspection()
                .findArchived(queueFixture.queue, message.uid())
                .orElseThrow();
        assertThat(kept.id()).isEqualTo(new MessageId(queueFixture.queue.name(), 0, message.uid()));
        assertThat(kept.orderingKey()).contains("k");
        assertThat(kept.payload()).asString().isEqualTo("payload");
        assertThat(kept.attempts()).isEqualTo(1);
        assertThat(kept.enqueuedAt()).isEqualTo(message.enqueuedAt());
        assertThat(store.inspection()
                        .listArchived(
                                queueFixture.queue, kept.doneAt(), kept.doneAt().plusNanos(1000), 10))
                .hasSize(1);
        assertThat(store.inspection().listArchived(queueFixture.queue, Instant.EPOCH, kept.doneAt(), 10))
                .isEmpty();
        assertThat(store.maintenance().pruneArchive(500)).isEqualTo(new Pruned(0, false));
        queueFixture.execute("UPDATE acidq_archive SET expires = TIMESTAMPADD(HOUR, -25, expires)");
        assertThat(store.maintenance().pruneArchive(500)).isEqualTo(new Pruned(1, false));
        assertThat(store.inspection().findArchived(queueFixture.queue, message.uid()))
                .isEmpty();
    }

    @Test
    void keepsNothingOfAClaimThatIsLostOrATransactionThatIsRolledBack() {
        queueFixture.enqueue(0, null, "a");
        Claim claim = queueFixture.claimOne(0).claim();
        Claim stale =
                new Claim(claim.queue(), claim.lane(), claim.id(), claim.uid(), claim.owner(), claim.claimNo() + 1);
        database()
                .transactions()
                .run(() ->
                        assertThat(store.claims().archiveIfClaimed(stale, DAY)).isFalse());
        try {
            database().transactions().run(() -> {
                assertThat(store.claims().archiveIfClaimed(claim, DAY)).isTrue();
                throw new IllegalStateException("the handler's transaction rolls back");
            });
        } catch (IllegalStateException e) {
            assertThat(queueFixture.count("acidq_archive")).isZero();
        }
        assertThat(queueFixture.count("acidq_message")).isEqualTo(1);
    }

    private List<UUID> deadLetter(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> {
                    UUID uid = queueFixture.enqueue(7, null, "m");
                    store.claims().deadLetterIfClaimed(queueFixture.claimOne(7).claim(), "mark", List.of());
                    return uid;
                })
                .toList();
    }
}
