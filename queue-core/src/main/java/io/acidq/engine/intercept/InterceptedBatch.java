package io.acidq.engine.intercept;

import io.acidq.BatchHandler;
import io.acidq.Delivery;
import io.acidq.Interceptor.Handling;
import io.acidq.Outcome;
import io.acidq.config.Together;
import java.util.List;

/** A batch handler between the beginning and the end of its interceptors. */
record InterceptedBatch<T>(BatchHandler<T> handler, List<Guarded> interceptors) implements BatchHandler<T> {

    @Override
    public List<Outcome> handleAll(List<Item<T>> items) throws Exception {
        List<Delivery> deliveries = items.stream().map(Item::delivery).toList();
        Scopes<Handling> scopes = Scopes.begin(interceptors, i -> i.handling(deliveries));
        List<Outcome> outcomes;
        try {
            outcomes = new Together<>(handler).handleAll(items); // checked: interceptors count on one outcome for each
        } catch (Throwable e) {
            scopes.end(s -> s.failed(e));
            throw e;
        }
        scopes.end(s -> s.ended(outcomes));
        return outcomes;
    }
}
