package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.MessageId;
import io.acidq.admin.DeadLetter;
import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.InspectionStore.StoredReport;
import io.acidq.store.NodeReport;
import io.acidq.store.NodeReport.RunningMessage;
import io.acidq.store.NodeReport.ServedQueue;
import io.acidq.store.NodeStore.Crash;
import io.acidq.store.NodeStore.NodeHeartbeats;
import io.acidq.store.NodeStore.Orphan;
import io.acidq.store.NodeStore.Orphans;
import io.acidq.store.NodeStore.RescueDecision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Heartbeats of nodes and the rescue of claims. */
@EachStore
class NodeStoreIT extends StoreFixture {

    @Test
    void registersEveryNodeWithANewId() {
        int another = fixture.newNode();

        assertThat(another).isGreaterThan(fixture.node);
        assertThat(nodes.livingNodes()).contains(new NodeHeartbeats(fixture.node, 0), new NodeHeartbeats(another, 0));
    }

    @Test
    void keepsTheLastReportOfANode() {
        NodeReport idle = new NodeReport(List.of(new ServedQueue("q", 4, 0, 0, List.of(), "", List.of())));
        NodeReport busy = new NodeReport(List.of(new ServedQueue(
                "q",
                4,
                1,
                2,
                List.of("breaker 'b' stops"),
                "",
                List.of(new RunningMessage(new MessageId("q", 1, new UUID(1, 2)), Duration.ofMillis(1_500))))));
        nodes.writeReport(fixture.node, busy);
        nodes.writeReport(fixture.node, idle);
        nodes.writeReport(fixture.node, busy);

        assertThat(inspection.nodeReport(fixture.node)).hasValueSatisfying(stored -> {
            assertThat(stored.report()).isEqualTo(busy);
            assertThat(stored.age()).isBetween(Duration.ZERO, Duration.ofMinutes(1));
        });
        assertThat(inspection.nodeReports(1_000)).extracting(StoredReport::node).contains(fixture.node);
        fixture.declareDead(fixture.node);
        assertThat(inspection.nodeReports(1_000)).extracting(StoredReport::node).doesNotContain(fixture.node);
        assertThat(inspection.nodeReport(fixture.node))
                .as("what ran when it died")
                .isPresent();
        nodes.removeReport(fixture.node);
        assertThat(inspection.nodeReport(fixture.node)).isEmpty();
    }

    @Test
    void removesTheReportWithItsNode() {
        int ended = fixture.newNode();
        fixture.newNode(); // the last row stays
        nodes.writeReport(ended, new NodeReport(List.of()));
        fixture.declareDead(ended);
        fixture.execute("UPDATE acidq_node SET ended_at = TIMESTAMPADD(DAY, -8, ended_at) WHERE id = ?", ended);

        maintenance.pruneNodes(Duration.ofDays(7), 500);
        assertThat(inspection.nodeReport(ended)).isEmpty();
    }

    @Test
    void countsHeartbeatsOfLivingNodes() {
        assertThat(nodes.heartbeatIfAlive(fixture.node, QueueFixture.REGISTRATION))
                .isTrue();
        assertThat(nodes.heartbeatIfAlive(fixture.node, QueueFixture.REGISTRATION))
                .isTrue();

        assertThat(nodes.livingNodes()).contains(new NodeHeartbeats(fixture.node, 2));
        assertThat(nodes.heartbeatIfAlive(Integer.MAX_VALUE, QueueFixture.REGISTRATION))
                .isFalse();
    }

    @Test
    void updatesTheWorkersOfALivingNodeOnly() {
        assertThat(nodes.updateWorkersIfAlive(fixture.node, QueueFixture.REGISTRATION, Map.of(7, 3, 5, 1)))
                .isTrue();
        assertThat(fixture.rows("SELECT workers FROM acidq_node WHERE id = ?", fixture.node))
                .containsExactly(List.of("5:1,7:3"));

        nodes.markStopped(fixture.node, QueueFixture.REGISTRATION);
        assertThat(nodes.updateWorkersIfAlive(fixture.node, QueueFixture.REGISTRATION, Map.of()))
                .isFalse();
    }

    /** A bug: a promoted replica had lost a node and assigned its id again, and both nodes sent heartbeats for one row. */
    @Test
    void sendsNoHeartbeatForTheNodeOfAnotherProcessWithTheSameId() {
        fixture.execute(
                "UPDATE acidq_node SET process = ? WHERE id = ?", QueueFixture.bytes(UUID.randomUUID()), fixture.node);

        assertThat(nodes.heartbeatIfAlive(fixture.node, QueueFixture.REGISTRATION))
                .isFalse();
        nodes.markStopped(fixture.node, QueueFixture.REGISTRATION);
        assertThat(nodes.livingNodes()).contains(new NodeHeartbeats(fixture.node, 0));
    }

    @Test
    void declaresOnlyNodesWithoutNewHeartbeatsDead() {
        nodes.heartbeatIfAlive(fixture.node, QueueFixture.REGISTRATION);

        assertThat(nodes.declareDeadIfSilent(new NodeHeartbeats(fixture.node, 0)))
                .isFalse();
        assertThat(nodes.declareDeadIfSilent(new NodeHeartbeats(fixture.node, 1)))
                .isTrue();
        assertThat(nodes.declareDeadIfSilent(new NodeHeartbeats(fixture.node, 1)))
                .isFalse();
        assertThat(nodes.heartbeatIfAlive(fixture.node, QueueFixture.REGISTRATION))
                .isFalse();
        assertThat(nodes.livingNodes()).extracting(NodeHeartbeats::node).doesNotContain(fixture.node);
    }

    @Test
    void removesARetiredNodeFromTheLivingNodes() {
        nodes.markStopped(fixture.node, QueueFixture.REGISTRATION);

        assertThat(nodes.heartbeatIfAlive(fixture.node, QueueFixture.REGISTRATION))
                .isFalse();
        assertThat(nodes.livingNodes()).extracting(NodeHeartbeats::node).doesNotContain(fixture.node);
    }

    @Test
    void namesTheOwnersOfClaimsThatAreNotLiving() {
        int dead = fixture.newNode();
        fixture.enqueueAll(0, null, "a", "b");
        fixture.claimAs(dead, 0, 1);
        fixture.claimOne(0);
        assertThat(nodes.endedOwners()).doesNotContain(dead, fixture.node);

        nodes.declareDeadIfSilent(new NodeHeartbeats(dead, 0));
        assertThat(nodes.endedOwners()).contains(dead).doesNotContain(fixture.node);
    }

    @Test
    void namesTheOwnerOfAClaimMadeAfterItWasDeclaredDead() {
        nodes.declareDeadIfSilent(new NodeHeartbeats(fixture.node, 0));
        assertThat(nodes.endedOwners()).doesNotContain(fixture.node);

        fixture.enqueue(0, null, "a");
        fixture.claimOne(0);
        assertThat(nodes.endedOwners()).contains(fixture.node);
    }

    @Test
    void passesTheClaimsOfTheDeadNodeToTheDecision() {
        fixture.enqueue(fixture.message(0, "k", "a"), fixture.message(5, null, "b"));
        ClaimedMessage a = fixture.claimOne(0);
        ClaimedMessage b = fixture.claimOne(5);
        fixture.declareDead(fixture.node);
        List<Orphans> seen = new ArrayList<>();

        List<RescueDecision> freed = nodes.rescue(fixture.node, orphans -> {
            seen.add(orphans);
            return List.of();
        });

        assertThat(freed).isEmpty();
        assertThat(seen.get(0).workers()).isEqualTo(Map.of(fixture.queueId, 2));
        assertThat(seen.get(0).claims())
                .containsExactlyInAnyOrder(
                        new Orphan(a.claim(), id(a), a.batch(), "k", 0, List.of(), false),
                        new Orphan(b.claim(), id(b), b.batch(), null, 0, List.of(), false));
        assertThat(seen.get(0).crash().node()).isEqualTo(fixture.node);
        assertThat(seen.get(0).crash().host()).isEqualTo("host");
    }

    private MessageId id(ClaimedMessage message) {
        return new MessageId(fixture.queue.name(), message.claim().lane(), message.uid());
    }

    @Test
    void recordsEachCrashAndReturnsThoseThatCount() {
        UUID uid = fixture.enqueue(0, null, "a");
        List<Crash> crashes = new ArrayList<>();
        for (int crash = 1; crash <= 3; crash++) {
            int node = fixture.newNode();
            ClaimedMessage claimed = fixture.claimSuspectAs(node, 0);
            int count = crash;
            fixture.declareDead(node);
            nodes.rescue(node, o -> {
                assertThat(o.claims().get(0).earlierCrashes()).isEqualTo(crashes);
                crashes.add(o.crash());
                return List.of(new RescueDecision(claimed.claim(), count, null));
            });
        }
        assertThat(crashes).extracting(Crash::at).isSorted();
        assertThat(crashRows(uid)).isEqualTo(3);

        fixture.execute(
                "UPDATE acidq_message SET crashes = 1 WHERE uid = ?",
                QueueFixture.bytes(uid)); // as after a replay and another crash
        int last = fixture.newNode();
        Claim claim = fixture.claimSuspectAs(last, 0).claim();
        fixture.declareDead(last);
        nodes.rescue(last, o -> {
            assertThat(o.claims().get(0).earlierCrashes()).containsExactly(crashes.get(2));
            return List.of(new RescueDecision(claim, 2, "killed 2 processes"));
        });
        assertThat(crashRows(uid)).as("the dead letter tells of them").isZero();
    }

    private long crashRows(UUID uid) {
        return fixture.number("SELECT COUNT(*) FROM acidq_crash WHERE uid = ?", QueueFixture.bytes(uid));
    }

    @Test
    void freesClaimsWithoutTheAttemptAndWithTheCrashes() {
        fixture.enqueueAll(0, null, "a", "b");
        List<Claim> claimed = QueueFixture.claims(fixture.claim(0, 10));
        fixture.declareDead(fixture.node);

        List<RescueDecision> freed = nodes.rescue(
                fixture.node,
                o -> List.of(new RescueDecision(claimed.get(0), 1, null), new RescueDecision(claimed.get(1), 0, null)));

        assertThat(freed).hasSize(2);
        assertThat(fixture.rows(
                        "SELECT owner, attempts, crashes, claim_no FROM acidq_message WHERE queue = ? ORDER BY id",
                        fixture.queueId))
                .hasToString("[[0, 0, 1, 1], [0, 0, 0, 1]]");
    }

    @Test
    void deadLettersMessagesAsDecided() {
        fixture.enqueue(0, null, "a");
        Claim claim = fixture.claimOne(0).claim();
        fixture.declareDead(fixture.node);

        assertThat(nodes.rescue(fixture.node, o -> List.of(new RescueDecision(claim, 3, "killed 3 processes"))))
                .hasSize(1);

        DeadLetter dead = fixture.deadLetters(1).get(0);
        assertThat(dead.error()).isEqualTo("killed 3 processes");
        assertThat(dead.crashes()).isEqualTo(3);
        assertThat(dead.attempts()).isZero();
        assertThat(fixture.count("acidq_message")).isZero();
    }

    @Test
    void appliesNoDecisionToALostClaim() throws Exception {
        fixture.enqueue(0, null, "a");
        Claim claim = fixture.claimOne(0).claim();
        fixture.declareDead(fixture.node);

        List<RescueDecision> freed = nodes.rescue(
                fixture.node,
                o -> List.of(new RescueDecision(
                        new Claim(
                                claim.queue(),
                                claim.lane(),
                                claim.id(),
                                claim.uid(),
                                claim.owner(),
                                claim.claimNo() + 1),
                        1,
                        null)));

        assertThat(freed).isEmpty();
        assertThat(fixture.ack(claim)).isTrue();
    }

    @Test
    void rescuesNothingFromANodeThatLives() throws Exception {
        fixture.enqueue(0, null, "a");
        Claim claim = fixture.claimOne(0).claim();

        assertThat(nodes.rescue(fixture.node, o -> List.of(new RescueDecision(claim, 1, null))))
                .isEmpty();
        assertThat(fixture.ack(claim)).isTrue();
    }

    @Test
    void rescuesFromANodeWhoseRowNoLongerExists() {
        fixture.enqueue(0, null, "a");
        Claim claim = fixture.claimOne(0).claim();
        fixture.execute("DELETE FROM acidq_node WHERE id = ?", fixture.node);
        List<Orphans> seen = new ArrayList<>();

        assertThat(nodes.rescue(fixture.node, o -> {
                    seen.add(o);
                    return List.of(new RescueDecision(claim, 0, null));
                }))
                .hasSize(1);
        assertThat(seen.get(0).workers()).isEmpty();
    }
}
