package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.DeadHeadPolicy;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimStore.Claimed;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.DeadLetterStore.Acted;
import io.acidq.store.DeadLetterStore.Deed;
import io.acidq.store.DeadLetterStore.Letter;
import io.acidq.store.MessageRow;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Heads that die, are replayed or released while a claimer is at work in their lane, and commits that come late. */
@EachServer
class HeadDeathRaceStoreIT extends StoreFixture {

    private static final Deed ANN = new Deed("ann", "test", null);

    private final CountDownLatch halfway = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void takesNoFollowerWhenTheHeadDiesBetweenTheReadOfTheLaneAndTheMark(DeadHeadPolicy policy) throws Exception {
        store.queues().changeHeadDeath(scene.queue, policy);
        ClaimedMessage head = headAndFollower();
        Claimed claimed = claimWhile(() -> claims.deadIfClaimed(head.claim(), "boom", List.of()));

        assertThat(Scene.texts(claimed)).containsExactly("other");
        assertThat(scene.claim(0, 10).messages()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void takesNoFollowerWhenTheHeadIsReplayedBetweenTheReadOfTheLaneAndTheMark(DeadHeadPolicy policy) throws Exception {
        store.queues().changeHeadDeath(scene.queue, policy);
        claims.deadIfClaimed(headAndFollower().claim(), "boom", List.of());
        Claimed claimed = claimWhile(() -> store.dead().replayIfDead(ANN, letters()));

        assertThat(Scene.texts(claimed)).containsExactly("other");
        assertThat(runAll()).containsExactly("head", "follower");
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void takesNoFollowerWhenTheHeadIsReleasedBetweenTheReadOfTheLaneAndTheMark(DeadHeadPolicy policy) throws Exception {
        store.queues().changeHeadDeath(scene.queue, policy);
        claims.deadIfClaimed(headAndFollower().claim(), "boom", List.of());
        Letter head = letters().get(0);
        Claimed claimed = claimWhile(() -> store.dead().releaseIfHolding(ANN, head));

        assertThat(Scene.texts(claimed)).containsExactly("other");
        assertThat(runAll()).containsExactly("follower");
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void keepsTheKeyClosedWhileABurialIsUnderWayAndAfterIt(DeadHeadPolicy policy) throws Exception {
        store.queues().changeHeadDeath(scene.queue, policy);
        ClaimedMessage head = headAndFollower();
        CompletableFuture<Boolean> burial = Scene.aside(() -> home().own().once("deadIfClaimed", t -> {
            boolean buried = new ClaimEndings(t.mapper(EndMapper.class)).deadLetter(head.claim(), ErrorText.of("boom"));
            pause();
            return buried;
        }));
        Scene.await(halfway);
        assertThat(Scene.texts(scene.claim(0, 10))).containsExactly("other");
        assertThat(scene.claim(0, 10).messages()).isEmpty();
        end.countDown();
        assertThat(Scene.join(burial)).isTrue();
        assertThat(scene.claim(0, 10).messages()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void keepsTheKeyClosedWhileAReplayIsUnderWay(DeadHeadPolicy policy) throws Exception {
        store.queues().changeHeadDeath(scene.queue, policy);
        claims.deadIfClaimed(headAndFollower().claim(), "boom", List.of());
        CompletableFuture<Acted> replay = Scene.aside(() -> home().own().once("replayIfDead", t -> {
            Acted acted = new DeadLetterTransaction(t, ANN, letters()).replay();
            pause();
            return acted;
        }));
        Scene.await(halfway);
        assertThat(Scene.texts(scene.claim(0, 10))).containsExactly("other");
        assertThat(scene.claim(0, 10).messages()).isEmpty();
        end.countDown();
        Scene.join(replay);
        assertThat(runAll()).containsExactly("head", "follower");
    }

    @Test
    void tellsTheOneWhoReleasesThatTheOneWhoReplaysHasWon() {
        store.queues().changeHeadDeath(scene.queue, DeadHeadPolicy.BLOCK);
        claims.deadIfClaimed(headAndFollower().claim(), "boom", List.of());
        Letter letter = letters().get(0);
        CompletableFuture<Acted> replay = Scene.aside(() -> home().own().once("replayIfDead", t -> {
            Acted acted = new DeadLetterTransaction(t, ANN, List.of(letter)).replay();
            pause();
            return acted;
        }));
        Scene.await(halfway);
        CompletableFuture<Acted> release = Scene.aside(() -> store.dead().releaseIfHolding(ANN, letter));
        scene.awaitLockWait();
        end.countDown();
        assertThat(Scene.join(replay).changed()).isEqualTo(1);
        assertThat(Scene.join(release)).isEqualTo(new Acted(0, 1, 0, 0));
    }

    /** Ids 1 (late), 2 (dies), 3 and 5 (set aside), 4 (late, among them), 6 (late, behind them). */
    @Test
    void putsWhatCommitsLateBetweenWhatIsSetAside() throws Exception {
        store.queues().changeHeadDeath(scene.queue, DeadHeadPolicy.PARK);
        try (Connection one = open();
                Connection four = open();
                Connection six = open()) {
            scene.insertBy(one, scene.message(0, "k", "1"));
            scene.enqueue(0, "k", "2");
            scene.enqueue(0, "k", "3");
            scene.insertBy(four, scene.message(0, "k", "4"));
            scene.enqueue(0, "k", "5");
            scene.insertBy(six, scene.message(0, "k", "6"));
            claims.deadIfClaimed(scene.claimOne(0).claim(), "boom", List.of());
            assertThat(scene.claim(0, 10).messages()).isEmpty();
            assertThat(scene.count("acidq_parked")).isEqualTo(2);
            one.commit();
            four.commit();
            assertThat(runAll()).as("what lies before the dead head").containsExactly("1");
            assertThat(scene.count("acidq_parked")).isEqualTo(3);
            store.dead().replayIfDead(ANN, letters());
            six.commit();
        }
        assertThat(runAll()).containsExactly("2", "3", "4", "5", "6");
        assertThat(scene.count("acidq_message") + scene.count("acidq_parked")).isZero();
    }

    @Test
    void putsWhatCommitsLateBeforeAndAmongASpilledCrowdIntoItsPlace() throws Exception {
        int crowd = 2 * ParkedMessages.CROWD;
        List<String> expected = new ArrayList<>();
        try (Connection late = open()) {
            scene.enqueue(0, "k", "head");
            ClaimedMessage head = scene.claimOne(0);
            for (int part = 0; part < 4; part++) {
                String name = part + "/";
                scene.insertBy(late, scene.message(0, "k", "late " + part));
                scene.enqueue(IntStream.range(0, crowd / 4)
                        .mapToObj(i -> scene.message(0, "k", name + i))
                        .toArray(MessageRow[]::new));
                expected.add("late " + part);
                IntStream.range(0, crowd / 4).forEach(i -> expected.add(name + i));
            }
            scene.enqueue(0, "other", "after the crowd");
            assertThat(scene.ack(scene.claimOne(0).claim())).isTrue();
            assertThat(scene.count("acidq_parked")).isGreaterThan(ParkedMessages.CROWD);
            late.commit();
            scene.claim(0, 1);
            scene.ack(head.claim());
        }
        assertThat(runAll()).isEqualTo(expected);
        assertThat(scene.count("acidq_message") + scene.count("acidq_parked")).isZero();
    }

    @Test
    void lendsNoSecondClaimerTheLaneWhileOneCallsBackWhatWasSetAside() throws Exception {
        store.queues().changeHeadDeath(scene.queue, DeadHeadPolicy.PARK);
        claims.deadIfClaimed(headAndFollower().claim(), "boom", List.of());
        assertThat(Scene.texts(scene.claim(0, 10))).containsExactly("other");
        assertThat(scene.count("acidq_parked")).isEqualTo(1);
        store.dead().discardIfDead(ANN, letters());
        CompletableFuture<Claimed> claimer = Scene.aside(() -> home().own().often("claimDue", t -> {
            Claimed claimed = new LaneClaim(t, scene.request(0, 10), false).claim();
            pause();
            return claimed;
        }));
        Scene.await(halfway);
        assertThat(scene.claim(0, 10)).isSameAs(Claimed.BUSY);
        assertThat(scene.count("acidq_parked")).as("as others see it").isEqualTo(1);
        end.countDown();
        assertThat(Scene.texts(Scene.join(claimer))).containsExactly("follower");
        assertThat(scene.count("acidq_parked")).isZero();
    }

    @Test
    void leavesEverythingWhereItWasWhenAClaimThatHasMovedFollowersIsRolledBack() throws Exception {
        store.queues().changeHeadDeath(scene.queue, DeadHeadPolicy.PARK);
        claims.deadIfClaimed(headAndFollower().claim(), "boom", List.of());
        home().own().often("claimDue", t -> {
            new LaneClaim(t, scene.request(0, 10), false).claim();
            t.rollBack();
            return null;
        });
        assertThat(scene.count("acidq_parked")).isZero();
        assertThat(scene.count("acidq_message")).isEqualTo(3);
        assertThat(Scene.texts(scene.claim(0, 10))).containsExactly("other");
        store.dead().replayIfDead(ANN, letters());
        assertThat(runAll()).containsExactly("head", "follower");
    }

    /** The head is claimed; behind it a follower, and a message of another key. */
    private ClaimedMessage headAndFollower() {
        scene.enqueue(0, "k", "head");
        ClaimedMessage head = scene.claimOne(0);
        scene.enqueue(0, "k", "follower");
        scene.enqueue(0, "o", "other");
        return head;
    }

    /** A claim with something else happening after it has read the lane. */
    private Claimed claimWhile(Runnable what) {
        SqlTrap trap = new SqlTrap(home().dataSource(), "claim_no + 1", what);
        ClaimStore trapped = MyBatisStore.over(trap.dataSource()).claims();
        return trapped.claimDue(scene.request(0, 10));
    }

    private void pause() {
        halfway.countDown();
        Scene.await(end);
    }

    private List<String> runAll() throws Exception {
        List<String> done = new ArrayList<>();
        for (int idle = 0; idle < 2; ) {
            Claimed claimed = scene.claim(0, 100);
            for (Claim claim : Scene.claims(claimed)) {
                assertThat(scene.ack(claim)).isTrue();
            }
            done.addAll(Scene.texts(claimed));
            idle = claimed.messages().isEmpty() ? idle + 1 : 0;
        }
        return done;
    }

    private List<Letter> letters() {
        return new Deaths(scene).letters();
    }

    private Connection open() throws Exception {
        Connection connection = home().dataSource().getConnection();
        connection.setAutoCommit(false);
        return connection;
    }
}
