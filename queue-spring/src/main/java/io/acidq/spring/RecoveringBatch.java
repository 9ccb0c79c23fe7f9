package io.acidq.spring;

import io.acidq.BatchHandler;
import io.acidq.Delivery;
import io.acidq.Outcome;
import io.acidq.config.Recovers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A batch listener with an error handler.
 *
 * @param handler the listener
 * @param errors  asked when it has thrown for a message alone
 */
record RecoveringBatch<T>(BatchHandler<T> handler, QueueErrorHandler errors) implements BatchHandler<T>, Recovers<T> {

    @Override
    public List<Outcome> handleAll(List<Item<T>> items) throws Exception {
        return handler.handleAll(items);
    }

    @Override
    public @Nullable Outcome afterFailure(T payload, Delivery delivery, Exception thrown) throws Exception {
        return errors.handle(new Received(payload, delivery), delivery, thrown);
    }

    /** For messages to people. */
    @Override
    public String toString() {
        return handler.toString();
    }
}
