package io.acidq.engine;

import io.acidq.QueueMisuseException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one queue that concern more than its listener. Immutable; checked at once.
 *
 * @param keyWindow how long a message key of the queue stays taken, see {@link EngineConfig#keyWindow}; null: as the engine says. Too
 *                  short: a late repetition becomes a second message; too long: a larger table of keys. 0 to 36500 days
 */
public record QueueConfig(@Nullable Duration keyWindow) {

    private static final QueueConfig DEFAULTS = new QueueConfig(null);

    public QueueConfig {
        if (keyWindow != null && (keyWindow.isNegative() || keyWindow.compareTo(EngineConfig.LONGEST_WINDOW) > 0)) {
            throw new QueueMisuseException("keyWindow must be 0 to 36500 days, was " + keyWindow);
        }
    }

    public static QueueConfig defaults() {
        return DEFAULTS;
    }

    public QueueConfig withKeyWindow(Duration value) {
        return new QueueConfig(value);
    }
}
