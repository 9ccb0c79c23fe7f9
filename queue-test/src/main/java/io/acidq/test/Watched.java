package io.acidq.test;

import io.acidq.Delivery;
import io.acidq.Handler;
import io.acidq.Outcome;
import io.acidq.config.Listener;
import io.acidq.config.Together;
import java.util.concurrent.Callable;

/** Handlers whose calls are points of a life, and whose exceptions are written down. */
final class Watched {

    private final Life life;

    Watched(Life life) {
        this.life = life;
    }

    <T> Listener<T> listener(Listener<T> listener) {
        return new Listener<>(
                listener.queue(),
                listener.payloadType(),
                handler(listener.handler()),
                listener.workers(),
                listener.retry(),
                listener.guards(),
                listener.options());
    }

    private <T> Handler<T> handler(Handler<T> handler) {
        if (handler instanceof Together<T> together) {
            return new Together<>(items ->
                    call(items.get(0).delivery(), () -> together.handler().handleAll(items)));
        }
        return (payload, delivery) -> this.<Outcome>call(delivery, () -> handler.handle(payload, delivery));
    }

    private <R> R call(Delivery delivery, Callable<R> handler) throws Exception {
        life.reach(Point.BEFORE_HANDLER);
        R result;
        try {
            result = handler.call();
        } catch (Throwable e) {
            life.threw(delivery.id(), e);
            throw e;
        }
        life.reach(Point.AFTER_HANDLER);
        return result;
    }
}
