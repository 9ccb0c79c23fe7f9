package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.DeadHeadPolicy;
import io.acidq.admin.BlockedKeys.BlockedKey;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore.Claimed;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.DeadLetterStore.ActionResult;
import io.acidq.store.DeadLetterStore.Letter;
import io.acidq.store.NodeStore.Orphans;
import io.acidq.store.NodeStore.RescueDecision;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The ordering key of a head that becomes a dead letter. */
@EachStore
class DeadHeadStoreIT extends StoreFixture {

    @Test
    void letsTheNextOneRunUnlessTheQueueSaysOtherwise() throws Exception {
        enqueueOf("k", "1", "2");
        makeDeadLetter();
        assertThat(deadLetter().isHolding()).isFalse();
        assertThat(fixture.runAll()).containsExactly("2");
    }

    @Test
    void tellsWhetherThePolicyChanged() {
        assertThat(queues.changeDeadHeadPolicy(fixture.queue, DeadHeadPolicy.SKIP))
                .isFalse();
        assertThat(queues.changeDeadHeadPolicy(fixture.queue, DeadHeadPolicy.PARK))
                .isTrue();
        assertThat(queues.changeDeadHeadPolicy(fixture.queue, DeadHeadPolicy.PARK))
                .isFalse();
    }

    @WithEachHoldingPolicy
    void keepsTheKeyClosedBehindItsDeadHeadAndNoOther(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf("k", "1", "2");
        enqueueOf("other", "a");
        enqueueOf(null, "free");
        makeDeadLetter();
        enqueueOf("k", "3");
        assertThat(fixture.runAll()).containsExactly("a", "free");
        assertThat(claims.lanesWithWork(List.of(fixture.queueId))).hasSize(1);
        assertThat(deadLetter().isHolding()).isTrue();
    }

    @WithEachHoldingPolicy
    void neverHoldsThePlaceOfAMessageWithoutOrderingKey(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf(null, "1", "2");
        makeDeadLetter();
        assertThat(deadLetter().isHolding()).isFalse();
        assertThat(fixture.runAll()).containsExactly("2");
    }

    @WithEachHoldingPolicy
    void replaysTheHeadIntoItsOldPlace(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf("k", "1", "2", "3");
        ClaimedMessage head = makeDeadLetter();
        claim();
        assertThat(store.dead().replayIfDead(QueueFixture.ANN, fixture.letters()))
                .isEqualTo(new ActionResult(1, 0, 0, 0));

        ClaimedMessage again = fixture.claimOne(0);
        assertThat(again.claim())
                .isEqualTo(new Claim(fixture.queueId, 0, head.claim().id(), head.uid(), fixture.node, 2));
        assertThat(again.uid()).isEqualTo(head.uid());
        assertThat(again.attempts()).isEqualTo(1);
        assertThat(again.headers()).isEqualTo("headers");
        fixture.ack(again.claim());
        assertThat(new String(again.payload(), StandardCharsets.UTF_8)).isEqualTo("1");
        assertThat(fixture.runAll()).containsExactly("2", "3");
        assertEmpty();
    }

    @WithEachHoldingPolicy
    void holdsThePlaceAgainWhenTheReplayedHeadDiesAgain(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf("k", "1", "2");
        ClaimedMessage first = makeDeadLetter();
        store.dead().replayIfDead(QueueFixture.ANN, fixture.letters());
        ClaimedMessage second = makeDeadLetter();
        assertThat(second.claim().id()).isEqualTo(first.claim().id());
        assertThat(fixture.runAll()).isEmpty();
        store.dead().editIfDead(QueueFixture.ANN, deadLetter(), "edited".getBytes(StandardCharsets.UTF_8), null);
        assertThat(fixture.runAll()).containsExactly("edited", "2");
        assertEmpty();
    }

    @WithEachHoldingPolicy
    void goesOnWhenTheHeadIsDiscarded(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf("k", "1", "2", "3");
        makeDeadLetter();
        claim();
        assertThat(store.dead()
                        .discardIfDead(QueueFixture.ANN, fixture.letters())
                        .changed())
                .isEqualTo(1);
        assertThat(fixture.runAll()).containsExactly("2", "3");
        assertEmpty();
    }

    @WithEachHoldingPolicy
    void goesOnWhenTheKeyIsReleasedAndReplaysTheLetterToTheEnd(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf("k", "1", "2", "3");
        makeDeadLetter();
        claim();
        Letter held = deadLetter();
        assertThat(store.dead().releaseIfHolding(QueueFixture.ANN, held).changed())
                .isEqualTo(1);
        assertThat(store.dead().releaseIfHolding(QueueFixture.ANN, held).changed())
                .isZero();
        assertThat(deadLetter().isHolding()).isFalse();
        assertThat(inspection.auditOf(held.uid())).singleElement().satisfies(e -> {
            assertThat(e.action()).isEqualTo("release");
            assertThat(e.actor()).isEqualTo("ann");
        });
        assertThat(store.dead().blockedKeys(fixture.queue, 10)).isEmpty();
        store.dead().replayIfDead(QueueFixture.ANN, fixture.letters());
        assertThat(fixture.runAll()).containsExactly("2", "3", "1");
        assertEmpty();
    }

    @WithEachHoldingPolicy
    void releasesNothingOnceTheHeadWasReplayed(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf("k", "1", "2");
        makeDeadLetter();
        Letter held = deadLetter();
        store.dead().replayIfDead(QueueFixture.ANN, List.of(held));
        assertThat(store.dead().releaseIfHolding(QueueFixture.ANN, held)).isEqualTo(new ActionResult(0, 1, 0, 0));
        assertThat(fixture.runAll()).containsExactly("1", "2");
    }

    @WithEachHoldingPolicy
    void listsTheBlockedKeysWithWhatWaits(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf("a", "1", "2", "3");
        ClaimedMessage a = makeDeadLetter();
        claim();
        enqueueOf("a", "4");
        enqueueOf("b", "1");
        makeDeadLetter();

        List<BlockedKey> keys = store.dead().blockedKeys(fixture.queue, 10);
        assertThat(keys).extracting(BlockedKey::orderingKey).containsExactly("a", "b");
        assertThat(keys).extracting(BlockedKey::waiting).containsExactly(3, 0);
        assertThat(keys).extracting(BlockedKey::error).containsOnly("boom");
        assertThat(keys.get(0).head().uid()).isEqualTo(a.uid());
        assertThat(keys.get(0).since()).isEqualTo(fixture.letters().get(0).diedAt());
        assertThat(store.dead().blockedKeys(fixture.queue, 1)).hasSize(1);
        assertThat(store.dead().findBlockedKey(fixture.queue, "b")).contains(keys.get(1));
        assertThat(store.dead().findBlockedKey(fixture.queue, "c")).isEmpty();
    }

    @WithEachHoldingPolicy
    void requeuesTheFollowersThatItsNodeHad(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf("k", "1", "2", "3");
        List<ClaimedMessage> held = fixture.claim(0, 10).messages();
        List<Claim> followers =
                held.subList(1, 3).stream().map(ClaimedMessage::claim).toList();
        assertThat(claims.deadLetterIfClaimed(held.get(0).claim(), "boom", followers))
                .isTrue();
        assertThat(claims.claimedBy(fixture.node)).isEmpty();
        assertThat(fixture.runAll()).isEmpty();
        store.dead().replayIfDead(QueueFixture.ANN, fixture.letters());
        assertThat(fixture.runAll()).containsExactly("1", "2", "3");
        assertEmpty();
    }

    @WithEachHoldingPolicy
    void keepsThePlaceOfAHeadThatARescueDeadLetters(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf("k", "1", "2");
        int dead = fixture.newNode();
        fixture.claimAs(dead, 0, 10);
        fixture.declareDead(dead);
        assertThat(nodes.rescue(dead, DeadHeadStoreIT::deadLetterTheFirst)).hasSize(2);
        assertThat(fixture.runAll()).isEmpty();
        store.dead().replayIfDead(QueueFixture.ANN, fixture.letters());
        assertThat(fixture.runAll()).containsExactly("1", "2");
        assertEmpty();
    }

    @Test
    void parksFollowersOfADeadHeadAlsoLaterOnes() throws Exception {
        policy(DeadHeadPolicy.PARK);
        enqueueOf("k", "1", "2", "3");
        makeDeadLetter();
        claim();
        enqueueOf("k", "4");
        assertThat(fixture.runAll()).isEmpty();
        assertThat(fixture.count("acidq_parked")).isEqualTo(3);
        assertThat(fixture.count("acidq_message")).as("two markers").isEqualTo(2);
    }

    @Test
    void letsAKeyOfAParkedMessageStayTaken() throws Exception {
        policy(DeadHeadPolicy.PARK);
        enqueueOf("k", "1");
        var follower = fixture.message(0, "k", "2");
        transactions.run(() -> {
            fixture.takeKey("key", follower.uid(), java.time.Duration.ZERO);
            enqueue.insert(List.of(follower));
        });
        makeDeadLetter();
        claim();
        assertThat(fixture.count("acidq_parked")).isEqualTo(1);
        fixture.passTwoHours();
        maintenance.pruneKeys(100);
        var again = fixture.message(0, "k", "3");
        transactions.run(() -> assertThat(fixture.takeKey("key", again.uid(), java.time.Duration.ZERO))
                .isPresent());
    }

    @WithEachHoldingPolicy
    void replaysToTheTailIfTheMarkerWasDeleted(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf("k", "1", "2");
        makeDeadLetter();
        fixture.execute("DELETE FROM acidq_message WHERE queue = ? AND kind IN (1, 3)", fixture.queueId);
        assertThat(store.dead()
                        .replayIfDead(QueueFixture.ANN, fixture.letters())
                        .changed())
                .isEqualTo(1);
        assertThat(fixture.runAll()).containsExactly("2", "1");
        assertEmpty();
    }

    /** Late commits add messages with lower ids than parked messages, before and among them. */
    @Test
    void ordersByIdWhateverWasParkedWhenItCommitted() throws Exception {
        policy(DeadHeadPolicy.PARK);
        enqueueOf("k", IntStream.rangeClosed(1, 10).mapToObj(String::valueOf).toArray(String[]::new));
        fixture.execute(
                "UPDATE acidq_message SET owner = 999999 WHERE queue = ? AND id NOT IN"
                        + " (SELECT id FROM (SELECT id FROM acidq_message WHERE queue = ? AND payload IN (?, ?, ?)) x)",
                fixture.queueId,
                fixture.queueId,
                "1".getBytes(StandardCharsets.UTF_8),
                "5".getBytes(StandardCharsets.UTF_8),
                "8".getBytes(StandardCharsets.UTF_8));
        hide(true); // as if the others were not committed yet
        makeDeadLetter();
        claim();
        assertThat(fixture.count("acidq_parked")).isEqualTo(2);
        hide(false);
        claim();
        assertThat(fixture.count("acidq_parked")).isEqualTo(9);
        store.dead().replayIfDead(QueueFixture.ANN, fixture.letters());
        assertThat(fixture.runAll())
                .isEqualTo(
                        IntStream.rangeClosed(1, 10).mapToObj(String::valueOf).toList());
        assertEmpty();
    }

    /** Moves messages to another queue and back, as if their transaction were not committed. */
    private void hide(boolean hidden) {
        int queue = fixture.queueId;
        if (hidden) {
            fixture.execute(
                    "UPDATE acidq_message SET queue = ?, owner = 0 WHERE queue = ? AND owner = 999999", -queue, queue);
        } else {
            fixture.execute("UPDATE acidq_message SET queue = ? WHERE queue = ?", queue, -queue);
        }
    }

    private static List<RescueDecision> deadLetterTheFirst(Orphans orphans) {
        long first =
                orphans.claims().stream().mapToLong(o -> o.claim().id()).min().orElseThrow();
        return orphans.claims().stream()
                .map(o -> new RescueDecision(o.claim(), 1, o.claim().id() == first ? "killed" : null))
                .toList();
    }

    private void policy(DeadHeadPolicy policy) {
        queues.changeDeadHeadPolicy(fixture.queue, policy);
    }

    private void enqueueOf(@Nullable String key, String... texts) {
        for (String text : texts) {
            fixture.enqueue(0, key, text);
        }
    }

    private ClaimedMessage makeDeadLetter() {
        ClaimedMessage message = fixture.claimOne(0);
        assertThat(claims.deadLetterIfClaimed(message.claim(), "boom\nat line 1", List.of()))
                .isTrue();
        return message;
    }

    private Claimed claim() {
        return fixture.claim(0, 10);
    }

    private Letter deadLetter() {
        return fixture.letters().get(0);
    }

    private void assertEmpty() {
        assertThat(fixture.count("acidq_message") + fixture.count("acidq_parked"))
                .isZero();
    }
}
