package io.acidq.resilience;

import io.acidq.resilience.GuardState.Kind;
import io.acidq.resilience.GuardState.Status;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A rate limiter of Resilience4j, which uses its own monotonic clock. */
final class RateLimitGuard implements Guard {

    private static final Entry ENTRY = new RateLimitEntry();

    private final RateLimiter limiter;
    private final String name;

    RateLimitGuard(RateLimiter limiter, String name) {
        this.limiter = limiter;
        this.name = name;
    }

    @Override
    public @Nullable Entry enter() {
        // checked first, because an existing rate limiter may be configured to wait for a permit
        return freeCapacity() > 0 && limiter.acquirePermission() ? ENTRY : null;
    }

    @Override
    public int freeCapacity() {
        return Math.max(0, limiter.getMetrics().getAvailablePermissions());
    }

    @Override
    public Duration untilChange() {
        Duration period = limiter.getRateLimiterConfig().getLimitRefreshPeriod();
        Duration wait = limiter instanceof AtomicRateLimiter known && freeCapacity() == 0
                ? Duration.ofNanos(known.getDetailedMetrics().getNanosToWait())
                : period.compareTo(RateLimit.MIN_PERIOD) < 0 ? RateLimit.MIN_PERIOD : period;
        return wait.isZero() ? Duration.ofNanos(1) : wait;
    }

    @Override
    public GuardState state() {
        int permits = freeCapacity();
        return new GuardState(
                Kind.RATE_LIMIT, name, permits > 0 ? Status.LETS_THROUGH : Status.STOPS, permits, untilChange());
    }

    /** An entry without effect, because a used permit is not returned. */
    private static final class RateLimitEntry implements Entry {
        @Override
        public void succeeded(Duration took) {}

        @Override
        public void failed(Duration took, Throwable failure) {}

        @Override
        public void requeued(Duration took, Throwable cause) {}

        @Override
        public void unused() {}
    }
}
