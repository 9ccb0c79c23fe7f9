package io.acidq.config;

import io.acidq.Delivery;
import io.acidq.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * A {@link io.acidq.Handler} or {@link io.acidq.BatchHandler} that implements it too is asked what becomes of a message after it has
 * thrown, before the retry policy is. What it had done in the transaction by then is taken back to a savepoint first, which costs such a
 * listener a statement a message. Not asked about what the engine has stopped (a timeout, a stop) nor about passing errors of the database: those
 * are no fault of the message. A batch handler is asked when it has thrown for a message alone.
 *
 * @param <T> the payload's type
 */
public interface HandlerErrorHandler<T> {

    /**
     * Called in the transaction of the handler, if there is one.
     *
     * @param thrown what the handler threw, as it was thrown
     * @return what the message ended in: after {@link Outcome#done()} what was done here commits with the acknowledgement; null to leave it to
     *     the retry policy
     * @throws Exception goes to the retry policy in place of the first one
     */
    @Nullable
    Outcome afterFailure(T payload, Delivery delivery, Exception thrown) throws Exception;
}
