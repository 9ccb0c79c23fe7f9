package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.MessageId;
import io.acidq.admin.Archive.ArchivedMessage;
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

/** Rows that are removed by their age, and the archive. */
@EachStore
class AgeingStoreIT extends StoreFixture {

    private static final Duration DAY = Duration.ofDays(1);

    @BeforeEach
    void removeWhatOtherTestsLeft() {
        for (String table : List.of("acidq_message", "acidq_dead", "acidq_audit", "acidq_crash", "acidq_archive")) {
            fixture.execute("DELETE FROM " + table);
        }
        fixture.execute("DELETE FROM acidq_node WHERE id <> ?", fixture.node);
        while (maintenance.pruneCrashes(500).more()) {
            // continue to the end, so that the next removal starts from the beginning
        }
    }

    @Test
    void removesTheDeadLettersThatAreOlderThanTheirQueueKeepsThem() {
        deadLetter(3);
        fixture.execute("UPDATE acidq_dead SET died_at = TIMESTAMPADD(HOUR, -49, died_at)");
        UUID young = deadLetter(1).get(0);

        assertThat(maintenance.pruneDead(queue -> null, 500)).isEqualTo(new Pruned(0, false));
        assertThat(maintenance.pruneDead(queue -> Duration.ofDays(3), 500)).isEqualTo(new Pruned(0, false));
        assertThat(maintenance.pruneDead(queue -> DAY, 2)).isEqualTo(new Pruned(2, true));
        assertThat(maintenance.pruneDead(queue -> queue.equals(fixture.queue.name()) ? DAY : null, 2))
                .isEqualTo(new Pruned(1, false));
        assertThat(fixture.number("SELECT COUNT(*) FROM acidq_dead WHERE uid = ?", QueueFixture.bytes(young)))
                .isEqualTo(1);
    }

    @Test
    void removesTheOldestOfTheAuditTable() {
        deadLetter(3);
        dead.discardIfDead(QueueFixture.ANN, fixture.letters());
        fixture.execute("UPDATE acidq_audit SET at = TIMESTAMPADD(HOUR, -49, at)");
        deadLetter(1);
        dead.discardIfDead(new OperatorAction("bob", "test", null), fixture.letters());

        assertThat(maintenance.pruneAudit(Duration.ofDays(3), 500)).isEqualTo(new Pruned(0, false));
        assertThat(maintenance.pruneAudit(DAY, 2)).isEqualTo(new Pruned(2, true));
        assertThat(maintenance.pruneAudit(DAY, 2)).isEqualTo(new Pruned(1, false));
        assertThat(fixture.rows("SELECT actor FROM acidq_audit")).hasToString("[[bob]]");
    }

    @Test
    void removesEndedNodesThatOwnNothingButNeverTheLastNumber() {
        int silent = fixture.newNode();
        int owner = fixture.newNode();
        int stopped = fixture.newNode();
        int living = fixture.newNode();
        int last = fixture.newNode();
        fixture.enqueue(0, null, "a");
        fixture.claimAs(owner, 0, 1);
        nodes.declareDeadIfSilent(new NodeHeartbeats(silent, 0));
        nodes.declareDeadIfSilent(new NodeHeartbeats(owner, 0));
        nodes.markStopped(stopped, QueueFixture.REGISTRATION);
        nodes.markStopped(last, QueueFixture.REGISTRATION);
        assertThat(maintenance.pruneNodes(DAY, 500)).isEqualTo(new Pruned(0, false));
        fixture.execute("UPDATE acidq_node SET ended_at = TIMESTAMPADD(HOUR, -25, ended_at)");

        assertThat(maintenance.pruneNodes(DAY, 500)).isEqualTo(new Pruned(2, false));

        assertThat(fixture.rows("SELECT id FROM acidq_node WHERE id <> ? ORDER BY id", fixture.node))
                .hasToString("[[" + owner + "], [" + living + "], [" + last + "]]");
        assertThat(fixture.newNode()).isGreaterThan(last);
    }

    @Test
    void removesCrashesOfMessagesThatNoLongerExist() throws Exception {
        UUID alive = fixture.enqueue(0, null, "alive");
        UUID gone = fixture.enqueue(1, null, "gone");
        fixture.declareDead(fixture.node);
        for (int lane = 0; lane <= 1; lane++) {
            Claim claim = fixture.claimOne(lane).claim();
            nodes.rescue(fixture.node, o -> List.of(new RescueDecision(claim, 1, null)));
        }
        fixture.ack(fixture.claimSuspects(1, 1).messages().get(0).claim());
        assertThat(maintenance.pruneCrashes(1)).as("not a day old").isEqualTo(new Pruned(0, false));
        fixture.execute("UPDATE acidq_crash SET counted_at = TIMESTAMPADD(HOUR, -25, counted_at)");

        int removed = 0;
        for (Pruned step = maintenance.pruneCrashes(1); ; step = maintenance.pruneCrashes(1)) {
            removed += step.rows();
            if (!step.more()) {
                break;
            }
        }
        assertThat(removed).isEqualTo(1);
        assertThat(fixture.number("SELECT COUNT(*) FROM acidq_crash WHERE uid = ?", QueueFixture.bytes(alive)))
                .isEqualTo(1);
        assertThat(fixture.number("SELECT COUNT(*) FROM acidq_crash WHERE uid = ?", QueueFixture.bytes(gone)))
                .isZero();
    }

    @Test
    void keepsWhatIsDoneUntilItsTimeHasPassed() {
        fixture.enqueueAll(0, "k", "payload");
        ClaimedMessage message = fixture.claimOne(0);
        transactions.run(
                () -> assertThat(claims.archiveIfClaimed(message.claim(), DAY)).isTrue());

        assertThat(fixture.count("acidq_message")).isZero();
        ArchivedMessage kept =
                inspection.findArchived(fixture.queue, message.uid()).orElseThrow();
        assertThat(kept.id()).isEqualTo(new MessageId(fixture.queue.name(), 0, message.uid()));
        assertThat(kept.orderingKey()).contains("k");
        assertThat(kept.payload()).asString().isEqualTo("payload");
        assertThat(kept.attempts()).isEqualTo(1);
        assertThat(kept.enqueuedAt()).isEqualTo(message.enqueuedAt());
        assertThat(inspection.listArchived(
                        fixture.queue, kept.doneAt(), kept.doneAt().plusNanos(1000), 10))
                .hasSize(1);
        assertThat(inspection.listArchived(fixture.queue, Instant.EPOCH, kept.doneAt(), 10))
                .isEmpty();
        assertThat(maintenance.pruneArchive(500)).isEqualTo(new Pruned(0, false));
        fixture.execute("UPDATE acidq_archive SET kept_until = TIMESTAMPADD(HOUR, -25, kept_until)");
        assertThat(maintenance.pruneArchive(500)).isEqualTo(new Pruned(1, false));
        assertThat(inspection.findArchived(fixture.queue, message.uid())).isEmpty();
    }

    @Test
    void keepsNothingOfAClaimThatIsLostOrATransactionThatIsRolledBack() {
        fixture.enqueue(0, null, "a");
        Claim claim = fixture.claimOne(0).claim();
        Claim stale =
                new Claim(claim.queue(), claim.lane(), claim.id(), claim.uid(), claim.owner(), claim.claimNo() + 1);
        transactions.run(() -> assertThat(claims.archiveIfClaimed(stale, DAY)).isFalse());
        try {
            transactions.run(() -> {
                assertThat(claims.archiveIfClaimed(claim, DAY)).isTrue();
                throw new IllegalStateException("the handler's transaction rolls back");
            });
        } catch (IllegalStateException e) {
            assertThat(fixture.count("acidq_archive")).isZero();
        }
        assertThat(fixture.count("acidq_message")).isEqualTo(1);
    }

    private List<UUID> deadLetter(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> {
                    UUID uid = fixture.enqueue(7, null, "m");
                    claims.deadLetterIfClaimed(fixture.claimOne(7).claim(), "mark", List.of());
                    return uid;
                })
                .toList();
    }
}
