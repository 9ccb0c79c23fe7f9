package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.DeadHeadPolicy;
import io.acidq.admin.BlockedKey;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore.Budget;
import io.acidq.store.ClaimStore.ClaimRequest;
import io.acidq.store.ClaimStore.Claimed;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.DeadLetterStore.ActionResult;
import io.acidq.store.DeadLetterStore.Letter;
import io.acidq.store.DeadLetterStore.OperatorAction;
import io.acidq.store.NodeStore.Orphans;
import io.acidq.store.NodeStore.RescueDecision;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** What becomes of an ordering key whose head dies. */
@EachStore
class DeadHeadStoreIT extends StoreFixture {

    private static final OperatorAction ANN = new OperatorAction("ann", "test", null);

    @Test
    void letsTheNextOneRunUnlessTheQueueSaysOtherwise() throws Exception {
        enqueueOf("k", "1", "2");
        makeDeadLetter();
        assertThat(deadLetter().isHolding()).isFalse();
        assertThat(runAll()).containsExactly("2");
    }

    @Test
    void tellsWhetherThePolicyChanged() {
        assertThat(store.queues().changeDeadHeadPolicy(queueFixture.queue, DeadHeadPolicy.SKIP))
                .isFalse();
        assertThat(store.queues().changeDeadHeadPolicy(queueFixture.queue, DeadHeadPolicy.PARK))
                .isTrue();
        assertThat(store.queues().changeDeadHeadPolicy(queueFixture.queue, DeadHeadPolicy.PARK))
                .isFalse();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void keepsTheKeyClosedBehindItsDeadHeadAndNoOther(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf("k", "1", "2");
        enqueueOf("other", "a");
        enqueueOf(null, "free");
        makeDeadLetter();
        enqueueOf("k", "3");
        assertThat(runAll()).containsExactly("a", "free");
        assertThat(store.claims().lanesWithWork(List.of(queueFixture.queue.id())))
                .hasSize(1);
        assertThat(deadLetter().isHolding()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void neverHoldsThePlaceOfAMessageWithoutOrderingKey(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf(null, "1", "2");
        makeDeadLetter();
        assertThat(deadLetter().isHolding()).isFalse();
        assertThat(runAll()).containsExactly("2");
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void replaysTheHeadIntoItsOldPlace(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf("k", "1", "2", "3");
        ClaimedMessage head = makeDeadLetter();
        claim();
        assertThat(store.dead().replayIfDead(ANN, deadLetters())).isEqualTo(new ActionResult(1, 0, 0, 0));

        ClaimedMessage again = queueFixture.claimOne(0);
        assertThat(again.claim())
                .isEqualTo(new Claim(queueFixture.queue.id(), 0, head.claim().id(), head.uid(), queueFixture.node, 2));
        assertThat(again.uid()).isEqualTo(head.uid());
        assertThat(again.attempts()).isEqualTo(1);
        assertThat(again.headers()).isEqualTo("headers");
        queueFixture.ack(again.claim());
        assertThat(new String(again.payload(), StandardCharsets.UTF_8)).isEqualTo("1");
        assertThat(runAll()).containsExactly("2", "3");
        assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void holdsThePlaceAgainWhenTheReplayedHeadDiesAgain(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf("k", "1", "2");
        ClaimedMessage first = makeDeadLetter();
        store.dead().replayIfDead(ANN, deadLetters());
        ClaimedMessage second = makeDeadLetter();
        assertThat(second.claim().id()).isEqualTo(first.claim().id());
        assertThat(runAll()).isEmpty();
        store.dead().editIfDead(ANN, deadLetter(), "edited".getBytes(StandardCharsets.UTF_8));
        assertThat(runAll()).containsExactly("edited", "2");
        assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void goesOnWhenTheHeadIsDiscarded(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf("k", "1", "2", "3");
        makeDeadLetter();
        claim();
        assertThat(store.dead().discardIfDead(ANN, deadLetters()).changed()).isEqualTo(1);
        assertThat(runAll()).containsExactly("2", "3");
        assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void goesOnWhenTheKeyIsReleasedAndReplaysTheLetterToTheEnd(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf("k", "1", "2", "3");
        makeDeadLetter();
        claim();
        Letter held = deadLetter();
        assertThat(store.dead().releaseIfHolding(ANN, held).changed()).isEqualTo(1);
        assertThat(store.dead().releaseIfHolding(ANN, held).changed()).isZero();
        assertThat(deadLetter().isHolding()).isFalse();
        assertThat(store.inspection().auditOf(held.uid())).singleElement().satisfies(e -> {
            assertThat(e.action()).isEqualTo("release");
            assertThat(e.actor()).isEqualTo("ann");
        });
        assertThat(store.dead().blockedKeys(queueFixture.queue, 10)).isEmpty();
        store.dead().replayIfDead(ANN, deadLetters());
        assertThat(runAll()).containsExactly("2", "3", "1");
        assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void releasesNothingOnceTheHeadWasReplayed(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf("k", "1", "2");
        makeDeadLetter();
        Letter held = deadLetter();
        store.dead().replayIfDead(ANN, List.of(held));
        assertThat(store.dead().releaseIfHolding(ANN, held)).isEqualTo(new ActionResult(0, 1, 0, 0));
        assertThat(runAll()).containsExactly("1", "2");
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void listsTheBlockedKeysWithWhatWaits(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf("a", "1", "2", "3");
        ClaimedMessage a = makeDeadLetter();
        claim();
        enqueueOf("a", "4");
        enqueueOf("b", "1");
        makeDeadLetter();

        List<BlockedKey> keys = store.dead().blockedKeys(queueFixture.queue, 10);
        assertThat(keys).extracting(BlockedKey::orderingKey).containsExactly("a", "b");
        assertThat(keys).extracting(BlockedKey::waiting).containsExactly(3, 0);
        assertThat(keys).extracting(BlockedKey::cause).containsOnly("boom");
        assertThat(keys.get(0).head().uid()).isEqualTo(a.uid());
        assertThat(keys.get(0).since()).isEqualTo(deadLetters().get(0).diedAt());
        assertThat(store.dead().blockedKeys(queueFixture.queue, 1)).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void givesTheFollowersBackThatItsNodeHeld(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf("k", "1", "2", "3");
        List<ClaimedMessage> held = queueFixture.claim(0, 10).messages();
        List<Claim> followers =
                held.subList(1, 3).stream().map(ClaimedMessage::claim).toList();
        assertThat(claims.deadLetterIfClaimed(held.get(0).claim(), "boom", followers))
                .isTrue();
        assertThat(claims.claimedBy(queueFixture.node)).isEmpty();
        assertThat(runAll()).isEmpty();
        store.dead().replayIfDead(ANN, deadLetters());
        assertThat(runAll()).containsExactly("1", "2", "3");
        assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void keepsThePlaceOfAHeadThatTheRescuerBuries(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf("k", "1", "2");
        int dead = queueFixture.newNode();
        queueFixture.claimAs(dead, 0, 10);
        queueFixture.declareDead(dead);
        assertThat(nodes.rescue(dead, DeadHeadStoreIT::deadLetterTheFirst)).hasSize(2);
        assertThat(runAll()).isEmpty();
        store.dead().replayIfDead(ANN, deadLetters());
        assertThat(runAll()).containsExactly("1", "2");
        assertEmpty();
    }

    @Test
    void setsFollowersAsideWhileTheirHeadIsParkedThoseThatComeToo() throws Exception {
        policy(DeadHeadPolicy.PARK);
        enqueueOf("k", "1", "2", "3");
        makeDeadLetter();
        claim();
        enqueueOf("k", "4");
        assertThat(runAll()).isEmpty();
        assertThat(queueFixture.count("acidq_parked")).isEqualTo(3);
        assertThat(queueFixture.count("acidq_message")).as("two markers").isEqualTo(2);
    }

    @Test
    void letsAKeyOfAParkedMessageStayTaken() throws Exception {
        policy(DeadHeadPolicy.PARK);
        enqueueOf("k", "1");
        var follower = queueFixture.message(0, "k", "2");
        database().transactions().run(() -> {
            queueFixture.takeKey("key", follower.uid(), java.time.Duration.ZERO);
            enqueue.insert(List.of(follower));
        });
        makeDeadLetter();
        claim();
        assertThat(queueFixture.count("acidq_parked")).isEqualTo(1);
        queueFixture.passTwoHours();
        store.maintenance().pruneKeys(100);
        var again = queueFixture.message(0, "k", "3");
        database()
                .transactions()
                .run(() -> assertThat(queueFixture.takeKey("key", again.uid(), java.time.Duration.ZERO))
                        .isPresent());
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void replaysToTheEndWhenSomebodyHasDeletedTheMarker(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf("k", "1", "2");
        makeDeadLetter();
        queueFixture.execute("DELETE FROM acidq_message WHERE queue = ? AND kind IN (1, 3)", queueFixture.queue.id());
        assertThat(store.dead().replayIfDead(ANN, deadLetters()).changed()).isEqualTo(1);
        assertThat(runAll()).containsExactly("2", "1");
        assertEmpty();
    }

    /** Late commits bring lower ids than what is parked, in front of it and among it. */
    @Test
    void ordersByIdWhateverWasParkedWhenItCommitted() throws Exception {
        policy(DeadHeadPolicy.PARK);
        enqueueOf("k", IntStream.rangeClosed(1, 10).mapToObj(String::valueOf).toArray(String[]::new));
        queueFixture.execute(
                "UPDATE acidq_message SET owner = 999999 WHERE queue = ? AND id NOT IN"
                        + " (SELECT id FROM (SELECT id FROM acidq_message WHERE queue = ? AND payload IN (?, ?, ?)) x)",
                queueFixture.queue.id(),
                queueFixture.queue.id(),
                "1".getBytes(StandardCharsets.UTF_8),
                "5".getBytes(StandardCharsets.UTF_8),
                "8".getBytes(StandardCharsets.UTF_8));
        hide(true); // the others have not yet committed
        makeDeadLetter();
        claim();
        assertThat(queueFixture.count("acidq_parked")).isEqualTo(2);
        hide(false);
        claim();
        assertThat(queueFixture.count("acidq_parked")).isEqualTo(9);
        store.dead().replayIfDead(ANN, deadLetters());
        assertThat(runAll())
                .isEqualTo(
                        IntStream.rangeClosed(1, 10).mapToObj(String::valueOf).toList());
        assertEmpty();
    }

    /** What another transaction has not committed is as if it lay in another queue. */
    private void hide(boolean hidden) {
        int queue = queueFixture.queue.id();
        if (hidden) {
            queueFixture.execute(
                    "UPDATE acidq_message SET queue = ?, owner = 0 WHERE queue = ? AND owner = 999999", -queue, queue);
        } else {
            queueFixture.execute("UPDATE acidq_message SET queue = ? WHERE queue = ?", queue, -queue);
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
        store.queues().changeDeadHeadPolicy(queueFixture.queue, policy);
    }

    private void enqueueOf(@Nullable String key, String... texts) {
        for (String text : texts) {
            queueFixture.enqueue(0, key, text);
        }
    }

    private ClaimedMessage makeDeadLetter() {
        ClaimedMessage message = queueFixture.claimOne(0);
        assertThat(claims.deadLetterIfClaimed(message.claim(), "boom\nat line 1", List.of()))
                .isTrue();
        return message;
    }

    private Claimed claim() {
        return queueFixture.claim(0, 10);
    }

    /** Runs what can run, one after the other, until nothing is left that can. */
    private List<String> runAll() throws Exception {
        List<String> done = new java.util.ArrayList<>();
        for (int idle = 0; idle < 2; ) {
            Claimed claimed = claims.claimDue(new ClaimRequest(
                    queueFixture.queue.id(), 0, queueFixture.node, 1, new Budget(10, 10, true), ClaimStrategy.LANES));
            for (ClaimedMessage message : claimed.messages()) {
                assertThat(queueFixture.ack(message.claim())).isTrue();
            }
            done.addAll(QueueFixture.texts(claimed));
            idle = claimed.messages().isEmpty() ? idle + 1 : 0;
        }
        return done;
    }

    private Letter deadLetter() {
        return deadLetters().get(0);
    }

    private List<Letter> deadLetters() {
        return new DeadLetterFixture(queueFixture).deadLetters();
    }

    private void assertEmpty() {
        assertThat(queueFixture.count("acidq_message") + queueFixture.count("acidq_parked"))
                .isZero();
    }
}
