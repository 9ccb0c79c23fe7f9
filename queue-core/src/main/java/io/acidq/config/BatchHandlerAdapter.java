package io.acidq.config;

import io.acidq.BatchHandler;
import io.acidq.BatchHandler.Item;
import io.acidq.Delivery;
import io.acidq.Handler;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import java.util.List;

/**
 * Adapts a batch handler to {@link Handler}: a single message is passed as a list with one item.
 *
 * @param handler the batch handler
 */
public record BatchHandlerAdapter<T>(BatchHandler<T> handler) implements Handler<T> {

    @Override
    public Outcome handle(T payload, Delivery delivery) throws Exception {
        return handleAll(List.of(new Item<>(payload, delivery))).get(0);
    }

    /** Calls the batch handler and checks its result. */
    public List<Outcome> handleAll(List<Item<T>> items) throws Exception {
        List<Outcome> outcomes = handler.handleAll(items);
        if (outcomes == null
                || outcomes.size() != items.size()
                || outcomes.stream().anyMatch(o -> o == null)) {
            throw new QueueMisuseException("a batch handler must return one outcome for each of the messages, here "
                    + items.size() + ", and returned " + outcomes
                    + ": when all are done, return BatchHandler.allDone(items)");
        }
        return outcomes;
    }
}
