package io.acidq.config;

import io.acidq.Delivery;
import io.acidq.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the outcome of a message after its handler threw, before the retry policy does. A {@link io.acidq.Handler} or
 * {@link io.acidq.BatchHandler} implements this interface too. The changes of the handler in the transaction are rolled back to a savepoint first, which
 * costs one more statement for each message of such a listener. An inner {@code @Transactional} method of Spring that throws marks the
 * transaction as one that cannot commit. Then the whole transaction is rolled back, and this method is called in a new one, in which the claim is checked
 * again.
 *
 * <p>Not called when the engine stopped the handler (a timeout, a stop), or for transient errors of the database, because those are not caused by the
 * message. For a batch handler it is called when the handler threw for a single message.
 *
 * @param <T> the payload's type
 */
public interface HandlerErrorHandler<T> {

    /**
     * Called in the handler's transaction, or in a new one if that one can no longer commit. In external mode no transaction is open.
     *
     * @param thrown what the handler threw, as it was thrown
     * @return the outcome of the message; with {@link Outcome#done()} the changes made here commit with the acknowledgement. Null to let the retry
     *     policy decide
     * @throws Exception to let the retry policy decide about this exception instead of the first one
     */
    @Nullable
    Outcome afterFailure(T payload, Delivery delivery, Exception thrown) throws Exception;
}
