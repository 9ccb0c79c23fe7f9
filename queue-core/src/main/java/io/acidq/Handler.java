package io.acidq;

/**
 * Processes the messages of a queue, one at a time. AcidQ begins and ends the transaction in which a handler runs: the effects of the handler in
 * this database and the acknowledgement of the message commit together, or neither does. (A listener in external mode calls its handler without a
 * transaction.) Must be thread-safe: several worker threads call it at the same time.
 *
 * <pre>{@code
 * Handler<OrderPlaced> handler = (order, delivery) -> {
 *     invoices.insert(order);
 *     return Outcome.done();
 * };
 * Engine engine = Engine.builder(store).listen(Listener.on("orders", OrderPlaced.class, handler)).build();
 * }</pre>
 *
 * @param <T> the type of the payload
 * @see BatchHandler
 */
@FunctionalInterface
public interface Handler<T> {

    /**
     * Processes one message.
     *
     * @param payload  the decoded payload
     * @param delivery the message's id, keys, headers and attempt
     * @return {@link Outcome#done()} to commit; every other outcome rolls the transaction back
     * @throws Exception to roll the transaction back and let the retry policy of the listener decide
     */
    Outcome handle(T payload, Delivery delivery) throws Exception;
}
