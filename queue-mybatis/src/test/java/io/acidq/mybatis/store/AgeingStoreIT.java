package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.MessageId;
import io.acidq.admin.ArchivedMessage;
import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.DeadLetterStore.Deed;
import io.acidq.store.MaintenanceStore.Pruned;
import io.acidq.store.NodeStore.Beats;
import io.acidq.store.NodeStore.Verdict;
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
        for (String table : List.of("acidq_message", "acidq_dead", "acidq_audit", "acidq_death", "acidq_archive")) {
            scene.execute("DELETE FROM " + table);
        }
        scene.execute("DELETE FROM acidq_node WHERE id <> ?", scene.node);
        while (store.maintenance().pruneDeaths(500).more()) {
            // on to the end, so that the next look begins anew
        }
    }

    @Test
    void removesTheDeadLettersThatAreOlderThanTheirQueueKeepsThem() {
        die(3);
        scene.execute("UPDATE acidq_dead SET died_at = TIMESTAMPADD(HOUR, -49, died_at)");
        UUID young = die(1).get(0);

        assertThat(store.maintenance().pruneDead(queue -> null, 500)).isEqualTo(new Pruned(0, false));
        assertThat(store.maintenance().pruneDead(queue -> Duration.ofDays(3), 500))
                .isEqualTo(new Pruned(0, false));
        assertThat(store.maintenance().pruneDead(queue -> DAY, 2)).isEqualTo(new Pruned(2, true));
        assertThat(store.maintenance().pruneDead(queue -> queue.equals(scene.queue.name()) ? DAY : null, 2))
                .isEqualTo(new Pruned(1, false));
        assertThat(scene.number("SELECT COUNT(*) FROM acidq_dead WHERE uid = ?", Scene.bytes(young)))
                .isEqualTo(1);
    }

    @Test
    void removesTheOldestOfTheAuditTable() {
        die(3);
        store.dead().discardIfDead(new Deed("ann", "test", null), new Deaths(scene).letters());
        scene.execute("UPDATE acidq_audit SET at = TIMESTAMPADD(HOUR, -49, at)");
        die(1);
        store.dead().discardIfDead(new Deed("bob", "test", null), new Deaths(scene).letters());

        assertThat(store.maintenance().pruneAudit(Duration.ofDays(3), 500)).isEqualTo(new Pruned(0, false));
        assertThat(store.maintenance().pruneAudit(DAY, 2)).isEqualTo(new Pruned(2, true));
        assertThat(store.maintenance().pruneAudit(DAY, 2)).isEqualTo(new Pruned(1, false));
        assertThat(scene.rows("SELECT actor FROM acidq_audit")).hasToString("[[bob]]");
    }

    @Test
    void removesEndedNodesThatOwnNothingButNeverTheLastNumber() {
        int buried = scene.newNode();
        int owner = scene.newNode();
        int stopped = scene.newNode();
        int living = scene.newNode();
        int last = scene.newNode();
        scene.enqueue(0, null, "a");
        scene.claimAs(owner, 0, 1);
        store.nodes().buryIfSilent(new Beats(buried, 0));
        store.nodes().buryIfSilent(new Beats(owner, 0));
        store.nodes().retire(stopped);
        store.nodes().retire(last);
        assertThat(store.maintenance().pruneNodes(DAY, 500)).isEqualTo(new Pruned(0, false));
        scene.execute("UPDATE acidq_node SET ended_at = TIMESTAMPADD(HOUR, -25, ended_at)");

        assertThat(store.maintenance().pruneNodes(DAY, 500)).isEqualTo(new Pruned(2, false));

        assertThat(scene.rows("SELECT id FROM acidq_node WHERE id <> ? ORDER BY id", scene.node))
                .hasToString("[[" + owner + "], [" + living + "], [" + last + "]]");
        assertThat(scene.newNode()).isGreaterThan(last);
    }

    @Test
    void removesDeathsOfMessagesThatAreGone() throws Exception {
        UUID alive = scene.enqueue(0, null, "alive");
        UUID gone = scene.enqueue(1, null, "gone");
        scene.bury(scene.node);
        for (int lane = 0; lane <= 1; lane++) {
            Claim claim = scene.claimOne(lane).claim();
            store.nodes().rescue(scene.node, o -> List.of(new Verdict(claim, 1, null)));
        }
        scene.ack(scene.claimSuspects(1, 1).messages().get(0).claim());
        assertThat(store.maintenance().pruneDeaths(1)).as("not a day old").isEqualTo(new Pruned(0, false));
        scene.execute("UPDATE acidq_death SET died_at = TIMESTAMPADD(HOUR, -25, died_at)");

        int removed = 0;
        for (Pruned step = store.maintenance().pruneDeaths(1);
                ;
                step = store.maintenance().pruneDeaths(1)) {
            removed += step.rows();
            if (!step.more()) {
                break;
            }
        }
        assertThat(removed).isEqualTo(1);
        assertThat(scene.number("SELECT COUNT(*) FROM acidq_death WHERE uid = ?", Scene.bytes(alive)))
                .isEqualTo(1);
        assertThat(scene.number("SELECT COUNT(*) FROM acidq_death WHERE uid = ?", Scene.bytes(gone)))
                .isZero();
    }

    @Test
    void keepsWhatIsDoneUntilItsTimeHasPassed() {
        scene.enqueue(scene.message(0, "k", "payload"));
        ClaimedMessage message = scene.claimOne(0);
        home().transactions()
                .run(() -> assertThat(store.claims().archiveIfClaimed(message.claim(), DAY))
                        .isTrue());

        assertThat(scene.count("acidq_message")).isZero();
        ArchivedMessage kept =
                store.inspection().findArchived(scene.queue, message.uid()).orElseThrow();
        assertThat(kept.id()).isEqualTo(new MessageId(scene.queue.name(), 0, message.uid()));
        assertThat(kept.orderingKey()).contains("k");
        assertThat(kept.payload()).asString().isEqualTo("payload");
        assertThat(kept.attempts()).isEqualTo(1);
        assertThat(kept.enqueuedAt()).isEqualTo(message.enqueuedAt());
        assertThat(store.inspection()
                        .listArchived(scene.queue, kept.doneAt(), kept.doneAt().plusNanos(1000), 10))
                .hasSize(1);
        assertThat(store.inspection().listArchived(scene.queue, Instant.EPOCH, kept.doneAt(), 10))
                .isEmpty();
        assertThat(store.maintenance().pruneArchive(500)).isEqualTo(new Pruned(0, false));
        scene.execute("UPDATE acidq_archive SET expires = TIMESTAMPADD(HOUR, -25, expires)");
        assertThat(store.maintenance().pruneArchive(500)).isEqualTo(new Pruned(1, false));
        assertThat(store.inspection().findArchived(scene.queue, message.uid())).isEmpty();
    }

    @Test
    void keepsNothingOfAClaimThatIsLostOrATransactionThatIsRolledBack() {
        scene.enqueue(0, null, "a");
        Claim claim = scene.claimOne(0).claim();
        Claim stale =
                new Claim(claim.queue(), claim.lane(), claim.id(), claim.uid(), claim.owner(), claim.claimNo() + 1);
        home().transactions()
                .run(() ->
                        assertThat(store.claims().archiveIfClaimed(stale, DAY)).isFalse());
        try {
            home().transactions().run(() -> {
                assertThat(store.claims().archiveIfClaimed(claim, DAY)).isTrue();
                throw new IllegalStateException("the handler's transaction rolls back");
            });
        } catch (IllegalStateException e) {
            assertThat(scene.count("acidq_archive")).isZero();
        }
        assertThat(scene.count("acidq_message")).isEqualTo(1);
    }

    private List<UUID> die(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> {
                    UUID uid = scene.enqueue(7, null, "m");
                    store.claims().deadIfClaimed(scene.claimOne(7).claim(), "mark", List.of());
                    return uid;
                })
                .toList();
    }
}
