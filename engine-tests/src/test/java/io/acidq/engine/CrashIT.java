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
import static org.awaitility.Awaitility.await;

import io.acidq.Delivery;
import io.acidq.Outcome;
import io.acidq.config.Listener;
import io.acidq.engine.EngineFixture.Step;
import io.acidq.resilience.RetryPolicy;
import io.acidq.testservers.ServerKind;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process that is killed with SIGKILL at exact points of a message's way, and one that is frozen with SIGSTOP until it is declared dead:
 * each point in a queue of its own with three messages of one ordering key, and all that is left runs in another process.
 * Takes some ten seconds for each server: processes start, and the dead must be found dead before all is done elsewhere.
 */
@TestInstance(Lifecycle.PER_CLASS)
@ParameterizedClass
@EnumSource(ServerKind.class)
class CrashIT {

    private static final Set<CrashPoint> FROZEN = EnumSet.of(FROZEN_CLAIM, FROZEN_HANDLER);
    private static final Set<CrashPoint> KILLED = EnumSet.complementOf(EnumSet.copyOf(FROZEN));
    private static final RetryPolicy ONE_ATTEMPT = RetryPolicy.defaults().withMaxAttempts(1);
    private static final List<Long> ALL = List.of(1L, 2L, 3L);

    @Parameter
    private ServerKind kind;

    private final Queue<Start> starts = new ConcurrentLinkedQueue<>();
    private EngineFixture engineFixture;
    private boolean frozenClaimHeldItsLane;
    private long livesAgain;

    /** A start of a handler after the crash. */
    private record Start(String queue, long seq, int attempt, int crashes, int claimNo) {}

    @BeforeParameterizedClassInvocation
    void crash() throws Exception {
        starts.clear();
        engineFixture = new EngineFixture(kind);
        for (CrashPoint point : CrashPoint.values()) {
            for (long seq : point.isOfEnqueuer() ? List.<Long>of() : ALL) {
                engineFixture.enqueue(
                        point.queue(), new Step(point.queue(), seq), options().orderingKey("k"));
            }
        }
        try (PausingProcess killed = PausingProcess.start(engineFixture, KILLED);
                PausingProcess frozen = PausingProcess.start(engineFixture, FROZEN)) {
            await().atMost(Duration.ofMinutes(1)).until(() -> killed.isPaused() && frozen.isPaused());
            killed.kill();
            frozen.freeze();
            engineFixture.engine(this::listening);
            String buried =
                    "SELECT COUNT(*) FROM acidq_node WHERE state = 'DEAD' AND host LIKE '" + frozen.pid() + "@%'";
            await().atMost(Duration.ofSeconds(30)).until(() -> engineFixture.count(buried) == 1);
            frozenClaimHeldItsLane = starts.stream().noneMatch(s -> s.queue().equals(FROZEN_CLAIM.queue()));
            engineFixture.drained();
            frozen.resume();
            await().atMost(Duration.ofSeconds(30)).until(() -> frozen.hasSaid(PausingProcess.FENCED));
            String alive = buried.replace("'DEAD'", "'ALIVE'");
            await().atMost(Duration.ofSeconds(30)).until(() -> engineFixture.count(alive) == 1);
            livesAgain = engineFixture.count(alive);
            engineFixture.drained();
        }
    }

    private EngineBuilder listening(EngineBuilder builder) {
        for (CrashPoint point : CrashPoint.values()) {
            builder.listen(Listener.on(point.queue(), Step.class, (step, delivery) -> handle(step, delivery))
                    .withRetry(ONE_ATTEMPT));
        }
        return builder;
    }

    private Outcome handle(Step step, Delivery delivery) throws Exception {
        starts.add(new Start(step.k(), step.seq(), delivery.attempt(), delivery.crashes(), delivery.claimNo()));
        CrashingEngineProcess.insert(engineFixture.transactions.connection(), step, delivery);
        return Outcome.done();
    }

    @AfterParameterizedClassInvocation
    void close() {
        engineFixture.close();
    }

    @Test
    void undoesAClaimWhoseProcessIsKilledBeforeItsCommit() {
        everyEffectIsThereOnceInOrder(CLAIM_OPEN);
        assertThat(startsOf(CLAIM_OPEN)).allMatch(s -> s.claimNo() == 1 && s.attempt() == 1 && s.crashes() == 0);
    }

    @Test
    void runsElsewhereWithItsAttemptBackWhatAKilledProcessHadClaimedAndNoWorkerHadSeen() {
        everyEffectIsThereOnceInOrder(CLAIM_DONE);
        assertThat(startsOf(CLAIM_DONE)).extracting(Start::seq).containsExactlyElementsOf(ALL);
        assertThat(startsOf(CLAIM_DONE)).allMatch(s -> s.attempt() == 1);
        assertThat(startsOf(CLAIM_DONE).get(0).claimNo()).isEqualTo(2);
    }

    @Test
    void rollsTheEffectBackAndRunsOnceMoreWhenTheProcessIsKilledInTheHandler() {
        everyEffectIsThereOnceInOrder(HANDLER);
        Start first = startsOf(HANDLER).get(0);
        assertThat(first).isEqualTo(new Start(HANDLER.queue(), 1, 1, 1, 2));
    }

    @Test
    void givesTheAttemptBackToWhatHadNotStartedWhenTheProcessIsKilledInTheHandler() {
        assertThat(startsOf(HANDLER)).extracting(Start::seq).containsExactlyElementsOf(ALL);
        assertThat(startsOf(HANDLER)).filteredOn(s -> s.seq() > 1).allMatch(s -> s.attempt() == 1 && s.crashes() == 0);
    }

    @Test
    void runsOnceMoreWhenTheProcessIsKilledBetweenTheAcknowledgementAndItsCommit() {
        everyEffectIsThereOnceInOrder(ACK_OPEN);
        assertThat(startsOf(ACK_OPEN).get(0)).isEqualTo(new Start(ACK_OPEN.queue(), 1, 1, 1, 2));
    }

    @Test
    void neverRunsAgainWhatWasCommittedWhenTheProcessIsKilledRightAfterTheCommit() {
        everyEffectIsThereOnceInOrder(ACK_DONE);
        assertThat(startsOf(ACK_DONE)).extracting(Start::seq).containsExactly(2L, 3L);
    }

    @Test
    void showsNothingOfACallerThatIsKilledBeforeItsCommit() {
        assertThat(effects(ENQUEUE_OPEN)).isEmpty();
        assertThat(startsOf(ENQUEUE_OPEN)).isEmpty();
    }

    @Test
    void runsOnceWhatACallerThatIsKilledAfterItsCommitHadEnqueued() {
        assertThat(effects(ENQUEUE_DONE)).as("its own row, and the message's").containsExactly("0", "1");
    }

    /** The process that holds the lane's row does not answer, and its connection stays open: only the server can end it. */
    @Test
    void claimsFromTheLaneOfAProcessThatIsFrozenInsideItsClaimOnceTheServerHasEndedItsSession() {
        assertThat(frozenClaimHeldItsLane).isTrue();
        everyEffectIsThereOnceInOrder(FROZEN_CLAIM);
        assertThat(startsOf(FROZEN_CLAIM)).allMatch(s -> s.claimNo() == 1 && s.attempt() == 1 && s.crashes() == 0);
    }

    @Test
    void rollsBackTheRunOfAProcessThatWasFrozenUntilItWasDeclaredDeadAndRegistersItAnew() {
        everyEffectIsThereOnceInOrder(FROZEN_HANDLER);
        assertThat(startsOf(FROZEN_HANDLER).get(0)).isEqualTo(new Start(FROZEN_HANDLER.queue(), 1, 1, 1, 2));
        assertThat(livesAgain).isEqualTo(1);
    }

    @Test
    void makesNoDeadLetterOfAnyOfThem() {
        assertThat(engineFixture.count("SELECT COUNT(*) FROM acidq_dead")).isZero();
    }

    private void everyEffectIsThereOnceInOrder(CrashPoint point) {
        assertThat(effects(point)).containsExactly("1", "2", "3");
    }

    private List<String> effects(CrashPoint point) {
        return engineFixture.strings("SELECT seq FROM effect WHERE k = '" + point.queue() + "' ORDER BY id");
    }

    private List<Start> startsOf(CrashPoint point) {
        return starts.stream().filter(s -> s.queue().equals(point.queue())).toList();
    }
}
