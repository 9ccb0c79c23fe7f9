package io.acidq.spring;

import io.acidq.Delivery;
import io.acidq.Handler;
import io.acidq.Outcome;
import io.acidq.config.Recovers;
import org.jspecify.annotations.Nullable;

/**
 * A listener with an error handler.
 *
 * @param handler the listener
 * @param errors  asked when it has thrown
 */
record Recovering<T>(Handler<T> handler, QueueErrorHandler errors) implements Handler<T>, Recovers<T> {

    @Override
    public Outcome handle(T payload, Delivery delivery) throws Exception {
        return handler.handle(payload, delivery);
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
