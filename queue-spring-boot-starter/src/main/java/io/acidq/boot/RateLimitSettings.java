package io.acidq.boot;

import io.acidq.resilience.RateLimit;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * One limit of starts in this application.
 *
 * @param starts How many handlers may start in a period.
 * @param period How long a period is.
 */
record RateLimitSettings(int starts, @DefaultValue("1s") Duration period) {

    RateLimit rateLimit() {
        return new RateLimit(starts, period);
    }
}
