package io.acidq.chaos.role;

import io.acidq.InputChecks;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions of the topic of a run. Each gets a copy of every published message. In journals and in the application's tables a copy has the key of
 * its message and the name of its subscription, such as {@code p1.0-7@first}.
 */
public enum ChaosSubscription {
    FIRST,
    SECOND,
    /** The handler always fails, whatever the action of the message. */
    FAILING;

    public static final String TOPIC = "chaos.topic";

    /** Fewer than in the other queues, so that the failing subscription does not take most of the time of a run. */
    public static final int FAILING_MAX_ATTEMPTS = 2;

    private static final String SEPARATOR = "@";

    /** The name of the subscription. */
    public String subscription() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The subscription of a copy, or null for a message of a queue without topic. */
    public static @Nullable ChaosSubscription ofKey(String key) {
        return Stream.of(values())
                .filter(s -> key.endsWith(SEPARATOR + s.subscription()))
                .findFirst()
                .orElse(null);
    }

    /** The key of the message of which this is the key of a copy. */
    public static String messageKey(String key) {
        ChaosSubscription subscription = ofKey(key);
        return subscription == null
                ? key
                : key.substring(
                        0,
                        key.length()
                                - SEPARATOR.length()
                                - subscription.subscription().length());
    }

    /** SQL for the key of a row with the message key {@code key} that belongs to the queue {@code name}, which may be null. */
    public static String keySql(String key, String name) {
        String copies = Arrays.stream(values())
                .map(s -> "WHEN '" + InputChecks.subscriptionQueue(TOPIC, s.subscription()) + "' THEN '" + SEPARATOR
                        + s.subscription() + "' ")
                .collect(Collectors.joining());
        return "CONCAT(COALESCE(CONVERT(" + key + " USING utf8mb4), '(no key)'), CASE " + name + " " + copies
                + "ELSE '' END)";
    }

    /** The copies of a message that is published; the message itself if it is enqueued. */
    static List<ChaosMessage> copies(ChaosMessage message, boolean isPublished) {
        return isPublished ? Stream.of(values()).map(s -> s.copy(message)).toList() : List.of(message);
    }

    /** Returns the copy of a message for this subscription. Its key and its action tell what the handler does. */
    public ChaosMessage copy(ChaosMessage message) {
        return new ChaosMessage(
                message.key() + SEPARATOR + subscription(),
                message.lane(),
                message.seq(),
                this == FAILING ? HandlerAction.FAIL : message.action(),
                message.dueIn(),
                message.expiresIn());
    }
}
