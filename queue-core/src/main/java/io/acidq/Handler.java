package io.acidq;

/**
 * Processes the messages of a queue, one at a time. AcidQ begins and ends the transaction in which a handler runs: the effects of the handler in
 * this database and the acknowledgement of the message commit together, or neither does. (A listener in external mode calls its handler without a
 * transaction.) Must be thread-safe: several worker threads call it at the same time.
 *
 * <p>With a {@code transactionSize} above 1, messages share a transaction. When one of them fails, the transaction is rolled back and the messages run
 * again together, each behind a savepoint, so that the failed one loses only its own effects. When that transaction is lost too, each message runs again
 * in a transaction of its own. So the handler may be called several times in one attempt, and only the effects of its last call commit.
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
     * @return {@link Outcome#done()} to commit; every other outcome rolls the effects back. Null counts as a failure, as if the handler had thrown
     *     {@link QueueMisuseException}
     * @throws Exception to roll the effects back and let the retry policy of the listener decide. An {@link Error} counts as a failure too, and does not
     *     end the worker. A transient error of the database counts as no attempt: the message is requeued
     */
    Outcome handle(T payload, Delivery delivery) throws Exception;
}
