package io.acidq.micrometer;

import io.acidq.Delivery;
import io.acidq.Outcome;
import io.micrometer.observation.transport.ReceiverContext;
import java.util.List;
import java.util.Map;

/**
 * The context of the observation {@code acidq.process}: one call of a handler. Its carrier are the headers of the message; those of several
 * messages in one call name several senders, of which none is taken for the parent.
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

    /** What the handler is called with; several only for a batch handler. */
    public List<Delivery> deliveries() {
        return deliveries;
    }

    /** What it returned for each; empty before the end, and when it threw. */
    public List<Outcome> outcomes() {
        return outcomes;
    }

    void ended(List<Outcome> all) {
        outcomes = all;
    }
}
