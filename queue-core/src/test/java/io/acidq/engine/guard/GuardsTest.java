package io.acidq.engine.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.config.Listener;
import io.acidq.resilience.Breaker;
import io.acidq.resilience.Bulkhead;
import io.acidq.resilience.Guard;
import io.acidq.resilience.GuardState;
import io.acidq.resilience.RateLimit;
import io.acidq.resilience.RetryPolicy;
import io.acidq.store.Claim;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class GuardsTest {

    private static final Claim ONE = new Claim(1, 0, 1, new UUID(0, 1), 7, 1);
    private static final Claim TWO = new Claim(1, 0, 2, new UUID(0, 2), 7, 1);
    private static final Duration DAY = Duration.ofDays(1);

    private final AtomicLong now = new AtomicLong();
    private final List<String> told = new ArrayList<>();
    private final Telemetry telemetry = new Telemetry() {
        @Override
        public void guardChanged(String queue, GuardState state) {
            told.add(queue + " " + state.kind() + " " + state.status());
        }

        @Override
        public void failing(String duty, Throwable cause) {
            told.add(duty + ": " + cause.getMessage());
        }
    };

    @Test
    void givesBackWhatOneLetThroughAndTheNextDidNot() {
        Guard places = new Bulkhead(1).guard("p", now::get);
        Guards guards = guards(places, RateLimit.of(1, DAY).guard("l", now::get));
        assertThat(guards.enter(ONE)).isTrue();
        guards.passage(ONE).close();
        assertThat(guards.enter(TWO)).as("the permit is used up").isFalse();
        assertThat(places.enter()).as("the place is not taken").isNotNull();
    }

    @Test
    void letsClaimOnlyWhatAllOfThemMayStart() {
        Guards guards = guards(
                new Bulkhead(4).guard("p", now::get), RateLimit.of(9, DAY).guard("l", now::get));
        assertThat(guards.room(100, 0)).isEqualTo(4);
        assertThat(guards.room(100, 3)).isEqualTo(1);
        assertThat(guards.room(100, 50)).isZero();
        assertThat(guards.room(2, 0)).isEqualTo(2);
        assertThat(Guards.NONE.room(100, 50)).isEqualTo(100);
    }

    @Test
    void tellsEachChangeOnceAndNoneOfABulkhead() {
        Guard breaker = Breaker.defaults()
                .withFailureRate(1, 1, 1)
                .withRecovery(Duration.ofSeconds(1), 1)
                .guard("b", now::get);
        Guards guards = guards(new Bulkhead(1).guard("p", now::get), breaker);
        assertThat(guards.tellChanges()).isFalse();
        assertThat(guards.enter(ONE)).isTrue();
        assertThat(guards.tellChanges()).isFalse();
        Passage passage = guards.passage(ONE);
        passage.failed(new IllegalStateException());
        passage.close();
        assertThat(guards.tellChanges()).isTrue();
        assertThat(guards.tellChanges()).isFalse();
        assertThat(guards.stop()).isEqualTo(breaker.state());
        assertThat(guards.nap(DAY.toNanos())).isEqualTo(Duration.ofMillis(1001).toNanos());
        now.addAndGet(Duration.ofMillis(1001).toNanos());
        assertThat(guards.tellChanges()).isTrue();
        assertThat(guards.enter(TWO)).isTrue();
        guards.passage(TWO).succeeded();
        assertThat(guards.tellChanges()).isTrue();
        assertThat(told).containsExactly("q BREAKER STOPS", "q BREAKER TESTS", "q BREAKER LETS_THROUGH");
    }

    @Test
    void survivesAGuardThatThrows() {
        Guard broken = new FakeGuard() {
            @Override
            public void succeeded(Duration took) {
                throw new IllegalStateException("gotcha");
            }
        };
        Guards guards = guards(broken);
        assertThat(guards.enter(ONE)).isTrue();
        guards.passage(ONE).succeeded();
        assertThat(told).containsExactly("guards of queue q: gotcha");
    }

    @Test
    void letsNothingThroughAGuardThatThrowsAndKeepsNoPermitOfTheOthers() {
        Guard places = new Bulkhead(1).guard("p", now::get);
        Guards guards = guards(places, new FakeGuard() {
            @Override
            public Entry enter() {
                throw new IllegalStateException("gotcha");
            }
        });
        assertThat(guards.enter(ONE)).isFalse();
        assertThat(told).containsExactly("guards of queue q: gotcha");
        assertThat(places.state().permits()).isEqualTo(1);
    }

    /** It ended the worker that asked, and nobody took its place. */
    @Test
    void survivesAGuardThatThrowsErrorsWhereverItIsAsked() {
        Guard broken = new FakeGuard() {
            @Override
            public Entry enter() {
                throw new AssertionError("gotcha");
            }

            @Override
            public int room() {
                throw new AssertionError("gotcha");
            }

            @Override
            public Duration untilChange() {
                throw new AssertionError("gotcha");
            }

            @Override
            public GuardState state() {
                throw new AssertionError("gotcha");
            }
        };
        Guards guards = guards(broken);
        assertThat(guards.enter(ONE)).isFalse();
        assertThat(guards.room(10, 0)).isZero();
        assertThat(guards.nap(Duration.ofHours(1).toNanos()))
                .isLessThan(Duration.ofSeconds(1).toNanos());
        assertThat(guards.stop()).isNull();
        assertThat(guards.states()).isEmpty();
        assertThat(guards.tellChanges()).isFalse();
        assertThat(told).containsExactly("guards of queue q: gotcha");
    }

    @Test
    void tellsAGuardOnceWhoeverIsFirst() {
        Guard places = new Bulkhead(2).guard("p", now::get);
        Guards guards = guards(places);
        assertThat(guards.enter(ONE)).isTrue();
        assertThat(guards.enter(TWO)).isTrue();
        Passage givenUp = guards.passage(ONE);
        givenUp.failed(new IllegalStateException("its time was over"));
        givenUp.succeeded();
        givenUp.close();
        assertThat(places.state().permits()).isEqualTo(1);
    }

    @Test
    void countsOnlyTheTimeThatAMessageTookItself() {
        List<Duration> times = new ArrayList<>();
        Guard timer = new FakeGuard() {
            @Override
            public void succeeded(Duration took) {
                times.add(took);
            }
        };
        Guards guards = guards(timer);
        assertThat(guards.enter(ONE)).isTrue();
        Passage passage = guards.passage(ONE);
        now.addAndGet(1000);
        passage.begins();
        now.addAndGet(30);
        passage.handled(3);
        now.addAndGet(1000);
        passage.succeeded();
        assertThat(times).containsExactly(Duration.ofNanos(10));
    }

    @Test
    void asksNothingAndKeepsNothingWithoutGuards() {
        assertThat(Guards.NONE.enter(ONE)).isTrue();
        assertThat(Guards.NONE.passage(ONE)).isSameAs(Passage.FREE);
        assertThat(Guards.NONE.nap(5)).isEqualTo(5);
        assertThat(Guards.NONE.stop()).isNull();
        assertThat(Guards.NONE.tellChanges()).isFalse();
    }

    @Test
    void sharesAGuardAmongThoseThatNameItAndNoOther() {
        KnownPolicies known = new KnownPolicies();
        RateLimit limit = RateLimit.of(1, DAY);
        known.rateLimit("a", limit);
        known.rateLimit("b", limit);
        KnownPolicies.Guarding guarding = known.guarding(now::get, telemetry);
        Guards first = guarding.of(listener("q1").withRateLimit("a"));
        Guards second = guarding.of(listener("q2").withRateLimit("a"));
        Guards other = guarding.of(listener("q3").withRateLimit("b"));
        Guards own = guarding.of(listener("q4").withRateLimit(limit));
        assertThat(first.enter(ONE)).isTrue();
        assertThat(second.enter(ONE)).isFalse();
        assertThat(other.enter(ONE)).isTrue();
        assertThat(own.enter(ONE)).isTrue();
        assertThat(guarding.of(listener("q5"))).isSameAs(Guards.NONE);
    }

    @Test
    void findsThePolicyOfTheListenerThenOfTheQueueThenOfTheEngine() {
        KnownPolicies known = new KnownPolicies();
        assertThat(policy(known, listener("q"))).isEqualTo(RetryPolicy.defaults());
        known.retry(KnownPolicies.DEFAULT, RetryPolicy.defaults().withMaxAttempts(2));
        known.retry("three", RetryPolicy.defaults().withMaxAttempts(3));
        known.queueRetry("special", "three");
        assertThat(policy(known, listener("q")).maxAttempts()).isEqualTo(2);
        assertThat(policy(known, listener("special")).maxAttempts()).isEqualTo(3);
        assertThat(policy(known, listener("q").withRetry("three")).maxAttempts())
                .isEqualTo(3);
        RetryPolicy own = RetryPolicy.defaults().withMaxAttempts(4);
        assertThat(policy(known, listener("special").withRetry(own))).isEqualTo(own);
    }

    @Test
    void namesTheListenerTheNameAndWhatIsKnown() {
        KnownPolicies known = new KnownPolicies();
        known.retry("three", RetryPolicy.defaults());
        known.breaker("warehouse", Breaker.defaults());
        assertThatThrownBy(() -> known.resolve(listener("order.placed").withRetry("shiping")))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("'order.placed'")
                .hasMessageContaining("retry policy 'shiping'")
                .hasMessageContaining("[three]");
        assertThatThrownBy(() -> known.resolve(listener("order.placed").withBreaker("warehose")))
                .hasMessageContaining("breaker 'warehose'")
                .hasMessageContaining("[warehouse]");
        assertThatThrownBy(() -> known.resolve(listener("q").withRateLimit("x")))
                .hasMessageContaining("rate limit");
        assertThatThrownBy(() -> known.resolve(listener("q").withBulkhead("x"))).hasMessageContaining("bulkhead");
        assertThatThrownBy(() -> known.retry("three", RetryPolicy.defaults())).hasMessageContaining("twice");
    }

    private static RetryPolicy policy(KnownPolicies known, Listener<String> listener) {
        return known.resolve(listener).retry().given();
    }

    private static Listener<String> listener(String queue) {
        return Listener.on(queue, String.class, (payload, delivery) -> Outcome.done());
    }

    private Guards guards(Guard... guards) {
        return new Guards("q", List.of(guards), now::get, telemetry);
    }
}
