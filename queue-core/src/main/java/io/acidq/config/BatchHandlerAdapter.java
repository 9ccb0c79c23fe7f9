package io.acidq.config;

import io.acidq.BatchHandler;
import io.acidq.BatchHandler.Item;
import io.acidq.Delivery;
import io.acidq.Handler;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import java.util.List;

/**
 * A batch handler as a listener holds it: for one message it is called with a list of one.
 *
 * @param handler the consumer's code
 */
public record BatchHandlerAdapter<T>(BatchHandler<T> handler) implements Handler<T> {

    @Override
    public Outcome handle(T payload, Delivery delivery) throws Exception {
        return handleAll(List.of(new Item<>(payload, delivery))).get(0);
    }

    /** Calls it and checks what it returned. */
    public List<Outcome> handleAll(List<Item<T>> items) throws Exception {
        List<Outcome> outcomes = handler.handleAll(items);
        if (outcomes == null
                || outcomes.size() != items.size()
                || outcomes.stream().anyMatch(o -> o == null)) {
            throw new QueueMisuseException("a batch handler must return one outcome for each message, " + items.size()
                    + " here, and returned " + outcomes + ": when all are done, return BatchHandler.allDone(items)");
        }
        return outcomes;
    }
}
