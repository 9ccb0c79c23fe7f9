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
import io.acidq.store.DeadLetterStore.Acted;
import io.acidq.store.DeadLetterStore.Deed;
import io.acidq.store.DeadLetterStore.Letter;
import io.acidq.store.NodeStore.Orphans;
import io.acidq.store.NodeStore.Verdict;
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
class HeadDeathStoreIT extends StoreFixture {

    private static final Deed ANN = new Deed("ann", "test", null);

    @Test
    void letsTheNextOneRunUnlessTheQueueSaysOtherwise() throws Exception {
        enqueueOf("k", "1", "2");
        die();
        assertThat(letter().isHolding()).isFalse();
        assertThat(runAll()).containsExactly("2");
    }

    @Test
    void tellsWhetherThePolicyChanged() {
        assertThat(store.queues().changeHeadDeath(scene.queue, DeadHeadPolicy.SKIP))
                .isFalse();
        assertThat(store.queues().changeHeadDeath(scene.queue, DeadHeadPolicy.PARK))
                .isTrue();
        assertThat(store.queues().changeHeadDeath(scene.queue, DeadHeadPolicy.PARK))
                .isFalse();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void keepsTheKeyClosedBehindItsDeadHeadAndNoOther(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf("k", "1", "2");
        enqueueOf("other", "a");
        enqueueOf(null, "free");
        die();
        enqueueOf("k", "3");
        assertThat(runAll()).containsExactly("a", "free");
        assertThat(store.claims().lanesWithWork(List.of(scene.queue.id()))).hasSize(1);
        assertThat(letter().isHolding()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void neverHoldsThePlaceOfAMessageWithoutOrderingKey(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf(null, "1", "2");
        die();
        assertThat(letter().isHolding()).isFalse();
        assertThat(runAll()).containsExactly("2");
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void replaysTheHeadIntoItsOldPlace(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf("k", "1", "2", "3");
        ClaimedMessage head = die();
        claim();
        assertThat(store.dead().replayIfDead(ANN, letters())).isEqualTo(new Acted(1, 0, 0, 0));

        ClaimedMessage again = scene.claimOne(0);
        assertThat(again.claim())
                .isEqualTo(new Claim(scene.queue.id(), 0, head.claim().id(), head.uid(), scene.node, 2));
        assertThat(again.uid()).isEqualTo(head.uid());
        assertThat(again.attempts()).isEqualTo(1);
        assertThat(again.headers()).isEqualTo("headers");
        scene.ack(again.claim());
        assertThat(new String(again.payload(), StandardCharsets.UTF_8)).isEqualTo("1");
        assertThat(runAll()).containsExactly("2", "3");
        assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void holdsThePlaceAgainWhenTheReplayedHeadDiesAgain(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf("k", "1", "2");
        ClaimedMessage first = die();
        store.dead().replayIfDead(ANN, letters());
        ClaimedMessage second = die();
        assertThat(second.claim().id()).isEqualTo(first.claim().id());
        assertThat(runAll()).isEmpty();
        store.dead().editIfDead(ANN, letter(), "edited".getBytes(StandardCharsets.UTF_8));
        assertThat(runAll()).containsExactly("edited", "2");
        assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void goesOnWhenTheHeadIsDiscarded(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf("k", "1", "2", "3");
        die();
        claim();
        assertThat(store.dead().discardIfDead(ANN, letters()).changed()).isEqualTo(1);
        assertThat(runAll()).containsExactly("2", "3");
        assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void goesOnWhenTheKeyIsReleasedAndReplaysTheLetterToTheEnd(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf("k", "1", "2", "3");
        die();
        claim();
        Letter held = letter();
        assertThat(store.dead().releaseIfHolding(ANN, held).changed()).isEqualTo(1);
        assertThat(store.dead().releaseIfHolding(ANN, held).changed()).isZero();
        assertThat(letter().isHolding()).isFalse();
        assertThat(store.inspection().auditOf(held.uid())).singleElement().satisfies(e -> {
            assertThat(e.action()).isEqualTo("release");
            assertThat(e.actor()).isEqualTo("ann");
        });
        assertThat(store.dead().blockedKeys(scene.queue, 10)).isEmpty();
        store.dead().replayIfDead(ANN, letters());
        assertThat(runAll()).containsExactly("2", "3", "1");
        assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void releasesNothingOnceTheHeadWasReplayed(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf("k", "1", "2");
        die();
        Letter held = letter();
        store.dead().replayIfDead(ANN, List.of(held));
        assertThat(store.dead().releaseIfHolding(ANN, held)).isEqualTo(new Acted(0, 1, 0, 0));
        assertThat(runAll()).containsExactly("1", "2");
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void listsTheBlockedKeysWithWhatWaits(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf("a", "1", "2", "3");
        ClaimedMessage a = die();
        claim();
        enqueueOf("a", "4");
        enqueueOf("b", "1");
        die();

        List<BlockedKey> keys = store.dead().blockedKeys(scene.queue, 10);
        assertThat(keys).extracting(BlockedKey::orderingKey).containsExactly("a", "b");
        assertThat(keys).extracting(BlockedKey::waiting).containsExactly(3, 0);
        assertThat(keys).extracting(BlockedKey::cause).containsOnly("boom");
        assertThat(keys.get(0).head().uid()).isEqualTo(a.uid());
        assertThat(keys.get(0).since()).isEqualTo(letters().get(0).diedAt());
        assertThat(store.dead().blockedKeys(scene.queue, 1)).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void givesTheFollowersBackThatItsNodeHeld(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf("k", "1", "2", "3");
        List<ClaimedMessage> held = scene.claim(0, 10).messages();
        List<Claim> followers =
                held.subList(1, 3).stream().map(ClaimedMessage::claim).toList();
        assertThat(claims.deadIfClaimed(held.get(0).claim(), "boom", followers)).isTrue();
        assertThat(claims.claimedBy(scene.node)).isEmpty();
        assertThat(runAll()).isEmpty();
        store.dead().replayIfDead(ANN, letters());
        assertThat(runAll()).containsExactly("1", "2", "3");
        assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void keepsThePlaceOfAHeadThatTheRescuerBuries(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf("k", "1", "2");
        int dead = scene.newNode();
        scene.claimAs(dead, 0, 10);
        scene.bury(dead);
        assertThat(nodes.rescue(dead, HeadDeathStoreIT::buryTheFirst)).hasSize(2);
        assertThat(runAll()).isEmpty();
        store.dead().replayIfDead(ANN, letters());
        assertThat(runAll()).containsExactly("1", "2");
        assertEmpty();
    }

    @Test
    void setsFollowersAsideWhileTheirHeadIsParkedThoseThatComeToo() throws Exception {
        policy(DeadHeadPolicy.PARK);
        enqueueOf("k", "1", "2", "3");
        die();
        claim();
        enqueueOf("k", "4");
        assertThat(runAll()).isEmpty();
        assertThat(scene.count("acidq_parked")).isEqualTo(3);
        assertThat(scene.count("acidq_message")).as("two markers").isEqualTo(2);
    }

    @Test
    void letsAKeyOfAParkedMessageStayTaken() throws Exception {
        policy(DeadHeadPolicy.PARK);
        enqueueOf("k", "1");
        var follower = scene.message(0, "k", "2");
        home().transactions().run(() -> {
            scene.takeKey("key", follower.uid(), java.time.Duration.ZERO);
            enqueue.insert(List.of(follower));
        });
        die();
        claim();
        assertThat(scene.count("acidq_parked")).isEqualTo(1);
        scene.passTwoHours();
        store.maintenance().pruneKeys(100);
        var again = scene.message(0, "k", "3");
        home().transactions()
                .run(() -> assertThat(scene.takeKey("key", again.uid(), java.time.Duration.ZERO))
                        .isPresent());
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void replaysToTheEndWhenSomebodyHasDeletedTheMarker(DeadHeadPolicy policy) throws Exception {
        policy(policy);
        enqueueOf("k", "1", "2");
        die();
        scene.execute("DELETE FROM acidq_message WHERE queue = ? AND kind IN (1, 3)", scene.queue.id());
        assertThat(store.dead().replayIfDead(ANN, letters()).changed()).isEqualTo(1);
        assertThat(runAll()).containsExactly("2", "1");
        assertEmpty();
    }

    /** Late commits bring lower ids than what is parked, in front of it and among it. */
    @Test
    void ordersByIdWhateverWasParkedWhenItCommitted() throws Exception {
        policy(DeadHeadPolicy.PARK);
        enqueueOf("k", IntStream.rangeClosed(1, 10).mapToObj(String::valueOf).toArray(String[]::new));
        scene.execute(
                "UPDATE acidq_message SET owner = 999999 WHERE queue = ? AND id NOT IN"
                        + " (SELECT id FROM (SELECT id FROM acidq_message WHERE queue = ? AND payload IN (?, ?, ?)) x)",
                scene.queue.id(),
                scene.queue.id(),
                "1".getBytes(StandardCharsets.UTF_8),
                "5".getBytes(StandardCharsets.UTF_8),
                "8".getBytes(StandardCharsets.UTF_8));
        hide(true); // the others have not yet committed
        die();
        claim();
        assertThat(scene.count("acidq_parked")).isEqualTo(2);
        hide(false);
        claim();
        assertThat(scene.count("acidq_parked")).isEqualTo(9);
        store.dead().replayIfDead(ANN, letters());
        assertThat(runAll())
                .isEqualTo(
                        IntStream.rangeClosed(1, 10).mapToObj(String::valueOf).toList());
        assertEmpty();
    }

    /** What another transaction has not committed is as if it lay in another queue. */
    private void hide(boolean hidden) {
        int queue = scene.queue.id();
        if (hidden) {
            scene.execute(
                    "UPDATE acidq_message SET queue = ?, owner = 0 WHERE queue = ? AND owner = 999999", -queue, queue);
        } else {
            scene.execute("UPDATE acidq_message SET queue = ? WHERE queue = ?", queue, -queue);
        }
    }

    private static List<Verdict> buryTheFirst(Orphans orphans) {
        long first =
                orphans.claims().stream().mapToLong(o -> o.claim().id()).min().orElseThrow();
        return orphans.claims().stream()
                .map(o -> new Verdict(o.claim(), 1, o.claim().id() == first ? "killed" : null))
                .toList();
    }

    private void policy(DeadHeadPolicy policy) {
        store.queues().changeHeadDeath(scene.queue, policy);
    }

    private void enqueueOf(@Nullable String key, String... texts) {
        for (String text : texts) {
            scene.enqueue(0, key, text);
        }
    }

    private ClaimedMessage die() {
        ClaimedMessage message = scene.claimOne(0);
        assertThat(claims.deadIfClaimed(message.claim(), "boom\nat line 1", List.of()))
                .isTrue();
        return message;
    }

    private Claimed claim() {
        return scene.claim(0, 10);
    }

    /** Runs what can run, one after the other, until nothing is left that can. */
    private List<String> runAll() throws Exception {
        List<String> done = new java.util.ArrayList<>();
        for (int idle = 0; idle < 2; ) {
            Claimed claimed = claims.claimDue(new ClaimRequest(
                    scene.queue.id(), 0, scene.node, 1, new Budget(10, 10, true), ClaimStrategy.LANES));
            for (ClaimedMessage message : claimed.messages()) {
                assertThat(scene.ack(message.claim())).isTrue();
            }
            done.addAll(Scene.texts(claimed));
            idle = claimed.messages().isEmpty() ? idle + 1 : 0;
        }
        return done;
    }

    private Letter letter() {
        return letters().get(0);
    }

    private List<Letter> letters() {
        return new Deaths(scene).letters();
    }

    private void assertEmpty() {
        assertThat(scene.count("acidq_message") + scene.count("acidq_parked")).isZero();
    }
}
