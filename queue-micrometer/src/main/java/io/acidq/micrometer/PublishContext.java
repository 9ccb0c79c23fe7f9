package io.acidq.micrometer;

import io.acidq.Enqueued;
import io.micrometer.observation.transport.SenderContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The context of the observation {@code acidq.publish}: one enqueue. Its carrier is the headers that are added to each of its messages. */
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

    /** Returns the number of messages that the call enqueues. */
    public int messages() {
        return messages;
    }

    /** Returns the result for each message; empty until the call has ended, and if it failed. */
    public List<Enqueued> results() {
        return results;
    }

    void ended(List<Enqueued> all) {
        results = all;
    }
}
