package io.acidq;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The result of publishing one message to a topic. It is empty when the topic has no subscription, or when every filter has left the message out.
 *
 * @param topic         the name of the topic
 * @param subscriptions what was enqueued for each subscription, by its name, in the order of the names
 */
public record Published(String topic, Map<String, Enqueued> subscriptions) {

    public Published {
        subscriptions = Collections.unmodifiableMap(new LinkedHashMap<>(subscriptions));
    }

    /** Whether no subscription gets the message. */
    public boolean isEmpty() {
        return subscriptions.isEmpty();
    }
}
