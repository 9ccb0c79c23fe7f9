package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.DeadHeadPolicy;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimStore.Claimed;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.DeadLetterStore.ActionResult;
import io.acidq.store.DeadLetterStore.Letter;
import io.acidq.store.DeadLetterStore.OperatorAction;
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
class DeadHeadRaceStoreIT extends StoreFixture {

    private static final OperatorAction ANN = new OperatorAction("ann", "test", null);

    private final CountDownLatch halfway = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void takesNoFollowerWhenTheHeadDiesBetweenTheReadOfTheLaneAndTheMark(DeadHeadPolicy policy) throws Exception {
        store.queues().changeDeadHeadPolicy(queueFixture.queue, policy);
        ClaimedMessage head = headAndFollower();
        Claimed claimed = claimWhile(() -> claims.deadLetterIfClaimed(head.claim(), "boom", List.of()));

        assertThat(QueueFixture.texts(claimed)).containsExactly("other");
        assertThat(queueFixture.claim(0, 10).messages()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void takesNoFollowerWhenTheHeadIsReplayedBetweenTheReadOfTheLaneAndTheMark(DeadHeadPolicy policy) throws Exception {
        store.queues().changeDeadHeadPolicy(queueFixture.queue, policy);
        claims.deadLetterIfClaimed(headAndFollower().claim(), "boom", List.of());
        Claimed claimed = claimWhile(() -> store.dead().replayIfDead(ANN, deadLetters()));

        assertThat(QueueFixture.texts(claimed)).containsExactly("other");
        assertThat(runAll()).containsExactly("head", "follower");
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void takesNoFollowerWhenTheHeadIsReleasedBetweenTheReadOfTheLaneAndTheMark(DeadHeadPolicy policy) throws Exception {
        store.queues().changeDeadHeadPolicy(queueFixture.queue, policy);
        claims.deadLetterIfClaimed(headAndFollower().claim(), "boom", List.of());
        Letter head = deadLetters().get(0);
        Claimed claimed = claimWhile(() -> store.dead().releaseIfHolding(ANN, head));

        assertThat(QueueFixture.texts(claimed)).containsExactly("other");
        assertThat(runAll()).containsExactly("follower");
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void keepsTheKeyClosedWhileABurialIsUnderWayAndAfterIt(DeadHeadPolicy policy) throws Exception {
        store.queues().changeDeadHeadPolicy(queueFixture.queue, policy);
        ClaimedMessage head = headAndFollower();
        CompletableFuture<Boolean> burial =
                QueueFixture.runAsync(() -> database().own().runAndRelease("deadLetterIfClaimed", t -> {
                    boolean buried =
                            new ClaimEndings(t.mapper(EndMapper.class)).deadLetter(head.claim(), ErrorText.of("boom"));
                    pause();
                    return buried;
                }));
        QueueFixture.await(halfway);
        assertThat(QueueFixture.texts(queueFixture.claim(0, 10))).containsExactly("other");
        assertThat(queueFixture.claim(0, 10).messages()).isEmpty();
        end.countDown();
        assertThat(QueueFixture.join(burial)).isTrue();
        assertThat(queueFixture.claim(0, 10).messages()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void keepsTheKeyClosedWhileAReplayIsUnderWay(DeadHeadPolicy policy) throws Exception {
        store.queues().changeDeadHeadPolicy(queueFixture.queue, policy);
        claims.deadLetterIfClaimed(headAndFollower().claim(), "boom", List.of());
        CompletableFuture<ActionResult> replay =
                QueueFixture.runAsync(() -> database().own().runAndRelease("replayIfDead", t -> {
                    ActionResult actionResult = new DeadLetterTransaction(t, ANN, deadLetters()).replay();
                    pause();
                    return actionResult;
                }));
        QueueFixture.await(halfway);
        assertThat(QueueFixture.texts(queueFixture.claim(0, 10))).containsExactly("other");
        assertThat(queueFixture.claim(0, 10).messages()).isEmpty();
        end.countDown();
        QueueFixture.join(replay);
        assertThat(runAll()).containsExactly("head", "follower");
    }

    @Test
    void tellsTheOneWhoReleasesThatTheOneWhoReplaysHasWon() {
        store.queues().changeDeadHeadPolicy(queueFixture.queue, DeadHeadPolicy.BLOCK);
        claims.deadLetterIfClaimed(headAndFollower().claim(), "boom", List.of());
        Letter letter = deadLetters().get(0);
        CompletableFuture<ActionResult> replay =
                QueueFixture.runAsync(() -> database().own().runAndRelease("replayIfDead", t -> {
                    ActionResult actionResult = new DeadLetterTransaction(t, ANN, List.of(letter)).replay();
                    pause();
                    return actionResult;
                }));
        QueueFixture.await(halfway);
        CompletableFuture<ActionResult> release =
                QueueFixture.runAsync(() -> store.dead().releaseIfHolding(ANN, letter));
        queueFixture.awaitLockWait();
        end.countDown();
        assertThat(QueueFixture.join(replay).changed()).isEqualTo(1);
        assertThat(QueueFixture.join(release)).isEqualTo(new ActionResult(0, 1, 0, 0));
    }

    /** Ids 1 (late), 2 (dies), 3 and 5 (set aside), 4 (late, among them), 6 (late, behind them). */
    @Test
    void putsWhatCommitsLateBetweenWhatIsSetAside() throws Exception {
        store.queues().changeDeadHeadPolicy(queueFixture.queue, DeadHeadPolicy.PARK);
        try (Connection one = open();
                Connection four = open();
                Connection six = open()) {
            queueFixture.insertBy(one, queueFixture.message(0, "k", "1"));
            queueFixture.enqueue(0, "k", "2");
            queueFixture.enqueue(0, "k", "3");
            queueFixture.insertBy(four, queueFixture.message(0, "k", "4"));
            queueFixture.enqueue(0, "k", "5");
            queueFixture.insertBy(six, queueFixture.message(0, "k", "6"));
            claims.deadLetterIfClaimed(queueFixture.claimOne(0).claim(), "boom", List.of());
            assertThat(queueFixture.claim(0, 10).messages()).isEmpty();
            assertThat(queueFixture.count("acidq_parked")).isEqualTo(2);
            one.commit();
            four.commit();
            assertThat(runAll()).as("what lies before the dead head").containsExactly("1");
            assertThat(queueFixture.count("acidq_parked")).isEqualTo(3);
            store.dead().replayIfDead(ANN, deadLetters());
            six.commit();
        }
        assertThat(runAll()).containsExactly("2", "3", "4", "5", "6");
        assertThat(queueFixture.count("acidq_message") + queueFixture.count("acidq_parked"))
                .isZero();
    }

    @Test
    void putsWhatCommitsLateBeforeAndAmongASpilledCrowdIntoItsPlace() throws Exception {
        int crowd = 2 * ParkedMessages.PARK_THRESHOLD;
        List<String> expected = new ArrayList<>();
        try (Connection late = open()) {
            queueFixture.enqueue(0, "k", "head");
            ClaimedMessage head = queueFixture.claimOne(0);
            for (int part = 0; part < 4; part++) {
                String name = part + "/";
                queueFixture.insertBy(late, queueFixture.message(0, "k", "late " + part));
                queueFixture.enqueue(IntStream.range(0, crowd / 4)
                        .mapToObj(i -> queueFixture.message(0, "k", name + i))
                        .toArray(MessageRow[]::new));
                expected.add("late " + part);
                IntStream.range(0, crowd / 4).forEach(i -> expected.add(name + i));
            }
            queueFixture.enqueue(0, "other", "after the crowd");
            assertThat(queueFixture.ack(queueFixture.claimOne(0).claim())).isTrue();
            assertThat(queueFixture.count("acidq_parked")).isGreaterThan(ParkedMessages.PARK_THRESHOLD);
            late.commit();
            queueFixture.claim(0, 1);
            queueFixture.ack(head.claim());
        }
        assertThat(runAll()).isEqualTo(expected);
        assertThat(queueFixture.count("acidq_message") + queueFixture.count("acidq_parked"))
                .isZero();
    }

    @Test
    void lendsNoSecondClaimerTheLaneWhileOneCallsBackWhatWasSetAside() throws Exception {
        store.queues().changeDeadHeadPolicy(queueFixture.queue, DeadHeadPolicy.PARK);
        claims.deadLetterIfClaimed(headAndFollower().claim(), "boom", List.of());
        assertThat(QueueFixture.texts(queueFixture.claim(0, 10))).containsExactly("other");
        assertThat(queueFixture.count("acidq_parked")).isEqualTo(1);
        store.dead().discardIfDead(ANN, deadLetters());
        CompletableFuture<Claimed> claimer =
                QueueFixture.runAsync(() -> database().own().runAndKeep("claimDue", t -> {
                    Claimed claimed = new LaneClaim(t, queueFixture.request(0, 10), false).claim();
                    pause();
                    return claimed;
                }));
        QueueFixture.await(halfway);
        assertThat(queueFixture.claim(0, 10)).isSameAs(Claimed.BUSY);
        assertThat(queueFixture.count("acidq_parked")).as("as others see it").isEqualTo(1);
        end.countDown();
        assertThat(QueueFixture.texts(QueueFixture.join(claimer))).containsExactly("follower");
        assertThat(queueFixture.count("acidq_parked")).isZero();
    }

    @Test
    void leavesEverythingWhereItWasWhenAClaimThatHasMovedFollowersIsRolledBack() throws Exception {
        store.queues().changeDeadHeadPolicy(queueFixture.queue, DeadHeadPolicy.PARK);
        claims.deadLetterIfClaimed(headAndFollower().claim(), "boom", List.of());
        database().own().runAndKeep("claimDue", t -> {
            new LaneClaim(t, queueFixture.request(0, 10), false).claim();
            t.setRollbackOnly();
            return null;
        });
        assertThat(queueFixture.count("acidq_parked")).isZero();
        assertThat(queueFixture.count("acidq_message")).isEqualTo(3);
        assertThat(QueueFixture.texts(queueFixture.claim(0, 10))).containsExactly("other");
        store.dead().replayIfDead(ANN, deadLetters());
        assertThat(runAll()).containsExactly("head", "follower");
    }

    /** The head is claimed; behind it a follower, and a message of another key. */
    private ClaimedMessage headAndFollower() {
        queueFixture.enqueue(0, "k", "head");
        ClaimedMessage head = queueFixture.claimOne(0);
        queueFixture.enqueue(0, "k", "follower");
        queueFixture.enqueue(0, "o", "other");
        return head;
    }

    /** A claim with something else happening after it has read the lane. */
    private Claimed claimWhile(Runnable what) {
        StatementHook trap = new StatementHook(database().dataSource(), "claim_no + 1", what);
        ClaimStore trapped = MyBatisStore.over(trap.dataSource()).claims();
        return trapped.claimDue(queueFixture.request(0, 10));
    }

    private void pause() {
        halfway.countDown();
        QueueFixture.await(end);
    }

    private List<String> runAll() throws Exception {
        List<String> done = new ArrayList<>();
        for (int idle = 0; idle < 2; ) {
            Claimed claimed = queueFixture.claim(0, 100);
            for (Claim claim : QueueFixture.claims(claimed)) {
                assertThat(queueFixture.ack(claim)).isTrue();
            }
            done.addAll(QueueFixture.texts(claimed));
            idle = claimed.messages().isEmpty() ? idle + 1 : 0;
        }
        return done;
    }

    private List<Letter> deadLetters() {
        return new DeadLetterFixture(queueFixture).deadLetters();
    }

    private Connection open() throws Exception {
        Connection connection = database().dataSource().getConnection();
        connection.setAutoCommit(false);
        return connection;
    }
}
