package io.acidq.spring;

import io.acidq.Delivery;
import io.acidq.Outcome;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.Message;

/**
 * Decides the outcome of a message whose {@link QueueListener} method threw an exception. A listener refers to it by {@link
 * QueueListener#errorHandler()}; without one, or if it returns null, the retry policy decides.
 *
 * <pre>{@code
 * @Bean
 * QueueErrorHandler refund(Accounts accounts) {
 *     return (message, delivery, thrown) -> {
 *         if (thrown instanceof OutOfStockException) {
 *             accounts.refund((Order) message.getPayload());
 *             return Outcome.done();
 *         }
 *         return null;
 *     };
 * }
 * }</pre>
 *
 * <p><b>Transaction.</b> In transactional mode the error handler runs in the listener's transaction, after the method's effects have been rolled
 * back to a savepoint. If the exception left an inner {@code @Transactional} method, which marks the transaction as rollback-only, that transaction is
 * rolled back, and the error handler runs in a new one. In external mode it runs without a transaction. A JPA persistence context is not rolled back with
 * the savepoint: clear it before you write through it here.
 *
 * <p>The error handler is not called for a handler that AcidQ interrupted (a timeout, or a stop of the engine), nor for transient errors of
 * the database, which cost no attempt. For a batch listener it is called for messages that failed alone. An implementation must be
 * thread-safe.
 */
@FunctionalInterface
public interface QueueErrorHandler {

    /**
     * Handles a failure.
     *
     * @param message  the payload and the headers
     * @param delivery the message's id, attempt, keys and times
     * @param thrown   the exception that the method threw
     * @return the outcome of the message; with {@link Outcome#done()} the message is handled, and what was written here commits with the
     *     acknowledgement; null if the retry policy is to decide
     * @throws Exception if this handler fails too; the retry policy then gets this exception in place of the first one
     */
    @Nullable
    Outcome handle(Message<?> message, Delivery delivery, Exception thrown) throws Exception;
}
