package io.acidq.examples.retry;

import io.acidq.resilience.RetryPolicy;
import io.acidq.resilience.RetryRule;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A policy as a bean, for what properties do not say: a wait of its own for one type of failure. */
@Configuration(proxyBeanMethods = false)
class Policies {

    // snippet:policy
    /** The listener names it: {@code retry = "bankRetry"}. */
    @Bean
    RetryPolicy bankRetry() {
        return RetryPolicy.defaults()
                .withMaxAttempts(4)
                .withBackoff(Duration.ofMillis(50), 2, Duration.ofSeconds(10)) // 50 ms, 100 ms, 200 ms, each ± 20 %
                .withMaxAge(Duration.ofHours(20)) // the bank forgets our keys after 24 hours
                .withRule(RetryRule.retryOn(Bank.OverloadedException.class, Duration.ofMillis(400)))
                .withRule(RetryRule.deadOn(Bank.RefusedException.class))
                .withRule(RetryRule.ignoreOn(Bank.ClosedAccountException.class));
    }
    // /snippet
}
