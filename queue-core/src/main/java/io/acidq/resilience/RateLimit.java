package io.acidq.resilience;

import static io.acidq.InputChecks.isWithin;
import static io.acidq.InputChecks.require;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The settings of a rate limit: the number of handler calls that may start in each period, in this node. With several nodes, each has this limit. A start
 * counts regardless of its outcome. Immutable.
 *
 * @param starts how many handlers may start in a period, 1 to 1,000,000. Too low: the backlog grows; too high: no limit
 * @param period how long a period is, 10 ms to 1 day. Too short: needless wake-ups; too long: bursts, then long pauses
 */
public record RateLimit(int starts, Duration period) implements Guard.Source {

    static final Duration MIN_PERIOD = Duration.ofMillis(10);

    public RateLimit {
        require(starts >= 1 && starts <= 1_000_000, "rate limit: starts must be 1 to 1000000, was " + starts);
        require(
                isWithin(period, MIN_PERIOD, Duration.ofDays(1)),
                "rate limit: period must be 10 ms to 1 day, was " + period);
    }

    public static RateLimit of(int starts, Duration period) {
        return new RateLimit(starts, period);
    }

    @Override
    public Guard guard(String name, LongSupplier nanoTime) {
        RateLimiterConfig config = RateLimiterConfig.custom()
                .limitForPeriod(starts)
                .limitRefreshPeriod(period)
                .timeoutDuration(Duration.ZERO)
                .build();
        return Resilience4jGuards.of(RateLimiter.of(name, config)).guard(name, nanoTime);
    }
}
