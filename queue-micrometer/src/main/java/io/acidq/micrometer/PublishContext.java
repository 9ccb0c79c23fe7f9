package io.acidq.micrometer;

import io.acidq.Enqueued;
import io.micrometer.observation.transport.SenderContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The context of the observation {@code acidq.publish}: one enqueue. Its carrier are the headers that each message of it gets. */
public final class PublishContext extends SenderContext<Map<String, String>> {

    private final String queue;
    private final int messages;
    private List<Enqueued> results = List.of();

    PublishContext(String queue, int messages) {
        super((headers, name, value) -> {
            if (headers != null) {
                headers.put(name, value);
            }
        });
        this.queue = queue;
        this.messages = messages;
        setCarrier(new LinkedHashMap<>());
    }

    public String queue() {
        return queue;
    }

    /** How many messages the call is to enqueue. */
    public int messages() {
        return messages;
    }

    /** What became of them; empty before the end, and when the enqueue failed. */
    public List<Enqueued> results() {
        return results;
    }

    void ended(List<Enqueued> all) {
        results = all;
    }
}
