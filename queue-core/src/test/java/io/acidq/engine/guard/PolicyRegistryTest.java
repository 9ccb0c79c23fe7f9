package io.acidq.engine.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.config.Listener;
import io.acidq.resilience.Breaker;
import io.acidq.resilience.RateLimit;
import io.acidq.resilience.RetryPolicy;
import io.acidq.store.Claim;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PolicyRegistryTest {

    private static final Claim ONE = new Claim(1, 0, 1, new UUID(0, 1), 7, 1);
    private static final Duration DAY = Duration.ofDays(1);

    private final AtomicLong now = new AtomicLong();
    private final Telemetry telemetry = new Telemetry() {};

    @Test
    void sharesAGuardAmongTheListenersThatUseItsName() {
        PolicyRegistry known = new PolicyRegistry();
        RateLimit limit = RateLimit.of(1, DAY);
        known.rateLimit("a", limit);
        known.rateLimit("b", limit);
        PolicyRegistry.GuardFactory guardFactory = known.guardFactory(now::get, telemetry);
        StartGuards first = guardFactory.guardsOf(listener("q1").withRateLimit("a"));
        StartGuards second = guardFactory.guardsOf(listener("q2").withRateLimit("a"));
        StartGuards other = guardFactory.guardsOf(listener("q3").withRateLimit("b"));
        StartGuards own = guardFactory.guardsOf(listener("q4").withRateLimit(limit));
        assertThat(first.enter(ONE)).isTrue();
        assertThat(second.enter(ONE)).isFalse();
        assertThat(other.enter(ONE)).isTrue();
        assertThat(own.enter(ONE)).isTrue();
        assertThat(guardFactory.guardsOf(listener("q5"))).isSameAs(StartGuards.NONE);
    }

    @Test
    void usesThePolicyOfTheListenerThenOfTheQueueThenOfTheEngine() {
        PolicyRegistry known = new PolicyRegistry();
        assertThat(policy(known, listener("q"))).isEqualTo(RetryPolicy.defaults());
        known.retry(PolicyRegistry.DEFAULT, RetryPolicy.defaults().withMaxAttempts(2));
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
    void namesTheListenerTheUndefinedNameAndTheDefinedNames() {
        PolicyRegistry known = new PolicyRegistry();
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

    private static RetryPolicy policy(PolicyRegistry known, Listener<String> listener) {
        return known.resolve(listener).retry().given();
    }

    private static Listener<String> listener(String queue) {
        return Listener.on(queue, String.class, (payload, delivery) -> Outcome.done());
    }
}
