package io.acidq.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {

    private static final RetryPolicy POLICY = RetryPolicy.defaults()
            .withMaxAttempts(4)
            .withBackoff(Duration.ofMillis(100), 3, Duration.ofMillis(500))
            .withJitter(0);
    private static final Exception FAILURE = new IllegalStateException("no", new IOException("broken pipe"));

    @Test
    void waitsLongerEachTimeUpToTheMaximum() {
        assertThat(delay(POLICY, 1)).isEqualTo(Duration.ofMillis(100));
        assertThat(delay(POLICY, 2)).isEqualTo(Duration.ofMillis(300));
        assertThat(delay(POLICY, 3)).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void spreadsWaitsByTheJitterAndNotFurther() {
        RetryPolicy jittered = POLICY.withJitter(0.5);
        Set<Duration> seen = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            Duration delay = delay(jittered, 1);
            assertThat(delay).isBetween(Duration.ofMillis(50), Duration.ofMillis(150));
            seen.add(delay);
        }
        assertThat(seen).hasSizeGreaterThan(10);
    }

    @Test
    void makesADeadLetterAfterTheLastAttemptWithTheWholeCause() {
        assertThat(POLICY.afterFailure(FAILURE, 4))
                .isEqualTo(Outcome.dead(
                        "java.lang.IllegalStateException: no; caused by java.io.IOException: broken pipe"));
    }

    @Test
    void makesADeadLetterAtOnceOfAFatalCause() {
        assertThat(POLICY.withFatal(IOException.class).afterFailure(FAILURE, 1)).isInstanceOf(Outcome.Dead.class);
        assertThat(POLICY.withFatal(NullPointerException.class).afterFailure(FAILURE, 1))
                .isInstanceOf(Outcome.Retry.class);
    }

    @Test
    void survivesAHugeNumberOfAttempts() {
        RetryPolicy huge = POLICY.withMaxAttempts(1000).withBackoff(Duration.ofMillis(1), 100, Duration.ofDays(1));
        assertThat(delay(huge, 999)).isLessThanOrEqualTo(Duration.ofDays(1));
    }

    @Test
    void survivesAFailureWhoseMessageThrows() {
        Outcome outcome = POLICY.afterFailure(
                new RuntimeException() {
                    @Override
                    public String getMessage() {
                        throw new IllegalStateException("gotcha");
                    }
                },
                1);
        assertThat(outcome).isInstanceOf(Outcome.Retry.class);
    }

    @Test
    void spreadsAlsoTheWaitsThatHaveReachedTheMaximum() {
        RetryPolicy jittered = POLICY.withJitter(0.5);
        Set<Duration> seen = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            seen.add(delay(jittered, 3));
        }
        assertThat(seen)
                .hasSizeGreaterThan(10)
                .allSatisfy(d -> assertThat(d).isBetween(Duration.ofMillis(250), Duration.ofMillis(750)));
    }

    @Test
    void boundsTheRetriesThatAHandlerAsksFor() {
        Outcome again = Outcome.retryAfter(Duration.ofSeconds(1), "busy");
        assertThat(POLICY.limit(again, 3)).isSameAs(again);
        assertThat(POLICY.limit(again, 4)).isEqualTo(Outcome.dead("no attempt is left after 4: busy"));
        assertThat(POLICY.limit(Outcome.dead("x"), 1)).isEqualTo(Outcome.dead("x"));
    }

    @Test
    void refusesWhatCanNotBeMeant() {
        assertThatThrownBy(() -> POLICY.withMaxAttempts(0))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("maxAttempts");
        assertThatThrownBy(() -> POLICY.withJitter(1)).hasMessageContaining("jitter");
        assertThatThrownBy(() -> POLICY.withBackoff(Duration.ofMillis(-1), 2, Duration.ofSeconds(1)))
                .hasMessageContaining("initialDelay");
        assertThatThrownBy(() -> POLICY.withBackoff(Duration.ofNanos(1000), 2, Duration.ofSeconds(1)))
                .hasMessageContaining("at least 1 ms");
        assertThatThrownBy(() -> POLICY.withBackoff(Duration.ofSeconds(2), 2, Duration.ofSeconds(1)))
                .hasMessageContaining("maxDelay");
        assertThatThrownBy(() -> POLICY.withBackoff(Duration.ofSeconds(1), 0.5, Duration.ofSeconds(1)))
                .hasMessageContaining("multiplier");
    }

    private static Duration delay(RetryPolicy policy, int attempt) {
        return policy.afterFailure(FAILURE, attempt).match(new Outcome.Cases<Duration>() {
            @Override
            public Duration done() {
                throw new AssertionError("done");
            }

            @Override
            public Duration retry(Duration delay, String cause) {
                return delay;
            }

            @Override
            public Duration dead(String cause) {
                throw new AssertionError("dead");
            }
        });
    }
}
