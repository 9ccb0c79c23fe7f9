package io.acidq.engine.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.ClaimStore.Budget;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PaceTest {

    private static final int WORKERS = 16;

    private final Pace pace = new Pace(WORKERS, 1);

    @Test
    void holdsATenthOfASecondOfWorkAhead() {
        handlersTake(Duration.ofMillis(10));
        assertThat(pace.room(new Stock(0, 0, 0))).isEqualTo(160);
        assertThat(pace.room(new Stock(60, 60, 16))).isEqualTo(100);
        assertThat(pace.room(new Stock(100, 100, 16)))
                .as("more than half is left")
                .isZero();
    }

    @Test
    void claimsOnWhileWorkersAreIdleAndAllThatWaitsStandsBehindKeysThatRun() {
        handlersTake(Duration.ofMillis(10));
        assertThat(pace.room(new Stock(1_000, 0, 4))).isEqualTo(12 * 10);
        assertThat(pace.room(new Stock(1_000, 12, 4)))
                .as("something for each of them")
                .isZero();
    }

    @Test
    void takesLittleOfAKeyWhenManyLanesHaveWorkAndAllOfItWhenOneHas() {
        handlersTake(Duration.ofMillis(10));
        assertThat(pace.budget(160, 64, false)).isEqualTo(new Budget(100, 10, false));
        assertThat(pace.budget(160, 4, true)).isEqualTo(new Budget(100, 40, true));
        assertThat(pace.budget(50, 1, false)).isEqualTo(new Budget(50, 100, false));
    }

    @Test
    void takesOneAtATimeOfAKeyWhenHandlersAreSlow() {
        handlersTake(Duration.ofSeconds(5));
        assertThat(pace.room(new Stock(0, 0, 0))).isEqualTo(WORKERS);
        assertThat(pace.budget(16, 64, false).perKey()).isEqualTo(1);
        assertThat(pace.room(new Stock(0, 0, WORKERS)))
                .as("a quarter of the workers ahead")
                .isEqualTo(4);
    }

    @Test
    void holdsWorkForTenTimesAsLongAsAClaimTakesButNotForMoreThanTwoSeconds() {
        handlersTake(Duration.ofMillis(100));
        claimsTake(Duration.ofMillis(3));
        assertThat(pace.room(new Stock(0, 0, WORKERS))).as("quick claims").isEqualTo(WORKERS);

        claimsTake(Duration.ofMillis(50));
        assertThat(pace.room(new Stock(0, 0, WORKERS))).isEqualTo(5 * WORKERS);

        claimsTake(Duration.ofSeconds(30));
        assertThat(pace.room(new Stock(0, 0, WORKERS))).isEqualTo(20 * WORKERS);
    }

    @Test
    void holdsNoMoreAfterASlowFirstClaimNorBeforeAnyHandlerHasEnded() {
        pace.claimed(Duration.ofSeconds(1));
        pace.ran(Duration.ofMillis(100));
        assertThat(pace.room(new Stock(0, 0, WORKERS))).as("one claim").isEqualTo(WORKERS);

        Pace young = new Pace(WORKERS, 1);
        young.claimed(Duration.ofSeconds(1));
        young.claimed(Duration.ofSeconds(1));
        assertThat(young.room(new Stock(0, 0, WORKERS))).as("no handler").isEqualTo(WORKERS);
        young.ran(Duration.ofMillis(100));
        assertThat(young.room(new Stock(0, 0, WORKERS))).isEqualTo(20 * WORKERS);
    }

    private void claimsTake(Duration time) {
        for (int i = 0; i < 1000; i++) {
            pace.claimed(time);
        }
    }

    private void handlersTake(Duration time) {
        for (int i = 0; i < 200; i++) {
            pace.ran(time);
        }
    }
}
