package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static io.acidq.engine.CrashPoint.ACK_DONE;
import static io.acidq.engine.CrashPoint.ACK_OPEN;
import static io.acidq.engine.CrashPoint.CLAIM_DONE;
import static io.acidq.engine.CrashPoint.CLAIM_OPEN;
import static io.acidq.engine.CrashPoint.ENQUEUE_DONE;
import static io.acidq.engine.CrashPoint.ENQUEUE_OPEN;
import static io.acidq.engine.CrashPoint.FROZEN_CLAIM;
import static io.acidq.engine.CrashPoint.FROZEN_HANDLER;
import static io.acidq.engine.CrashPoint.HANDLER;
import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.Delivery;
import io.acidq.Outcome;
import io.acidq.config.Listener;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

/**
 * A process that is killed with SIGKILL at exact points, and one that is frozen with SIGSTOP until it is declared dead:
 * each point in a queue of its own with three messages of one ordering key, and all that is left runs in another process.
 * Takes some ten seconds for each server: processes start, and the nodes must be declared dead before their messages run elsewhere.
 */
class CrashIT extends SharedEngineTests {

    private static final Set<CrashPoint> FROZEN = EnumSet.of(FROZEN_CLAIM, FROZEN_HANDLER);
    private static final Set<CrashPoint> KILLED = EnumSet.complementOf(EnumSet.copyOf(FROZEN));
    private static final List<Long> ALL = List.of(1L, 2L, 3L);

    private final Queue<Start> starts = new ConcurrentLinkedQueue<>();
    private boolean frozenClaimHeldItsLane;
    private long livesAgain;

    /** A start of a handler after the crash. */
    private record Start(String queue, long seq, int attempt, int crashes, int claimNo) {}

    @BeforeParameterizedClassInvocation
    void crash() throws Exception {
        starts.clear();
        for (CrashPoint point : CrashPoint.values()) {
            for (long seq : point.isOfEnqueuer() ? List.<Long>of() : ALL) {
                enqueue(point.queue(), new Step(point.queue(), seq), options().orderingKey("k"));
            }
        }
        try (PausingProcess killed = new PausingProcess(pool, KILLED);
                PausingProcess frozen = new PausingProcess(pool, FROZEN)) {
            awaitUntil(() -> killed.isPaused() && frozen.isPaused());
            killed.kill();
            frozen.freeze();
            engine(this::listening);
            String dead = "SELECT COUNT(*) FROM acidq_node WHERE state = 'DEAD' AND host LIKE '" + frozen.pid() + "@%'";
            awaitUntil(() -> count(dead) == 1);
            frozenClaimHeldItsLane = starts.stream().noneMatch(s -> s.queue().equals(FROZEN_CLAIM.queue()));
            awaitDrained();
            frozen.resume();
            awaitUntil(() -> frozen.hasPrinted(PausingProcess.FENCED));
            String alive = dead.replace("'DEAD'", "'ALIVE'");
            awaitUntil(() -> count(alive) == 1);
            livesAgain = count(alive);
            awaitDrained();
        }
    }

    /** All tests read the effects of {@link #crash}. */
    @Override
    void removeEnginesAndMessages() {}

    private EngineBuilder listening(EngineBuilder builder) {
        for (CrashPoint point : CrashPoint.values()) {
            builder.listen(Listener.on(point.queue(), Step.class, (step, delivery) -> handle(step, delivery))
                    .withRetry(ONE_ATTEMPT));
        }
        return builder;
    }

    private Outcome handle(Step step, Delivery delivery) throws Exception {
        starts.add(new Start(step.k(), step.seq(), delivery.attempt(), delivery.crashes(), delivery.claimNo()));
        return effectOfAttempt(step, delivery);
    }

    @Test
    void undoesAClaimWhoseProcessIsKilledBeforeItsCommit() {
        everyEffectIsThereOnceInOrder(CLAIM_OPEN);
        assertThat(startsOf(CLAIM_OPEN)).allMatch(s -> s.claimNo() == 1 && s.attempt() == 1 && s.crashes() == 0);
    }

    @Test
    void refundsTheAttemptOfAClaimThatAKilledProcessHadNotStarted() {
        everyEffectIsThereOnceInOrder(CLAIM_DONE);
        assertThat(startsOf(CLAIM_DONE)).extracting(Start::seq).containsExactlyElementsOf(ALL);
        assertThat(startsOf(CLAIM_DONE)).allMatch(s -> s.attempt() == 1);
        assertThat(startsOf(CLAIM_DONE).get(0).claimNo()).isEqualTo(2);
    }

    @Test
    void rollsBackTheEffectAndRunsAgainWhenTheProcessIsKilledInTheHandler() {
        everyEffectIsThereOnceInOrder(HANDLER);
        Start first = startsOf(HANDLER).get(0);
        assertThat(first).isEqualTo(new Start(HANDLER.queue(), 1, 1, 1, 2));
    }

    @Test
    void refundsTheAttemptOfFollowersWhenTheProcessIsKilledInTheHandler() {
        assertThat(startsOf(HANDLER)).extracting(Start::seq).containsExactlyElementsOf(ALL);
        assertThat(startsOf(HANDLER)).filteredOn(s -> s.seq() > 1).allMatch(s -> s.attempt() == 1 && s.crashes() == 0);
    }

    @Test
    void runsAgainWhenTheProcessIsKilledBetweenTheAcknowledgementAndItsCommit() {
        everyEffectIsThereOnceInOrder(ACK_OPEN);
        assertThat(startsOf(ACK_OPEN).get(0)).isEqualTo(new Start(ACK_OPEN.queue(), 1, 1, 1, 2));
    }

    @Test
    void doesNotRunAgainAfterTheCommitWhenTheProcessIsKilledRightAfterIt() {
        everyEffectIsThereOnceInOrder(ACK_DONE);
        assertThat(startsOf(ACK_DONE)).extracting(Start::seq).containsExactly(2L, 3L);
    }

    @Test
    void enqueuesNothingForACallerThatIsKilledBeforeItsCommit() {
        assertThat(effects(ENQUEUE_OPEN)).isEmpty();
        assertThat(startsOf(ENQUEUE_OPEN)).isEmpty();
    }

    @Test
    void runsOnceTheMessageOfACallerThatIsKilledAfterItsCommit() {
        assertThat(effects(ENQUEUE_DONE)).as("its own row, and the message's").containsExactly("0", "1");
    }

    /** The process that holds the lane's row does not answer, and its connection stays open: only the server can end it. */
    @Test
    void claimsFromTheLaneOfAProcessThatIsFrozenInsideItsClaimAfterTheServerEndedItsSession() {
        assertThat(frozenClaimHeldItsLane).isTrue();
        everyEffectIsThereOnceInOrder(FROZEN_CLAIM);
        assertThat(startsOf(FROZEN_CLAIM)).allMatch(s -> s.claimNo() == 1 && s.attempt() == 1 && s.crashes() == 0);
    }

    @Test
    void rollsBackTheRunOfAProcessThatWasFrozenUntilItWasDeclaredDeadAndRegistersItAgain() {
        everyEffectIsThereOnceInOrder(FROZEN_HANDLER);
        assertThat(startsOf(FROZEN_HANDLER).get(0)).isEqualTo(new Start(FROZEN_HANDLER.queue(), 1, 1, 1, 2));
        assertThat(livesAgain).isEqualTo(1);
    }

    @Test
    void makesNoDeadLetters() {
        assertThat(rows("acidq_dead")).isZero();
    }

    private void everyEffectIsThereOnceInOrder(CrashPoint point) {
        assertThat(effects(point)).containsExactly("1", "2", "3");
    }

    private List<String> effects(CrashPoint point) {
        return strings("SELECT seq FROM effect WHERE k = '" + point.queue() + "' ORDER BY id");
    }

    private List<Start> startsOf(CrashPoint point) {
        return starts.stream().filter(s -> s.queue().equals(point.queue())).toList();
    }
}
