package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.DeadHeadPolicy;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimStore.Claimed;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.DeadLetterStore.ActionResult;
import io.acidq.store.DeadLetterStore.Letter;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Heads that are dead-lettered, replayed or released during a claim of their lane, and late commits. */
@EachServer
class DeadHeadRaceStoreIT extends StoreFixture {

    private final CountDownLatch halfway = new CountDownLatch(1);

    @WithEachHoldingPolicy
    void takesNoFollowerWhenTheHeadDiesBetweenTheReadOfTheLaneAndTheMark(DeadHeadPolicy policy) throws Exception {
        queues.changeDeadHeadPolicy(fixture.queue, policy);
        ClaimedMessage head = headAndFollower();
        Claimed claimed = claimWhile(() -> claims.deadLetterIfClaimed(head.claim(), "boom", List.of()));

        assertThat(QueueFixture.texts(claimed)).containsExactly("other");
        assertThat(fixture.claim(0, 10).messages()).isEmpty();
    }

    @WithEachHoldingPolicy
    void takesNoFollowerWhenTheHeadIsReplayedBetweenTheReadOfTheLaneAndTheMark(DeadHeadPolicy policy) throws Exception {
        queues.changeDeadHeadPolicy(fixture.queue, policy);
        claims.deadLetterIfClaimed(headAndFollower().claim(), "boom", List.of());
        Claimed claimed = claimWhile(() -> dead.replayIfDead(QueueFixture.ANN, fixture.letters()));

        assertThat(QueueFixture.texts(claimed)).containsExactly("other");
        assertThat(fixture.runAll()).containsExactly("head", "follower");
    }

    @WithEachHoldingPolicy
    void takesNoFollowerWhenTheHeadIsReleasedBetweenTheReadOfTheLaneAndTheMark(DeadHeadPolicy policy) throws Exception {
        queues.changeDeadHeadPolicy(fixture.queue, policy);
        claims.deadLetterIfClaimed(headAndFollower().claim(), "boom", List.of());
        Letter head = fixture.letters().get(0);
        Claimed claimed = claimWhile(() -> dead.releaseIfHolding(QueueFixture.ANN, head));

        assertThat(QueueFixture.texts(claimed)).containsExactly("other");
        assertThat(fixture.runAll()).containsExactly("follower");
    }

    @WithEachHoldingPolicy
    void keepsTheKeyClosedWhileTheHeadIsDeadLetteredAndAfterwards(DeadHeadPolicy policy) throws Exception {
        queues.changeDeadHeadPolicy(fixture.queue, policy);
        ClaimedMessage head = headAndFollower();
        CompletableFuture<Boolean> deadLettering =
                QueueFixture.runAsync(() -> database().own().runAndRelease("deadLetterIfClaimed", t -> {
                    boolean done = new ClaimEndings(t).deadLetter(head.claim(), ErrorText.of("boom"));
                    pause();
                    return done;
                }));
        QueueFixture.await(halfway);
        assertThat(fixture.claimTexts(0, 10)).containsExactly("other");
        assertThat(fixture.claim(0, 10).messages()).isEmpty();
        end.countDown();
        assertThat(QueueFixture.join(deadLettering)).isTrue();
        assertThat(fixture.claim(0, 10).messages()).isEmpty();
    }

    @WithEachHoldingPolicy
    void keepsTheKeyClosedDuringAReplay(DeadHeadPolicy policy) throws Exception {
        queues.changeDeadHeadPolicy(fixture.queue, policy);
        claims.deadLetterIfClaimed(headAndFollower().claim(), "boom", List.of());
        CompletableFuture<ActionResult> replay =
                QueueFixture.runAsync(() -> database().own().runAndRelease("replayIfDead", t -> {
                    ActionResult actionResult =
                            new DeadLetterTransaction(t, QueueFixture.ANN, fixture.letters()).replay();
                    pause();
                    return actionResult;
                }));
        QueueFixture.await(halfway);
        assertThat(fixture.claimTexts(0, 10)).containsExactly("other");
        assertThat(fixture.claim(0, 10).messages()).isEmpty();
        end.countDown();
        QueueFixture.join(replay);
        assertThat(fixture.runAll()).containsExactly("head", "follower");
    }

    @Test
    void losesAReleaseAgainstAReplay() {
        queues.changeDeadHeadPolicy(fixture.queue, DeadHeadPolicy.BLOCK);
        claims.deadLetterIfClaimed(headAndFollower().claim(), "boom", List.of());
        Letter letter = fixture.letters().get(0);
        CompletableFuture<ActionResult> replay =
                QueueFixture.runAsync(() -> database().own().runAndRelease("replayIfDead", t -> {
                    ActionResult actionResult =
                            new DeadLetterTransaction(t, QueueFixture.ANN, List.of(letter)).replay();
                    pause();
                    return actionResult;
                }));
        QueueFixture.await(halfway);
        CompletableFuture<ActionResult> release =
                QueueFixture.runAsync(() -> dead.releaseIfHolding(QueueFixture.ANN, letter));
        fixture.awaitLockWait();
        end.countDown();
        assertThat(QueueFixture.join(replay).changed()).isEqualTo(1);
        assertThat(QueueFixture.join(release)).isEqualTo(new ActionResult(0, 1, 0, 0));
    }

    /** Ids 1 (late), 2 (dead), 3 and 5 (parked), 4 (late, among them), 6 (late, after them). */
    @Test
    void putsLateCommitsBetweenParkedMessages() throws Exception {
        queues.changeDeadHeadPolicy(fixture.queue, DeadHeadPolicy.PARK);
        try (Connection one = fixture.begin();
                Connection four = fixture.begin();
                Connection six = fixture.begin()) {
            fixture.insertBy(one, fixture.message(0, "k", "1"));
            fixture.enqueue(0, "k", "2");
            fixture.enqueue(0, "k", "3");
            fixture.insertBy(four, fixture.message(0, "k", "4"));
            fixture.enqueue(0, "k", "5");
            fixture.insertBy(six, fixture.message(0, "k", "6"));
            claims.deadLetterIfClaimed(fixture.claimOne(0).claim(), "boom", List.of());
            assertThat(fixture.claim(0, 10).messages()).isEmpty();
            assertThat(fixture.count("acidq_parked")).isEqualTo(2);
            one.commit();
            four.commit();
            assertThat(fixture.runAll()).as("what lies before the dead head").containsExactly("1");
            assertThat(fixture.count("acidq_parked")).isEqualTo(3);
            dead.replayIfDead(QueueFixture.ANN, fixture.letters());
            six.commit();
        }
        assertThat(fixture.runAll()).containsExactly("2", "3", "4", "5", "6");
        assertThat(fixture.count("acidq_message") + fixture.count("acidq_parked"))
                .isZero();
    }

    @Test
    void putsLateCommitsBeforeAndAmongParkedMessagesIntoTheirPlaces() throws Exception {
        int crowd = 2 * ParkedMessages.PARK_THRESHOLD;
        List<String> expected = new ArrayList<>();
        try (Connection late = fixture.begin()) {
            fixture.enqueue(0, "k", "head");
            ClaimedMessage head = fixture.claimOne(0);
            for (int part = 0; part < 4; part++) {
                String name = part + "/";
                fixture.insertBy(late, fixture.message(0, "k", "late " + part));
                fixture.enqueue(crowd / 4, i -> fixture.message(0, "k", name + i));
                expected.add("late " + part);
                IntStream.range(0, crowd / 4).forEach(i -> expected.add(name + i));
            }
            fixture.enqueue(0, "other", "after the crowd");
            assertThat(fixture.ack(fixture.claimOne(0).claim())).isTrue();
            assertThat(fixture.count("acidq_parked")).isGreaterThan(ParkedMessages.PARK_THRESHOLD);
            late.commit();
            fixture.claim(0, 1);
            fixture.ack(head.claim());
        }
        assertThat(fixture.runAll()).isEqualTo(expected);
        assertThat(fixture.count("acidq_message") + fixture.count("acidq_parked"))
                .isZero();
    }

    @Test
    void locksTheLaneWhileAClaimMovesParkedMessagesBack() throws Exception {
        queues.changeDeadHeadPolicy(fixture.queue, DeadHeadPolicy.PARK);
        claims.deadLetterIfClaimed(headAndFollower().claim(), "boom", List.of());
        assertThat(fixture.claimTexts(0, 10)).containsExactly("other");
        assertThat(fixture.count("acidq_parked")).isEqualTo(1);
        dead.discardIfDead(QueueFixture.ANN, fixture.letters());
        CompletableFuture<Claimed> claimer =
                QueueFixture.runAsync(() -> database().own().runAndKeep("claimDue", t -> {
                    Claimed claimed = new LaneClaim(t, fixture.request(0, 10), false).claim();
                    pause();
                    return claimed;
                }));
        QueueFixture.await(halfway);
        assertThat(fixture.claim(0, 10)).isSameAs(Claimed.BUSY);
        assertThat(fixture.count("acidq_parked")).as("as others see it").isEqualTo(1);
        end.countDown();
        assertThat(QueueFixture.texts(QueueFixture.join(claimer))).containsExactly("follower");
        assertThat(fixture.count("acidq_parked")).isZero();
    }

    @Test
    void leavesEverythingWhereItWasWhenAClaimThatHasMovedFollowersIsRolledBack() throws Exception {
        queues.changeDeadHeadPolicy(fixture.queue, DeadHeadPolicy.PARK);
        claims.deadLetterIfClaimed(headAndFollower().claim(), "boom", List.of());
        database().own().runAndKeep("claimDue", t -> {
            new LaneClaim(t, fixture.request(0, 10), false).claim();
            t.setRollbackOnly();
            return null;
        });
        assertThat(fixture.count("acidq_parked")).isZero();
        assertThat(fixture.count("acidq_message")).isEqualTo(3);
        assertThat(fixture.claimTexts(0, 10)).containsExactly("other");
        dead.replayIfDead(QueueFixture.ANN, fixture.letters());
        assertThat(fixture.runAll()).containsExactly("head", "follower");
    }

    /** Claims a head that is followed by a message of its key and one of another key. */
    private ClaimedMessage headAndFollower() {
        fixture.enqueue(0, "k", "head");
        ClaimedMessage head = fixture.claimOne(0);
        fixture.enqueue(0, "k", "follower");
        fixture.enqueue(0, "o", "other");
        return head;
    }

    /** Claims, and runs an action after the claim has read the lane. */
    private Claimed claimWhile(Runnable what) {
        StatementHook trap = new StatementHook(database().dataSource(), "claim_no + 1", what);
        ClaimStore trapped = MyBatisStore.over(trap.dataSource()).claims();
        return trapped.claimDue(fixture.request(0, 10));
    }

    private void pause() {
        halfway.countDown();
        QueueFixture.await(end);
    }
}
