package io.acidq.store;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Until when a message may be started, by the database's clock. If both are null, it does not expire.
 *
 * @param after this long after its due time
 * @param at    at this instant
 */
public record Expiry(@Nullable Duration after, @Nullable Instant at) {

    public static final Expiry NEVER = new Expiry(null, null);

    public boolean isNever() {
        return after == null && at == null;
    }
}
