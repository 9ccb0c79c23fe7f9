package io.acidq.engine.intercept;

import io.acidq.BatchHandler;
import io.acidq.Delivery;
import io.acidq.Interceptor.Handling;
import io.acidq.Outcome;
import io.acidq.config.Together;
import java.util.List;
import java.util.concurrent.Callable;

/** A batch handler between the beginning and the end of its interceptors. */
record InterceptedBatch<T>(BatchHandler<T> handler, List<Guarded> interceptors) implements BatchHandler<T> {

    @Override
    public List<Outcome> handleAll(List<Item<T>> items) throws Exception {
        // checked: interceptors count on one outcome for each
        return within(items, () -> new Together<>(handler).handleAll(items));
    }

    /** For one message alone. */
    Outcome handle(T payload, Delivery delivery, Recovery recovery) throws Exception {
        Together<T> one = new Together<>(handler);
        return within(
                        List.of(new Item<>(payload, delivery)),
                        () -> List.of(recovery.over(() -> one.handle(payload, delivery))))
                .get(0);
    }

    private List<Outcome> within(List<Item<T>> items, Callable<List<Outcome>> call) throws Exception {
        List<Delivery> deliveries = items.stream().map(Item::delivery).toList();
        Scopes<Handling> scopes = Scopes.begin(interceptors, i -> i.handling(deliveries));
        List<Outcome> outcomes;
        try {
            outcomes = call.call();
        } catch (Throwable e) {
            scopes.end(s -> s.failed(e));
            throw e;
        }
        scopes.end(s -> s.ended(outcomes));
        return outcomes;
    }
}
