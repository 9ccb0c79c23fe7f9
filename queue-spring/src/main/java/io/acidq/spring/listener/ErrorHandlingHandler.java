package io.acidq.spring.listener;

import io.acidq.Delivery;
import io.acidq.Outcome;
import io.acidq.config.HandlerErrorHandler;
import io.acidq.spring.QueueErrorHandler;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A listener with an error handler.
 *
 * @param handler the listener
 * @param errors  asked when the listener has thrown, of a batch when it has thrown for a message alone
 */
record ErrorHandlingHandler<T>(ListenerHandler<T> handler, QueueErrorHandler errors)
        implements ListenerHandler<T>, HandlerErrorHandler<T> {

    @Override
    public Outcome handle(T payload, Delivery delivery) throws Exception {
        return handler.handle(payload, delivery);
    }

    @Override
    public List<Outcome> handleAll(List<Item<T>> items) throws Exception {
        return handler.handleAll(items);
    }

    @Override
    public @Nullable Outcome afterFailure(T payload, Delivery delivery, Exception thrown) throws Exception {
        return errors.handle(new ReceivedMessage(payload, delivery), delivery, thrown);
    }

    /** For error messages. */
    @Override
    public String toString() {
        return handler.toString();
    }
}
