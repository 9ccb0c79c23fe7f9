package io.acidq.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {

    private static final RetryPolicy POLICY = RetryPolicy.defaults()
            .withMaxAttempts(4)
            .withBackoff(Duration.ofMillis(100), 3, Duration.ofMillis(500))
            .withJitter(0);
    private static final Exception FAILURE = new IllegalStateException("no", new IOException("broken pipe"));
    private static final Duration YOUNG = Duration.ZERO;
    private static final DoubleSupplier LEAST = () -> 0;
    private static final DoubleSupplier MEAN = () -> 0.5;
    private static final DoubleSupplier MOST = () -> Math.nextDown(1.0);

    @Test
    void increasesTheDelayUpToTheMaximum() {
        assertThat(delay(POLICY, 1, MEAN)).isEqualTo(Duration.ofMillis(100));
        assertThat(delay(POLICY, 2, MEAN)).isEqualTo(Duration.ofMillis(300));
        assertThat(delay(POLICY, 3, MEAN)).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void keepsAFixedDelay() {
        RetryPolicy fixed = POLICY.withFixedBackoff(Duration.ofSeconds(7));
        assertThat(delay(fixed, 1, MEAN)).isEqualTo(Duration.ofSeconds(7));
        assertThat(delay(fixed, 3, MEAN)).isEqualTo(Duration.ofSeconds(7));
        assertThat(POLICY.withBackoff(Backoff.fixed(Duration.ZERO)).afterFailure(FAILURE, 1, YOUNG))
                .isEqualTo(Outcome.retryAfter(Duration.ZERO, CauseChain.describe(FAILURE)));
    }

    @Test
    void spreadsDelaysByTheJitter() {
        RetryPolicy jittered = POLICY.withJitter(0.5);
        assertThat(delay(jittered, 1, LEAST)).isEqualTo(Duration.ofMillis(50));
        assertThat(delay(jittered, 1, MEAN)).isEqualTo(Duration.ofMillis(100));
        assertThat(delay(jittered, 1, MOST)).isEqualTo(Duration.ofMillis(150));
        assertThat(delay(jittered, 3, MOST)).as("also at the maximum delay").isEqualTo(Duration.ofMillis(750));
        assertThat(delay(POLICY.withJitter(1), 1, LEAST)).isZero();
        assertThat(delay(POLICY.withJitter(1), 1, MOST)).isEqualTo(Duration.ofMillis(200));
    }

    @Test
    void spreadsDelaysAtRandom() {
        Set<Outcome> seen = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            seen.add(POLICY.withJitter(0.5).afterFailure(FAILURE, 1, YOUNG));
        }
        assertThat(seen).hasSizeGreaterThan(10);
    }

    @Test
    void makesADeadLetterWithAllCausesAfterTheLastAttempt() {
        assertThat(POLICY.afterFailure(FAILURE, 4, YOUNG))
                .isEqualTo(Outcome.dead(
                        "java.lang.IllegalStateException: no; caused by java.io.IOException: broken pipe"));
    }

    @Test
    void appliesTheFirstRuleThatMatchesIncludingSubclasses() {
        RetryPolicy ruled = POLICY.withRule(RetryRule.retryOn(FileNotFoundException.class))
                .withRule(RetryRule.deadOn(IOException.class))
                .withRule(RetryRule.ignoreOn(Exception.class));
        assertThat(ruled.afterFailure(new FileNotFoundException("f"), 1, YOUNG)).isInstanceOf(Outcome.Retry.class);
        assertThat(ruled.afterFailure(new java.net.SocketException("s"), 1, YOUNG))
                .isInstanceOf(Outcome.Dead.class);
        assertThat(ruled.afterFailure(new NullPointerException("n"), 1, YOUNG))
                .isEqualTo(Outcome.cancel("ignored: java.lang.NullPointerException: n"));
        assertThat(ruled.afterFailure(new OutOfMemoryError(), 1, YOUNG))
                .as("no rule matches")
                .isInstanceOf(Outcome.Retry.class);
        assertThat(ruled.afterFailure(new FileNotFoundException("f"), 4, YOUNG))
                .as("a rule to retry does not add attempts")
                .isInstanceOf(Outcome.Dead.class);
    }

    @Test
    void comparesCausesOnlyWithOrCause() {
        RetryRule rule = RetryRule.deadOn(IOException.class);
        assertThat(POLICY.withRule(rule).afterFailure(FAILURE, 1, YOUNG)).isInstanceOf(Outcome.Retry.class);
        assertThat(POLICY.withRule(rule.orCause()).afterFailure(FAILURE, 1, YOUNG))
                .isInstanceOf(Outcome.Dead.class);
    }

    @Test
    void usesTheDelayOfTheRule() {
        RetryPolicy ruled = POLICY.withRule(RetryRule.retryOn(IllegalStateException.class, Duration.ofMinutes(5)));
        assertThat(delay(ruled, 1, MEAN)).isEqualTo(Duration.ofMinutes(5));
        assertThat(delay(ruled.withJitter(0.2), 1, MOST)).isEqualTo(Duration.ofMinutes(6));
    }

    @Test
    void plansNoAttemptAtTheMaximumAgeOrLater() {
        RetryPolicy aging = POLICY.withMaxAge(Duration.ofSeconds(60));
        assertThat(aging.afterFailure(FAILURE, 1, Duration.ofMillis(59_899))).isInstanceOf(Outcome.Retry.class);
        assertThat(aging.afterFailure(FAILURE, 1, Duration.ofMillis(59_900)))
                .isInstanceOfSatisfying(
                        Outcome.Dead.class,
                        dead -> assertThat(dead.error()).contains("PT1M").contains("broken pipe"));
        assertThat(aging.afterFailure(FAILURE, 1, Duration.ofSeconds(-5)))
                .as("the database's clock was set back")
                .isInstanceOf(Outcome.Retry.class);
        Outcome snooze = Outcome.snooze(Duration.ofSeconds(30), "not yet");
        assertThat(aging.limit(snooze, 9, Duration.ofSeconds(29))).isSameAs(snooze);
        assertThat(aging.limit(snooze, 1, Duration.ofSeconds(30))).isInstanceOf(Outcome.Dead.class);
        assertThat(aging.limit(Outcome.retryAfter(Duration.ofDays(1)), 1, YOUNG))
                .isInstanceOf(Outcome.Dead.class);
        assertThat(POLICY.limit(snooze, 99, Duration.ofDays(9999)))
                .as("no maximum")
                .isSameAs(snooze);
    }

    @Test
    void keepsDelaysWithinBounds() {
        RetryPolicy huge = POLICY.withMaxAttempts(1000)
                .withBackoff(Duration.ofMillis(1), 100, Duration.ofDays(365))
                .withJitter(1);
        assertThat(delay(huge, 999, MOST)).isEqualTo(Duration.ofDays(365));
        assertThat(huge.backoff().after(1000, LEAST)).isZero();
        RetryPolicy slow = huge.withRule(RetryRule.retryOn(IllegalStateException.class, Duration.ofDays(365)));
        assertThat(delay(slow, 1, MOST)).isEqualTo(Duration.ofDays(365));
        assertThat(huge.withMaxAge(Duration.ofSeconds(Long.MAX_VALUE)).afterFailure(FAILURE, 1, Duration.ofDays(9999)))
                .isInstanceOf(Outcome.Retry.class);
    }

    @Test
    void survivesAFailureWhoseMessageThrows() {
        Outcome outcome = POLICY.afterFailure(
                new RuntimeException() {
                    @Override
                    public String getMessage() {
                        throw new IllegalStateException("broken");
                    }
                },
                1,
                YOUNG);
        assertThat(outcome).isInstanceOf(Outcome.Retry.class);
    }

    @Test
    void limitsTheRetriesThatAHandlerReturns() {
        Outcome again = Outcome.retryAfter(Duration.ofSeconds(1), "busy");
        assertThat(POLICY.limit(again, 3, YOUNG)).isSameAs(again);
        assertThat(POLICY.limit(again, 4, YOUNG)).isEqualTo(Outcome.dead("no attempt is left after 4: busy"));
        assertThat(POLICY.limit(Outcome.dead("x"), 1, YOUNG)).isEqualTo(Outcome.dead("x"));
        assertThat(POLICY.limit(Outcome.cancel("x"), 4, YOUNG)).isEqualTo(Outcome.cancel("x"));
    }

    @Test
    void refusesInvalidValues() {
        refused(() -> POLICY.withMaxAttempts(0), "maxAttempts");
        refused(() -> POLICY.withMaxAttempts(1001), "maxAttempts");
        refused(() -> POLICY.withMaxAge(Duration.ZERO), "maxAge");
        refused(() -> POLICY.withJitter(1.01), "jitter");
        refused(() -> POLICY.withJitter(Double.NaN), "jitter");
        refused(() -> POLICY.withBackoff(Duration.ofMillis(-1), 2, Duration.ofSeconds(1)), "initialDelay");
        refused(() -> POLICY.withBackoff(Duration.ofNanos(1000), 2, Duration.ofSeconds(1)), "at least 1 ms");
        refused(() -> POLICY.withBackoff(Duration.ofSeconds(2), 2, Duration.ofSeconds(1)), "maxDelay");
        refused(() -> POLICY.withFixedBackoff(Duration.ofDays(366)), "maxDelay");
        refused(() -> POLICY.withFixedBackoff(Duration.ofSeconds(Long.MAX_VALUE)), "maxDelay");
        refused(() -> POLICY.withBackoff(Duration.ofSeconds(1), 0.5, Duration.ofSeconds(1)), "multiplier");
        refused(() -> RetryRule.retryOn(IOException.class, Duration.ofMillis(-1)), "delay of a rule");
        refused(() -> RetryRule.deadOn(noException()), "java.lang.String");
        refused(() -> Outcome.snooze(Duration.ZERO), "snooze");
        refused(() -> Outcome.snooze(Duration.ofDays(366)), "snooze");
        refused(() -> Outcome.retryAfter(Duration.ofMillis(-1)), "delay");
    }

    /** A class as a configuration may name it. */
    @SuppressWarnings("unchecked")
    private static Class<? extends Throwable> noException() {
        return (Class<? extends Throwable>) (Class<?>) String.class;
    }

    private static void refused(org.assertj.core.api.ThrowableAssert.ThrowingCallable what, String says) {
        assertThatThrownBy(what).isInstanceOf(QueueMisuseException.class).hasMessageContaining(says);
    }

    private static Duration delay(RetryPolicy policy, int attempt, DoubleSupplier random) {
        return ((Outcome.Retry) policy.afterFailure(FAILURE, attempt, YOUNG, random)).delay();
    }
}
