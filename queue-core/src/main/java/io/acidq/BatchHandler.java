package io.acidq;

import java.util.Collections;
import java.util.List;

/**
 * Processes several messages of a queue in one transaction. AcidQ begins and ends the transaction: the effects of the handler in this
 * database and the acknowledgements of all messages with the outcome done commit together, or none of them does. Must be thread-safe: several
 * worker threads call it at the same time.
 *
 * <pre>{@code
 * BatchHandler<OrderPlaced> handler = items -> {
 *     invoices.insertAll(items.stream().map(Item::payload).toList());
 *     return BatchHandler.allDone(items);
 * };
 * Engine engine = Engine.builder(store).listen(Listener.onBatch("orders", OrderPlaced.class, 100, handler)).build();
 * }</pre>
 *
 * <p>When the handler throws, or when the transaction cannot be committed, the whole transaction is rolled back. Each message is then handled
 * again in a transaction of its own, as a list with one item, so that one bad message does not fail the others.
 *
 * @param <T> the type of the payload
 * @see Handler
 */
@FunctionalInterface
public interface BatchHandler<T> {

    /**
     * Processes the messages.
     *
     * @param items the messages; no two of them have the same ordering key
     * @return one outcome for each message, in the same order. A message whose outcome is not done is retried, snoozed, cancelled or
     *     dead-lettered after the commit, but the effects of the handler for it commit with the rest of the batch: undo them, or throw
     * @throws Exception to roll back the transaction and handle each message alone
     */
    List<Outcome> handleAll(List<Item<T>> items) throws Exception;

    /** Returns {@link Outcome#done()} once for each item. */
    static List<Outcome> allDone(List<?> items) {
        return Collections.nCopies(items.size(), Outcome.done());
    }

    /**
     * One message of a batch.
     *
     * @param payload  the decoded payload
     * @param delivery the message's id, keys, headers and attempt
     */
    record Item<T>(T payload, Delivery delivery) {}
}
