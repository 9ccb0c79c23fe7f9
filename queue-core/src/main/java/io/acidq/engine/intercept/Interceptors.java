package io.acidq.engine.intercept;

import io.acidq.Delivery;
import io.acidq.Handler;
import io.acidq.Interceptor;
import io.acidq.MessageQueue;
import io.acidq.Outcome;
import io.acidq.config.Listener;
import io.acidq.config.Together;
import io.acidq.store.Transactions;
import io.acidq.telemetry.Telemetry;
import java.util.List;

/** The interceptors of an engine. Without any, queue and handlers are what they were, at no cost. */
public final class Interceptors {

    private final List<Guarded> all;

    public Interceptors(List<Interceptor> all, Telemetry telemetry) {
        this.all = all.stream().map(one -> new Guarded(one, telemetry)).toList();
    }

    public MessageQueue around(MessageQueue queue, Transactions transactions) {
        return all.isEmpty() ? queue : new InterceptedQueue(queue, transactions, all);
    }

    public <T> Listener<T> around(Listener<T> listener) {
        return all.isEmpty() ? listener : listener.withHandler(around(listener.handler()));
    }

    /** The handler that a listener was given, without what stands around it. */
    public static Object within(Object handler) {
        if (handler instanceof InterceptedHandler<?> intercepted) {
            return intercepted.handler();
        }
        return handler instanceof InterceptedBatch<?> intercepted ? intercepted.handler() : handler;
    }

    /** Calls a listener's handler for one message, and the recovery before its interceptors hear of the end. */
    public static <T> Outcome call(Handler<T> handler, T payload, Delivery delivery, Recovery recovery)
            throws Exception {
        if (handler instanceof InterceptedHandler<T> intercepted) {
            return intercepted.handle(payload, delivery, recovery);
        }
        return handler instanceof Together<T> together && together.handler() instanceof InterceptedBatch<T> batch
                ? batch.handle(payload, delivery, recovery)
                : recovery.over(() -> handler.handle(payload, delivery));
    }

    private <T> Handler<T> around(Handler<T> handler) {
        return handler instanceof Together<T> together
                ? new Together<>(new InterceptedBatch<>(together.handler(), all))
                : new InterceptedHandler<>(handler, all);
    }
}
