package io.acidq.resilience;

import io.acidq.resilience.GuardState.Kind;
import io.acidq.resilience.GuardState.Status;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A rate limiter of Resilience4j, by its monotonic clock. */
final class RateLimitGuard implements Guard {

    private static final Entry SPENT = new Spent();

    private final RateLimiter limiter;
    private final String name;

    RateLimitGuard(RateLimiter limiter, String name) {
        this.limiter = limiter;
        this.name = name;
    }

    @Override
    public @Nullable Entry enter() {
        // looked at first, because one that was made elsewhere may wait for its permits
        return room() > 0 && limiter.acquirePermission() ? SPENT : null;
    }

    @Override
    public int room() {
        return Math.max(0, limiter.getMetrics().getAvailablePermissions());
    }

    @Override
    public Duration untilChange() {
        Duration period = limiter.getRateLimiterConfig().getLimitRefreshPeriod();
        Duration wait = limiter instanceof AtomicRateLimiter known && room() == 0
                ? Duration.ofNanos(known.getDetailedMetrics().getNanosToWait())
                : period.compareTo(RateLimit.SHORTEST) < 0 ? RateLimit.SHORTEST : period;
        return wait.isZero() ? Duration.ofNanos(1) : wait;
    }

    @Override
    public GuardState state() {
        int permits = room();
        return new GuardState(
                Kind.RATE_LIMIT, name, permits > 0 ? Status.LETS_THROUGH : Status.STOPS, permits, untilChange());
    }

    /** A permit once used stays used. */
    private static final class Spent implements Entry {
        @Override
        public void succeeded(Duration took) {}

        @Override
        public void failed(Duration took, Throwable failure) {}

        @Override
        public void gaveBack(Duration took, Throwable cause) {}

        @Override
        public void unused() {}
    }
}
