package io.acidq.micrometer;

import io.acidq.Delivery;
import io.acidq.Outcome;
import io.micrometer.observation.transport.ReceiverContext;
import java.util.List;
import java.util.Map;

/**
 * The context of the observation {@code acidq.process}: one call of a handler. Its carrier is the headers of the message. A call with several
 * messages has several senders, so its carrier is empty and the observation has no parent.
 */
public final class ProcessContext extends ReceiverContext<Map<String, String>> {

    private final List<Delivery> deliveries;
    private List<Outcome> outcomes = List.of();

    ProcessContext(List<Delivery> deliveries) {
        super(Map::get);
        this.deliveries = deliveries;
        setCarrier(deliveries.size() == 1 ? deliveries.get(0).headers() : Map.of());
    }

    public String queue() {
        return deliveries.get(0).id().queue();
    }

    /** Returns the messages of the call; more than one only for a batch handler. */
    public List<Delivery> deliveries() {
        return deliveries;
    }

    /** Returns the outcome of each message; empty until the call has ended, and if it threw. */
    public List<Outcome> outcomes() {
        return outcomes;
    }

    void ended(List<Outcome> all) {
        outcomes = all;
    }
}
