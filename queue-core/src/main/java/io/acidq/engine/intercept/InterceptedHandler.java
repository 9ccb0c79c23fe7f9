package io.acidq.engine.intercept;

import io.acidq.Delivery;
import io.acidq.Handler;
import io.acidq.Interceptor.Handling;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import java.util.List;

/** A handler between the beginning and the end of its interceptors. */
record InterceptedHandler<T>(Handler<T> handler, List<Guarded> interceptors) implements Handler<T> {

    @Override
    public Outcome handle(T payload, Delivery delivery) throws Exception {
        return handle(payload, delivery, Recovery.NONE);
    }

    Outcome handle(T payload, Delivery delivery, Recovery recovery) throws Exception {
        List<Delivery> deliveries = List.of(delivery);
        Scopes<Handling> scopes = Scopes.begin(interceptors, i -> i.handling(deliveries));
        Outcome outcome;
        try {
            outcome = recovery.over(() -> handler.handle(payload, delivery));
        } catch (Throwable e) {
            scopes.end(s -> s.failed(e));
            throw e;
        }
        if (outcome == null) { // refused by whoever called
            scopes.end(s -> s.failed(new QueueMisuseException("the handler returned null")));
        } else {
            List<Outcome> outcomes = List.of(outcome);
            scopes.end(s -> s.ended(outcomes));
        }
        return outcome;
    }
}
