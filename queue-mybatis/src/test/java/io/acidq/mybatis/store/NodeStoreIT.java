package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.MessageId;
import io.acidq.admin.DeadLetter;
import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.NodeStore.Beats;
import io.acidq.store.NodeStore.Death;
import io.acidq.store.NodeStore.Orphan;
import io.acidq.store.NodeStore.Orphans;
import io.acidq.store.NodeStore.Verdict;
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
        int another = scene.newNode();

        assertThat(another).isGreaterThan(scene.node);
        assertThat(nodes.nodes()).contains(new Beats(scene.node, 0), new Beats(another, 0));
    }

    @Test
    void countsBeatsOfTheLiving() {
        assertThat(nodes.beatIfAlive(scene.node)).isTrue();
        assertThat(nodes.beatIfAlive(scene.node)).isTrue();

        assertThat(nodes.nodes()).contains(new Beats(scene.node, 2));
        assertThat(nodes.beatIfAlive(Integer.MAX_VALUE)).isFalse();
    }

    @Test
    void tellsWhatALivingNodeServesAndNobodyElseDoes() {
        assertThat(nodes.serveIfAlive(scene.node, Map.of(7, 3, 5, 1))).isTrue();
        assertThat(scene.rows("SELECT workers FROM acidq_node WHERE id = ?", scene.node))
                .containsExactly(List.of("5:1,7:3"));

        nodes.retire(scene.node);
        assertThat(nodes.serveIfAlive(scene.node, Map.of())).isFalse();
    }

    /** A replica was promoted that had not heard of a node, gave its number to another, and both beat as one. */
    @Test
    void doesNotBeatForTheNodeOfAnotherProcessThatWasGivenTheSameNumber() {
        scene.execute("UPDATE acidq_node SET process = ? WHERE id = ?", Scene.bytes(UUID.randomUUID()), scene.node);

        assertThat(nodes.beatIfAlive(scene.node)).isFalse();
        nodes.retire(scene.node);
        assertThat(nodes.nodes()).contains(new Beats(scene.node, 0));
    }

    @Test
    void buriesOnlyWhoHasNotBeatenSince() {
        nodes.beatIfAlive(scene.node);

        assertThat(nodes.buryIfSilent(new Beats(scene.node, 0))).isFalse();
        assertThat(nodes.buryIfSilent(new Beats(scene.node, 1))).isTrue();
        assertThat(nodes.buryIfSilent(new Beats(scene.node, 1))).isFalse();
        assertThat(nodes.beatIfAlive(scene.node)).isFalse();
        assertThat(nodes.nodes()).extracting(Beats::node).doesNotContain(scene.node);
    }

    @Test
    void takesARetiredNodeOffTheLiving() {
        nodes.retire(scene.node);

        assertThat(nodes.beatIfAlive(scene.node)).isFalse();
        assertThat(nodes.nodes()).extracting(Beats::node).doesNotContain(scene.node);
    }

    @Test
    void namesTheOwnersOfClaimsThatAreNotLiving() {
        int dead = scene.newNode();
        scene.enqueue(scene.message(0, null, "a"), scene.message(0, null, "b"));
        scene.claimAs(dead, 0, 1);
        scene.claimOne(0);
        assertThat(nodes.deadOwners()).doesNotContain(dead, scene.node);

        nodes.buryIfSilent(new Beats(dead, 0));
        assertThat(nodes.deadOwners()).contains(dead).doesNotContain(scene.node);
    }

    @Test
    void namesTheOwnerOfAClaimThatWasMadeAfterItsBurial() {
        nodes.buryIfSilent(new Beats(scene.node, 0));
        assertThat(nodes.deadOwners()).doesNotContain(scene.node);

        scene.enqueue(0, null, "a");
        scene.claimOne(0);
        assertThat(nodes.deadOwners()).contains(scene.node);
    }

    @Test
    void showsTheJudgeWhatTheDeadNodeLeft() {
        scene.enqueue(scene.message(0, "k", "a"), scene.message(5, null, "b"));
        ClaimedMessage a = scene.claimOne(0);
        ClaimedMessage b = scene.claimOne(5);
        scene.bury(scene.node);
        List<Orphans> seen = new ArrayList<>();

        List<Verdict> freed = nodes.rescue(scene.node, orphans -> {
            seen.add(orphans);
            return List.of();
        });

        assertThat(freed).isEmpty();
        assertThat(seen.get(0).workers()).isEqualTo(Map.of(scene.queue.id(), 2));
        assertThat(seen.get(0).claims())
                .containsExactlyInAnyOrder(
                        new Orphan(a.claim(), id(a), a.batch(), "k", 0, List.of()),
                        new Orphan(b.claim(), id(b), b.batch(), null, 0, List.of()));
        assertThat(seen.get(0).death().node()).isEqualTo(scene.node);
        assertThat(seen.get(0).death().host()).isEqualTo("host");
    }

    private MessageId id(ClaimedMessage message) {
        return new MessageId(scene.queue.name(), message.claim().lane(), message.uid());
    }

    @Test
    void recordsEachDeathAndTellsOfThoseThatCount() {
        UUID uid = scene.enqueue(0, null, "a");
        List<Death> deaths = new ArrayList<>();
        for (int death = 1; death <= 3; death++) {
            int node = scene.newNode();
            ClaimedMessage claimed = scene.claimSuspectAs(node, 0);
            int count = death;
            scene.bury(node);
            nodes.rescue(node, o -> {
                assertThat(o.claims().get(0).earlier()).isEqualTo(deaths);
                deaths.add(o.death());
                return List.of(new Verdict(claimed.claim(), count, null));
            });
        }
        assertThat(deaths).extracting(Death::at).isSorted();
        assertThat(deathRows(uid)).isEqualTo(3);

        scene.execute("UPDATE acidq_message SET deaths = 1 WHERE uid = ?", Scene.bytes(uid)); // replayed, and one more
        int last = scene.newNode();
        Claim claim = scene.claimSuspectAs(last, 0).claim();
        scene.bury(last);
        nodes.rescue(last, o -> {
            assertThat(o.claims().get(0).earlier()).containsExactly(deaths.get(2));
            return List.of(new Verdict(claim, 2, "killed 2 processes"));
        });
        assertThat(deathRows(uid)).as("the dead letter tells of them").isZero();
    }

    private long deathRows(UUID uid) {
        return scene.number("SELECT COUNT(*) FROM acidq_death WHERE uid = ?", Scene.bytes(uid));
    }

    @Test
    void freesWithTheAttemptGivenBackAndTheDeathsWritten() {
        scene.enqueue(scene.message(0, null, "a"), scene.message(0, null, "b"));
        List<Claim> claimed = Scene.claims(scene.claim(0, 10));
        scene.bury(scene.node);

        List<Verdict> freed = nodes.rescue(
                scene.node, o -> List.of(new Verdict(claimed.get(0), 1, null), new Verdict(claimed.get(1), 0, null)));

        assertThat(freed).hasSize(2);
        assertThat(scene.rows(
                        "SELECT owner, attempts, deaths, claim_no FROM acidq_message WHERE queue = ? ORDER BY id",
                        scene.queue.id()))
                .hasToString("[[0, 0, 1, 1], [0, 0, 0, 1]]");
    }

    @Test
    void makesADeadLetterOfWhatTheJudgeMarks() {
        scene.enqueue(0, null, "a");
        Claim claim = scene.claimOne(0).claim();
        scene.bury(scene.node);

        assertThat(nodes.rescue(scene.node, o -> List.of(new Verdict(claim, 3, "killed 3 processes"))))
                .hasSize(1);

        DeadLetter dead = scene.deadLetters(1).get(0);
        assertThat(dead.mark()).isEqualTo("killed 3 processes");
        assertThat(dead.deaths()).isEqualTo(3);
        assertThat(dead.attempts()).isZero();
        assertThat(scene.count("acidq_message")).isZero();
    }

    @Test
    void appliesNoVerdictToAClaimThatIsNoMore() throws Exception {
        scene.enqueue(0, null, "a");
        Claim claim = scene.claimOne(0).claim();
        scene.bury(scene.node);

        List<Verdict> freed = nodes.rescue(
                scene.node,
                o -> List.of(new Verdict(
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
        assertThat(scene.ack(claim)).isTrue();
    }

    @Test
    void rescuesNothingFromANodeThatLives() throws Exception {
        scene.enqueue(0, null, "a");
        Claim claim = scene.claimOne(0).claim();

        assertThat(nodes.rescue(scene.node, o -> List.of(new Verdict(claim, 1, null))))
                .isEmpty();
        assertThat(scene.ack(claim)).isTrue();
    }

    @Test
    void rescuesFromANodeWhoseRowIsGone() {
        scene.enqueue(0, null, "a");
        Claim claim = scene.claimOne(0).claim();
        scene.execute("DELETE FROM acidq_node WHERE id = ?", scene.node);
        List<Orphans> seen = new ArrayList<>();

        assertThat(nodes.rescue(scene.node, o -> {
                    seen.add(o);
                    return List.of(new Verdict(claim, 0, null));
                }))
                .hasSize(1);
        assertThat(seen.get(0).workers()).isEmpty();
    }
}
