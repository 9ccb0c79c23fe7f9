package io.acidq.engine.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.ClaimStore.Budget;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PrefetchPolicyTest {

    private static final int WORKERS = 16;

    private final PrefetchPolicy prefetch = new PrefetchPolicy(WORKERS, 1);

    @Test
    void holdsATenthOfASecondOfWorkAhead() {
        handlersTake(Duration.ofMillis(10));
        assertThat(prefetch.freeCapacity(new MessageBuffer.Counts(0, 0, 0, 1))).isEqualTo(160);
        assertThat(prefetch.freeCapacity(new MessageBuffer.Counts(60, 60, 16, 1)))
                .isEqualTo(100);
        assertThat(prefetch.freeCapacity(new MessageBuffer.Counts(100, 100, 16, 1)))
                .as("more than half is left")
                .isZero();
    }

    @Test
    void claimsMoreWhileWorkersAreIdleBecauseWaitingMessagesAreBehindRunningKeys() {
        handlersTake(Duration.ofMillis(10));
        assertThat(prefetch.freeCapacity(new MessageBuffer.Counts(1_000, 0, 4, 1)))
                .isEqualTo(12 * 10);
        assertThat(prefetch.freeCapacity(new MessageBuffer.Counts(1_000, 12, 4, 1)))
                .as("one message for each of them")
                .isZero();
    }

    @Test
    void claimsFewMessagesOfAKeyWhenManyLanesHaveWork() {
        handlersTake(Duration.ofMillis(10));
        assertThat(prefetch.budget(160, 64, false)).isEqualTo(new Budget(100, 10, false));
        assertThat(prefetch.budget(160, 4, true)).isEqualTo(new Budget(100, 40, true));
        assertThat(prefetch.budget(50, 1, false)).isEqualTo(new Budget(50, 100, false));
    }

    @Test
    void claimsOneMessageOfAKeyWhenHandlersAreSlow() {
        handlersTake(Duration.ofSeconds(5));
        assertThat(prefetch.freeCapacity(new MessageBuffer.Counts(0, 0, 0, 1))).isEqualTo(WORKERS);
        assertThat(prefetch.budget(16, 64, false).perKey()).isEqualTo(1);
        assertThat(prefetch.freeCapacity(new MessageBuffer.Counts(0, 0, WORKERS, 1)))
                .as("a quarter of the workers ahead")
                .isEqualTo(4);
    }

    @Test
    void holdsWorkForTenTimesTheDurationOfAClaimButAtMostTwoSeconds() {
        handlersTake(Duration.ofMillis(100));
        claimsTake(Duration.ofMillis(3));
        assertThat(prefetch.freeCapacity(new MessageBuffer.Counts(0, 0, WORKERS, 1)))
                .as("quick claims")
                .isEqualTo(WORKERS);

        claimsTake(Duration.ofMillis(50));
        assertThat(prefetch.freeCapacity(new MessageBuffer.Counts(0, 0, WORKERS, 1)))
                .isEqualTo(5 * WORKERS);

        claimsTake(Duration.ofSeconds(30));
        assertThat(prefetch.freeCapacity(new MessageBuffer.Counts(0, 0, WORKERS, 1)))
                .isEqualTo(20 * WORKERS);
    }

    @Test
    void ignoresSlowClaimsUntilTheSecondOneAndTheFirstMeasuredHandler() {
        prefetch.recordClaim(Duration.ofSeconds(1));
        prefetch.recordRun(Duration.ofMillis(100));
        assertThat(prefetch.freeCapacity(new MessageBuffer.Counts(0, 0, WORKERS, 1)))
                .as("one claim")
                .isEqualTo(WORKERS);

        PrefetchPolicy fresh = new PrefetchPolicy(WORKERS, 1);
        fresh.recordClaim(Duration.ofSeconds(1));
        fresh.recordClaim(Duration.ofSeconds(1));
        assertThat(fresh.freeCapacity(new MessageBuffer.Counts(0, 0, WORKERS, 1)))
                .as("no handler")
                .isEqualTo(WORKERS);
        fresh.recordRun(Duration.ofMillis(100));
        assertThat(fresh.freeCapacity(new MessageBuffer.Counts(0, 0, WORKERS, 1)))
                .isEqualTo(20 * WORKERS);
    }

    private void claimsTake(Duration time) {
        for (int i = 0; i < 1000; i++) {
            prefetch.recordClaim(time);
        }
    }

    private void handlersTake(Duration time) {
        for (int i = 0; i < 200; i++) {
            prefetch.recordRun(time);
        }
    }
}
