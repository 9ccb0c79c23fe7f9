package io.acidq;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How one message is enqueued. Immutable; begin with {@link #options()} and add what differs.
 *
 * @param key         the message key: a second message of the queue with an equal key is a duplicate while the key's
 *                    window lasts; 1 to 255 bytes of UTF-8, compared byte by byte
 * @param orderingKey messages of the queue with equal ordering keys are processed one at a time, in order; 1 to 255
 *                    bytes of UTF-8
 * @param delay       not processed before this time has passed on the database's clock; microseconds
 * @param at          not processed before this instant of the database's clock; microseconds
 * @param headers     small texts that travel with the message
 * @param onDuplicate what is done when the key is taken; null: what the queue's settings say, and {@link OnDuplicate#ignore()} if they
 *                    say nothing. Needs a key
 */
public record EnqueueOptions(
        @Nullable String key,
        @Nullable String orderingKey,
        @Nullable Duration delay,
        @Nullable Instant at,
        Map<String, String> headers,
        @Nullable OnDuplicate onDuplicate) {

    private static final EnqueueOptions PLAIN = new EnqueueOptions(null, null, null, null, Map.of(), null);

    public EnqueueOptions {
        Limits.checkKey("key", key);
        Limits.checkKey("ordering key", orderingKey);
        Limits.checkDue(delay, at);
        headers.forEach(Limits::checkHeader);
        headers = Map.copyOf(headers);
        if (onDuplicate != null) {
            onDuplicate.checkFor(delay);
        }
    }

    /** No key, no order, due at once. */
    public static EnqueueOptions options() {
        return PLAIN;
    }

    public EnqueueOptions key(String value) {
        return new EnqueueOptions(value, orderingKey, delay, at, headers, onDuplicate);
    }

    public EnqueueOptions orderingKey(String value) {
        return new EnqueueOptions(key, value, delay, at, headers, onDuplicate);
    }

    public EnqueueOptions delay(Duration value) {
        return new EnqueueOptions(key, orderingKey, value, at, headers, onDuplicate);
    }

    public EnqueueOptions at(Instant value) {
        return new EnqueueOptions(key, orderingKey, delay, value, headers, onDuplicate);
    }

    public EnqueueOptions header(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new EnqueueOptions(key, orderingKey, delay, at, more, onDuplicate);
    }

    /** Chooses what is done when the key is taken. */
    public EnqueueOptions onDuplicate(OnDuplicate value) {
        return new EnqueueOptions(key, orderingKey, delay, at, headers, value);
    }
}
