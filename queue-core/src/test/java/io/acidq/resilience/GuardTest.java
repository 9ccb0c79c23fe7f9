package io.acidq.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import io.acidq.resilience.GuardState.Status;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class GuardTest {

    private static final Duration TOOK = Duration.ofMillis(1);
    private static final Duration OPEN_FOR = Duration.ofSeconds(30);
    private static final Duration THEN = OPEN_FOR.plusMillis(1); // when the breaker is asked again
    private static final Breaker BREAKER =
            Breaker.defaults().withFailureRate(0.5, 4, 4).withRecovery(OPEN_FOR, 2);

    private final AtomicLong now = new AtomicLong(-5);

    @Test
    void opensAtTheFailureRateAndStopsClaimsUntilItsWaitIsOver() {
        Guard breaker = BREAKER.guard("b", now::get);
        start(breaker).succeeded(TOOK);
        start(breaker).succeeded(TOOK);
        start(breaker).failed(TOOK, new IOException());
        assertThat(breaker.freeCapacity()).isEqualTo(Integer.MAX_VALUE);
        start(breaker).failed(TOOK, new IOException());
        assertThat(breaker.state().status()).isEqualTo(Status.STOPS);
        assertThat(breaker.state().stopsClaiming()).isTrue();
        assertThat(breaker.freeCapacity()).isZero();
        assertThat(breaker.enter()).isNull();
        assertThat(breaker.untilChange()).isEqualTo(THEN);
        pass(OPEN_FOR);
        assertThat(breaker.state().status()).isEqualTo(Status.STOPS);
        assertThat(breaker.untilChange()).isEqualTo(Duration.ofMillis(1));
        pass(Duration.ofMillis(1));
        assertThat(breaker.state().status()).isEqualTo(Status.TESTS);
    }

    @Test
    void permitsTheTestRunsAndClosesWhenTheySucceed() {
        Guard breaker = opened();
        pass(THEN);
        assertThat(breaker.freeCapacity()).isEqualTo(2);
        Guard.Entry first = start(breaker);
        assertThat(breaker.freeCapacity()).isEqualTo(1);
        Guard.Entry second = start(breaker);
        assertThat(breaker.freeCapacity()).isZero();
        assertThat(breaker.enter()).isNull();
        first.unused();
        assertThat(breaker.freeCapacity())
                .as("an unused test run is permitted again")
                .isEqualTo(1);
        start(breaker).succeeded(TOOK);
        assertThat(breaker.freeCapacity()).isZero();
        second.succeeded(TOOK);
        assertThat(breaker.state().status()).isEqualTo(Status.LETS_THROUGH);
    }

    @Test
    void opensAgainForItsWholeWaitWhenTheTestRunsFail() {
        Guard breaker = opened();
        pass(OPEN_FOR.plusSeconds(3));
        assertThat(breaker.freeCapacity()).isEqualTo(2);
        start(breaker).failed(TOOK, new IOException());
        start(breaker).failed(TOOK, new IOException());
        assertThat(breaker.untilChange()).isEqualTo(THEN);
    }

    @Test
    void doesNotCountARunThatBeganBeforeItOpened() {
        Guard breaker = BREAKER.guard("b", now::get);
        Guard.Entry early = start(breaker);
        Guard.Entry earlier = start(breaker);
        fail(breaker, 4);
        pass(THEN);
        assertThat(breaker.freeCapacity()).isEqualTo(2);
        early.unused();
        earlier.succeeded(TOOK);
        assertThat(breaker.freeCapacity()).isEqualTo(2);
        start(breaker);
        start(breaker);
        assertThat(breaker.enter()).as("not one more").isNull();
    }

    @Test
    void countsNeitherIgnoredFailuresNorDatabaseErrorsByDefault() {
        Guard breaker = BREAKER.withIgnored(List.of(IOException.class)).guard("b", now::get);
        for (int i = 0; i < 10; i++) {
            start(breaker).failed(TOOK, new IllegalStateException(new IOException()));
            start(breaker).requeued(TOOK, new IllegalStateException());
        }
        assertThat(breaker.state().status()).isEqualTo(Status.LETS_THROUGH);
        Guard strict = BREAKER.withDatabaseErrors(true).guard("b", now::get);
        for (int i = 0; i < 4; i++) {
            start(strict).requeued(TOOK, new IllegalStateException());
        }
        assertThat(strict.state().status()).isEqualTo(Status.STOPS);
    }

    @Test
    void followsABreakerThatTheApplicationForcesOpen() {
        CircuitBreaker theirs = CircuitBreaker.ofDefaults("theirs");
        Guard breaker = Resilience4jGuards.of(theirs).guard("theirs", now::get);
        theirs.transitionToForcedOpenState();
        assertThat(breaker.state().status()).isEqualTo(Status.STOPS);
        pass(Duration.ofDays(1));
        assertThat(breaker.enter()).isNull();
        theirs.transitionToClosedState();
        assertThat(breaker.enter()).isNotNull();
        assertThat(theirs.getMetrics().getNumberOfNotPermittedCalls())
                .as("an open breaker is not asked for permission")
                .isZero();
    }

    @Test
    void permitsStartsUpToTheRateLimitAndKnowsWhenTheNextPeriodBegins() {
        RateLimiterConfig config = RateLimiterConfig.custom()
                .limitForPeriod(2)
                .limitRefreshPeriod(Duration.ofSeconds(10))
                .timeoutDuration(Duration.ZERO)
                .build();
        Guard limit = Resilience4jGuards.of(new AtomicRateLimiter("l", config, now::get))
                .guard("l", now::get);
        assertThat(limit.freeCapacity()).isEqualTo(2);
        start(limit).failed(TOOK, new IOException());
        start(limit).unused();
        assertThat(limit.freeCapacity()).as("a used permit is not returned").isZero();
        assertThat(limit.enter()).isNull();
        pass(Duration.ofSeconds(4));
        assertThat(limit.state())
                .isEqualTo(new GuardState(GuardState.Kind.RATE_LIMIT, "l", Status.STOPS, 0, Duration.ofSeconds(6)));
        pass(Duration.ofSeconds(6));
        assertThat(limit.freeCapacity()).isEqualTo(2);
    }

    @Test
    void permitsRunsUpToTheBulkheadAndDoesNotStopClaims() {
        Guard bulkhead = new Bulkhead(2).guard("h", now::get);
        Guard.Entry first = start(bulkhead);
        start(bulkhead);
        assertThat(bulkhead.enter()).isNull();
        assertThat(bulkhead.state().status()).isEqualTo(Status.STOPS);
        assertThat(bulkhead.state().stopsClaiming()).isFalse();
        assertThat(bulkhead.freeCapacity())
                .as("the next messages are claimed in advance")
                .isEqualTo(2);
        first.succeeded(TOOK);
        assertThat(bulkhead.enter()).isNotNull();
    }

    @Test
    void hasATextForPeople() {
        assertThat(opened().state()).hasToString("breaker 'b' stops for another PT30.001S");
        assertThat(RateLimit.of(7, Duration.ofSeconds(1)).guard("r", now::get).state())
                .hasToString("rate limit 'r' lets through, 7 permits left");
    }

    @Test
    void refusesInvalidSettings() {
        assertThatThrownBy(() -> BREAKER.withFailureRate(0, 4, 4)).hasMessageContaining("failureRate");
        assertThatThrownBy(() -> BREAKER.withFailureRate(1.1, 4, 4)).hasMessageContaining("failureRate");
        assertThatThrownBy(() -> BREAKER.withFailureRate(0.5, 4, 5)).hasMessageContaining("minimumRuns");
        assertThatThrownBy(() -> BREAKER.withRecovery(Duration.ZERO, 1)).hasMessageContaining("openFor");
        assertThatThrownBy(() -> BREAKER.withRecovery(OPEN_FOR, 0)).hasMessageContaining("testRuns");
        assertThatThrownBy(() -> RateLimit.of(0, OPEN_FOR)).isInstanceOf(QueueMisuseException.class);
        assertThatThrownBy(() -> RateLimit.of(1, Duration.ofMillis(9))).hasMessageContaining("period");
        assertThatThrownBy(() -> new Bulkhead(0)).hasMessageContaining("maxRunning");
    }

    private Guard opened() {
        Guard breaker = BREAKER.guard("b", now::get);
        fail(breaker, 4);
        assertThat(breaker.state().status()).isEqualTo(Status.STOPS);
        return breaker;
    }

    private static void fail(Guard breaker, int times) {
        for (int i = 0; i < times; i++) {
            start(breaker).failed(TOOK, new IOException());
        }
    }

    private static Guard.Entry start(Guard guard) {
        return Objects.requireNonNull(guard.enter(), "was not let through");
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }
}
