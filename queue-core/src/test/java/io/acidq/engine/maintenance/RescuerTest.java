package io.acidq.engine.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.MessageId;
import io.acidq.Priority;
import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.NodeStore.Crash;
import io.acidq.store.NodeStore.Orphan;
import io.acidq.store.NodeStore.RescueDecision;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RescuerTest {

    private static final Crash CRASH = new Crash(7, "h", Instant.EPOCH);

    @Test
    void suspectsAsManyMessagesAsThereWereWorkers() {
        Orphan first = orphan(1, 9, null, 0);
        Orphan second = orphan(2, 3, null, 0);
        Orphan third = orphan(2, 4, null, 0);
        assertThat(Rescuer.mayHaveStarted(List.of(third, second, first), 2)).containsExactlyInAnyOrder(first, second);
    }

    @Test
    void suspectsOnlyTheFirstMessageOfAKey() {
        Orphan a1 = orphan(1, 1, "a", 0);
        Orphan a2 = orphan(1, 2, "a", 0);
        Orphan b1 = orphan(1, 3, "b", 0);
        assertThat(Rescuer.mayHaveStarted(List.of(a1, a2, b1), 2)).containsExactlyInAnyOrder(a1, b1);
    }

    @Test
    void suspectsOnlyAFormerSuspectThatRanAlone() {
        Orphan suspect = orphan(1, 1, null, 1);
        Orphan behind = orphan(2, 2, null, 0);
        assertThat(Rescuer.mayHaveStarted(List.of(suspect, behind), 16)).containsExactly(suspect);
    }

    @Test
    void doesNotSuspectAFormerSuspectThatWaitedForOtherMessages() {
        Orphan running = orphan(1, 1, null, 0);
        Orphan suspect = orphan(2, 2, null, 1);
        Orphan behind = orphan(3, 3, null, 0);
        assertThat(Rescuer.mayHaveStarted(List.of(running, suspect, behind), 16))
                .containsExactly(running);
    }

    /** The directly claimed message may not have been handed over: so it does not count as one of the running messages. */
    @Test
    void suspectsADirectlyClaimedMessageInAdditionToTheOthers() {
        Orphan direct = orphan(ClaimedMessage.DIRECT_BATCH, 9, null, 0);
        Orphan first = orphan(1, 1, null, 0);
        Orphan second = orphan(1, 2, null, 0);
        assertThat(Rescuer.mayHaveStarted(List.of(first, second, direct), 1)).containsExactlyInAnyOrder(direct, first);
    }

    @Test
    void doesNotSuspectAFormerSuspectThatWaitedForADirectlyClaimedMessage() {
        Orphan direct = orphan(ClaimedMessage.DIRECT_BATCH, 9, null, 0);
        Orphan suspect = orphan(1, 1, null, 2);
        assertThat(Rescuer.mayHaveStarted(List.of(suspect, direct), 16)).containsExactly(direct);
    }

    /** The node has started some of each priority, and it is not known how many of each. */
    @Test
    void suspectsAsManyMessagesOfEachPriorityAsThereWereWorkers() {
        Orphan high = orphan(Priority.HIGH, 5, 5, 0);
        Orphan nextHigh = orphan(Priority.HIGH, 5, 6, 0);
        Orphan normal = orphan(Priority.NORMAL, 1, 1, 0);
        Orphan low = orphan(Priority.LOW, 2, 2, 1);
        assertThat(Rescuer.mayHaveStarted(List.of(normal, low, high, nextHigh), 1))
                .containsExactlyInAnyOrder(high, normal, low);
    }

    /** A worker ends many expired messages together while another one runs the message behind them. */
    @Test
    void suspectsAMessageBehindExpiredOnes() {
        Orphan expired = expired(1);
        Orphan alsoExpired = expired(2);
        Orphan running = orphan(1, 3, null, 0);
        Orphan waiting = orphan(1, 4, null, 0);
        assertThat(Rescuer.mayHaveStarted(List.of(expired, alsoExpired, running, waiting), 1))
                .containsExactlyInAnyOrder(expired, alsoExpired, running);
    }

    private static Orphan expired(long id) {
        Orphan waiting = orphan(1, id, null, 0);
        return new Orphan(waiting.claim(), waiting.id(), 1, null, 0, List.of(), true);
    }

    @Test
    void countsACrashOnlyForAMessageThatMayHaveBeenRunning() {
        Orphan held = orphan(1, 1, null, 1);
        assertThat(Rescuer.decide(held, false, CRASH, 2)).isEqualTo(new RescueDecision(held.claim(), 1, null));
        assertThat(Rescuer.decide(held, true, CRASH, 3)).isEqualTo(new RescueDecision(held.claim(), 2, null));
    }

    @Test
    void makesADeadLetterAtTheLimitOfCrashes() {
        RescueDecision rescueDecision = Rescuer.decide(orphan(1, 1, null, 1), true, CRASH, 2);
        assertThat(rescueDecision.crashes()).isEqualTo(2);
        assertThat(rescueDecision.errorText())
                .startsWith("killed 2 processes:")
                .endsWith("node 7 (host h, 1970-01-01T00:00:00Z)");
    }

    private static Orphan orphan(Priority priority, long batch, long id, int crashes) {
        return orphan(priority.firstLane(), batch, id, null, crashes);
    }

    private static Orphan orphan(long batch, long id, @Nullable String key, int crashes) {
        return orphan(0, batch, id, key, crashes);
    }

    private static Orphan orphan(int lane, long batch, long id, @Nullable String key, int crashes) {
        return new Orphan(
                new Claim(1, lane, id, new UUID(0, id), 7, 1),
                new MessageId("q", lane, new UUID(0, id)),
                batch,
                key,
                crashes,
                List.of(),
                false);
    }
}
