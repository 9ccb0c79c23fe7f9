package io.acidq.resilience;

import io.acidq.QueueMisuseException;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The settings of a rate limit: so many starts of handlers in each period, in this node; several nodes together start as many
 * times more. A start counts whatever it ends in. Immutable.
 *
 * @param starts how many handlers may start in a period, 1 to 1,000,000. Too low: the queue lags; too high: no limit
 * @param period how long a period is, 10 ms to 1 day. Too short: needless wake-ups; too long: bursts, then long pauses
 */
public record RateLimit(int starts, Duration period) implements Guard.Source {

    static final Duration SHORTEST = Duration.ofMillis(10);

    public RateLimit {
        if (starts < 1 || starts > 1_000_000) {
            throw new QueueMisuseException("rate limit: starts must be 1 to 1000000, was " + starts);
        }
        if (period.compareTo(SHORTEST) < 0 || period.compareTo(Duration.ofDays(1)) > 0) {
            throw new QueueMisuseException("rate limit: period must be 10 ms to 1 day, was " + period);
        }
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
        return new RateLimitGuard(RateLimiter.of(name, config), name);
    }
}
