package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.MessageId;
import io.acidq.admin.DeadLetter;
import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.NodeStore.Crash;
import io.acidq.store.NodeStore.NodeHeartbeats;
import io.acidq.store.NodeStore.Orphan;
import io.acidq.store.NodeStore.Orphans;
import io.acidq.store.NodeStore.RescueDecision;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Liveness and rescue. */
@EachStore
class NodeStoreIT extends StoreFixture {

    @Test
    void registersEveryIncarnationUnderANewNumber() {
        int another = queueFixture.newNode();

        assertThat(another).isGreaterThan(queueFixture.node);
        assertThat(nodes.livingNodes())
                .contains(new NodeHeartbeats(queueFixture.node, 0), new NodeHeartbeats(another, 0));
    }

    @Test
    void countsBeatsOfTheLiving() {
        assertThat(nodes.heartbeatIfAlive(queueFixture.node)).isTrue();
        assertThat(nodes.heartbeatIfAlive(queueFixture.node)).isTrue();

        assertThat(nodes.livingNodes()).contains(new NodeHeartbeats(queueFixture.node, 2));
        assertThat(nodes.heartbeatIfAlive(Integer.MAX_VALUE)).isFalse();
    }

    @Test
    void tellsWhatALivingNodeServesAndNobodyElseDoes() {
        assertThat(nodes.updateWorkersIfAlive(queueFixture.node, Map.of(7, 3, 5, 1)))
                .isTrue();
        assertThat(queueFixture.rows("SELECT workers FROM acidq_node WHERE id = ?", queueFixture.node))
                .containsExactly(List.of("5:1,7:3"));

        nodes.retire(queueFixture.node);
        assertThat(nodes.updateWorkersIfAlive(queueFixture.node, Map.of())).isFalse();
    }

    /** A replica was promoted that had not heard of a node, gave its number to another, and both beat as one. */
    @Test
    void doesNotBeatForTheNodeOfAnotherProcessThatWasGivenTheSameNumber() {
        queueFixture.execute(
                "UPDATE acidq_node SET process = ? WHERE id = ?",
                QueueFixture.bytes(UUID.randomUUID()),
                queueFixture.node);

        assertThat(nodes.heartbeatIfAlive(queueFixture.node)).isFalse();
        nodes.retire(queueFixture.node);
        assertThat(nodes.livingNodes()).contains(new NodeHeartbeats(queueFixture.node, 0));
    }

    @Test
    void buriesOnlyWhoHasNotBeatenSince() {
        nodes.heartbeatIfAlive(queueFixture.node);

        assertThat(nodes.declareDeadIfSilent(new NodeHeartbeats(queueFixture.node, 0)))
                .isFalse();
        assertThat(nodes.declareDeadIfSilent(new NodeHeartbeats(queueFixture.node, 1)))
                .isTrue();
        assertThat(nodes.declareDeadIfSilent(new NodeHeartbeats(queueFixture.node, 1)))
                .isFalse();
        assertThat(nodes.heartbeatIfAlive(queueFixture.node)).isFalse();
        assertThat(nodes.livingNodes()).extracting(NodeHeartbeats::node).doesNotContain(queueFixture.node);
    }

    @Test
    void takesARetiredNodeOffTheLiving() {
        nodes.retire(queueFixture.node);

        assertThat(nodes.heartbeatIfAlive(queueFixture.node)).isFalse();
        assertThat(nodes.livingNodes()).extracting(NodeHeartbeats::node).doesNotContain(queueFixture.node);
    }

    @Test
    void namesTheOwnersOfClaimsThatAreNotLiving() {
        int dead = queueFixture.newNode();
        queueFixture.enqueue(queueFixture.message(0, null, "a"), queueFixture.message(0, null, "b"));
        queueFixture.claimAs(dead, 0, 1);
        queueFixture.claimOne(0);
        assertThat(nodes.deadOwners()).doesNotContain(dead, queueFixture.node);

        nodes.declareDeadIfSilent(new NodeHeartbeats(dead, 0));
        assertThat(nodes.deadOwners()).contains(dead).doesNotContain(queueFixture.node);
    }

    @Test
    void namesTheOwnerOfAClaimThatWasMadeAfterItsBurial() {
        nodes.declareDeadIfSilent(new NodeHeartbeats(queueFixture.node, 0));
        assertThat(nodes.deadOwners()).doesNotContain(queueFixture.node);

        queueFixture.enqueue(0, null, "a");
        queueFixture.claimOne(0);
        assertThat(nodes.deadOwners()).contains(queueFixture.node);
    }

    @Test
    void showsTheJudgeWhatTheDeadNodeLeft() {
        queueFixture.enqueue(queueFixture.message(0, "k", "a"), queueFixture.message(5, null, "b"));
        ClaimedMessage a = queueFixture.claimOne(0);
        ClaimedMessage b = queueFixture.claimOne(5);
        queueFixture.declareDead(queueFixture.node);
        List<Orphans> seen = new ArrayList<>();

        List<RescueDecision> freed = nodes.rescue(queueFixture.node, orphans -> {
            seen.add(orphans);
            return List.of();
        });

        assertThat(freed).isEmpty();
        assertThat(seen.get(0).workers()).isEqualTo(Map.of(queueFixture.queue.id(), 2));
        assertThat(seen.get(0).claims())
                .containsExactlyInAnyOrder(
                        new Orphan(a.claim(), id(a), a.batch(), "k", 0, List.of()),
                        new Orphan(b.claim(), id(b), b.batch(), null, 0, List.of()));
        assertThat(seen.get(0).crash().node()).isEqualTo(queueFixture.node);
        assertThat(seen.get(0).crash().host()).isEqualTo("host");
    }

    private MessageId id(ClaimedMessage message) {
        return new MessageId(queueFixture.queue.name(), message.claim().lane(), message.uid());
    }

    @Test
    void recordsEachDeathAndTellsOfThoseThatCount() {
        UUID uid = queueFixture.enqueue(0, null, "a");
        List<Crash> crashes = new ArrayList<>();
        for (int death = 1; death <= 3; death++) {
            int node = queueFixture.newNode();
            ClaimedMessage claimed = queueFixture.claimSuspectAs(node, 0);
            int count = death;
            queueFixture.declareDead(node);
            nodes.rescue(node, o -> {
                assertThat(o.claims().get(0).earlierCrashes()).isEqualTo(crashes);
                crashes.add(o.crash());
                return List.of(new RescueDecision(claimed.claim(), count, null));
            });
        }
        assertThat(crashes).extracting(Crash::at).isSorted();
        assertThat(crashRows(uid)).isEqualTo(3);

        queueFixture.execute(
                "UPDATE acidq_message SET crashes = 1 WHERE uid = ?",
                QueueFixture.bytes(uid)); // replayed, and one more
        int last = queueFixture.newNode();
        Claim claim = queueFixture.claimSuspectAs(last, 0).claim();
        queueFixture.declareDead(last);
        nodes.rescue(last, o -> {
            assertThat(o.claims().get(0).earlierCrashes()).containsExactly(crashes.get(2));
            return List.of(new RescueDecision(claim, 2, "killed 2 processes"));
        });
        assertThat(crashRows(uid)).as("the dead letter tells of them").isZero();
    }

    private long crashRows(UUID uid) {
        return queueFixture.number("SELECT COUNT(*) FROM acidq_crash WHERE uid = ?", QueueFixture.bytes(uid));
    }

    @Test
    void freesWithTheAttemptGivenBackAndTheDeathsWritten() {
        queueFixture.enqueue(queueFixture.message(0, null, "a"), queueFixture.message(0, null, "b"));
        List<Claim> claimed = QueueFixture.claims(queueFixture.claim(0, 10));
        queueFixture.declareDead(queueFixture.node);

        List<RescueDecision> freed = nodes.rescue(
                queueFixture.node,
                o -> List.of(new RescueDecision(claimed.get(0), 1, null), new RescueDecision(claimed.get(1), 0, null)));

        assertThat(freed).hasSize(2);
        assertThat(queueFixture.rows(
                        "SELECT owner, attempts, crashes, claim_no FROM acidq_message WHERE queue = ? ORDER BY id",
                        queueFixture.queue.id()))
                .hasToString("[[0, 0, 1, 1], [0, 0, 0, 1]]");
    }

    @Test
    void makesADeadLetterOfWhatTheJudgeMarks() {
        queueFixture.enqueue(0, null, "a");
        Claim claim = queueFixture.claimOne(0).claim();
        queueFixture.declareDead(queueFixture.node);

        assertThat(nodes.rescue(queueFixture.node, o -> List.of(new RescueDecision(claim, 3, "killed 3 processes"))))
                .hasSize(1);

        DeadLetter dead = queueFixture.deadLetters(1).get(0);
        assertThat(dead.mark()).isEqualTo("killed 3 processes");
        assertThat(dead.crashes()).isEqualTo(3);
        assertThat(dead.attempts()).isZero();
        assertThat(queueFixture.count("acidq_message")).isZero();
    }

    @Test
    void appliesNoVerdictToAClaimThatIsNoMore() throws Exception {
        queueFixture.enqueue(0, null, "a");
        Claim claim = queueFixture.claimOne(0).claim();
        queueFixture.declareDead(queueFixture.node);

        List<RescueDecision> freed = nodes.rescue(
                queueFixture.node,
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
        assertThat(queueFixture.ack(claim)).isTrue();
    }

    @Test
    void rescuesNothingFromANodeThatLives() throws Exception {
        queueFixture.enqueue(0, null, "a");
        Claim claim = queueFixture.claimOne(0).claim();

        assertThat(nodes.rescue(queueFixture.node, o -> List.of(new RescueDecision(claim, 1, null))))
                .isEmpty();
        assertThat(queueFixture.ack(claim)).isTrue();
    }

    @Test
    void rescuesFromANodeWhoseRowIsGone() {
        queueFixture.enqueue(0, null, "a");
        Claim claim = queueFixture.claimOne(0).claim();
        queueFixture.execute("DELETE FROM acidq_node WHERE id = ?", queueFixture.node);
        List<Orphans> seen = new ArrayList<>();

        assertThat(nodes.rescue(queueFixture.node, o -> {
                    seen.add(o);
                    return List.of(new RescueDecision(claim, 0, null));
                }))
                .hasSize(1);
        assertThat(seen.get(0).workers()).isEmpty();
    }
}
