package io.acidq;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What an inbox accepts; checked before any SQL. */
public final class InboxLimits {

    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private InboxLimits() {}

    /**
     * The name of a consumer, when it is legal.
     *
     * @throws QueueMisuseException when it is not
     */
    public static String checkConsumer(@Nullable String name) {
        if (name == null || !QueueNames.isLegal(name)) {
            throw new QueueMisuseException("consumer name '" + name + "' is not allowed: " + QueueNames.RULE);
        }
        return name;
    }

    /**
     * A key, when it is legal.
     *
     * @throws MessageRejectedException when it is not
     */
    public static String checkKey(String consumer, @Nullable String key) {
        if (key == null) {
            throw new MessageRejectedException("a key of consumer '" + consumer
                    + "' is null: give what identifies the message, and is the same when it comes again");
        }
        Limits.checkKey("key of consumer '" + consumer + "'", key);
        return key;
    }

    /**
     * A window, when it is legal.
     *
     * @throws QueueMisuseException when it is not
     */
    public static Duration checkWindow(@Nullable Duration window) {
        if (window == null || window.compareTo(SHORTEST) < 0 || window.compareTo(LONGEST) > 0) {
            throw new QueueMisuseException("an inbox's window must be 1 s to 36500 days, was " + window);
        }
        return window;
    }
}
