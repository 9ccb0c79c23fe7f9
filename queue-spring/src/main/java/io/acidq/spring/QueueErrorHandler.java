package io.acidq.spring;

import io.acidq.Delivery;
import io.acidq.Outcome;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.Message;

/**
 * Decides what becomes of a message after a {@link QueueListener} that names it has thrown; else the retry policy does. Called in the
 * transaction of the listener, in which what the method had done is taken back first; in external mode without one. Not called for what
 * AcidQ has stopped (a timeout, a stop of the engine) nor for passing errors of the database, which cost no attempt. Of a batch it gets
 * messages that have failed alone. Several threads call it at once.
 *
 * <p>The savepoint behind which the method runs knows nothing of a JPA persistence context: clear it before you write through it here.
 */
@FunctionalInterface
public interface QueueErrorHandler {

    /**
     * Decides.
     *
     * @param message  the payload and the headers
     * @param delivery all else
     * @param thrown   what the method threw, as it was thrown
     * @return what the message ended in: with {@link Outcome#done()} it counts as handled, and what was written here commits with the
     *     acknowledgement; null leaves it to the retry policy
     * @throws Exception goes to the retry policy in place of the first one
     */
    @Nullable
    Outcome handle(Message<?> message, Delivery delivery, Exception thrown) throws Exception;
}
