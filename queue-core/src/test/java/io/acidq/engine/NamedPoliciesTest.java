package io.acidq.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.Delivery;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.config.Listener;
import io.acidq.resilience.Breaker;
import io.acidq.resilience.RateLimit;
import io.acidq.resilience.RetryPolicy;
import io.acidq.resilience.RetryRule;
import io.acidq.store.Store;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Names of policies and guards in plain Java, as the page on retries shows them. */
class NamedPoliciesTest {

    private static final Store NO_DATABASE =
            new Store(null, null, null, null, null, null, null, null, null, null, null, null, null, null);

    record Order(long id, boolean paid, boolean withdrawn) {}

    // snippet:policy
    private static final RetryPolicy SHIPPING = RetryPolicy.defaults()
            .withMaxAttempts(8)
            .withMaxAge(Duration.ofHours(6))
            .withBackoff(Duration.ofSeconds(2), 2, Duration.ofMinutes(10))
            .withJitter(0.3)
            .withRule(RetryRule.retryOn(FileNotFoundException.class, Duration.ofMinutes(1)))
            .withRule(RetryRule.deadOn(IOException.class).orCause())
            .withRule(RetryRule.ignoreOn(UnsupportedOperationException.class));
    // /snippet

    // snippet:outcomes
    private Outcome ship(Order order, Delivery delivery) {
        if (order.withdrawn()) {
            return Outcome.cancel("the order was withdrawn");
        }
        if (!order.paid()) {
            return Outcome.snooze(Duration.ofMinutes(15), "not paid yet");
        }
        return Outcome.done();
    }
    // /snippet

    private Outcome bill(Order order, Delivery delivery) {
        return Outcome.done();
    }

    @Test
    void buildsAnEngineWithPoliciesAndGuardsByName() {
        Store store = NO_DATABASE;
        // snippet:names
        Engine engine = Engine.builder(store)
                .retryPolicy("shipping", SHIPPING)
                .retryPolicy("default", RetryPolicy.defaults().withMaxAttempts(10))
                .breaker("warehouse", Breaker.defaults().withRecovery(Duration.ofSeconds(20), 2))
                .rateLimit("warehouse", RateLimit.of(100, Duration.ofSeconds(1)))
                .listen(Listener.on("order.placed", Order.class, this::ship)
                        .withRetry("shipping")
                        .withBreaker("warehouse")
                        .withRateLimit("warehouse"))
                .listen(Listener.on("invoice.sent", Order.class, this::bill)) // the default policy, no guard
                .build();
        // /snippet
        assertThat(engine.queues()).as("it does not run").isEmpty();
    }

    @Test
    void refusesToBuildAnEngineWithAnUnknownName() {
        EngineBuilder engine = Engine.builder(NO_DATABASE)
                .retryPolicy("shipping", SHIPPING)
                .listen(Listener.on("order.placed", Order.class, this::ship).withRetry("shiping"));
        assertThatThrownBy(engine::build)
                .isInstanceOf(QueueMisuseException.class)
                .hasMessage("the listener of queue 'order.placed' names the retry policy 'shiping', which is not known:"
                        + " use one of [shipping], or define it with the engine's builder");
    }
}
