package io.acidq.store;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When a message is due, by the database's clock at the INSERT. If both are null, it is due at once.
 *
 * @param delay this long after the INSERT
 * @param at    at this instant
 */
public record Due(@Nullable Duration delay, @Nullable Instant at) {

    public static final Due NOW = new Due(null, null);

    public boolean isNow() {
        return at == null && (delay == null || delay.isZero());
    }
}
