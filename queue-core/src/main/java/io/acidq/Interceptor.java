package io.acidq;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A callback around each enqueue and each call of a handler, for trace contexts, logging contexts and metrics. It is called on the thread that
 * enqueues or handles. It can add headers and cannot change anything else. Must be quick and thread-safe. Several interceptors are called in the
 * order of their registration before, and in the reverse order after.
 *
 * <p>An exception of an interceptor is caught and changes nothing; the first one of an engine is reported to telemetry as a failing task.
 * Statements of an interceptor run in the open transaction and commit or roll back with it. An interceptor must not end that transaction. Around a
 * handler in external mode no transaction is open.
 */
public interface Interceptor {

    /**
     * Called before messages are enqueued by one call, in the caller's transaction. Not called when the call has no messages or one of them is null.
     * The ticks of recurring messages that are due together make one call for each queue and each publish, in the transaction of the engine that
     * enqueues them. A payload that was given to such a recurring message is then the encoded one, an {@link io.acidq.codec.Codec.Encoded}.
     *
     * @param destination the queue; for a publish the topic
     * @param messages    the messages of the call; one for a publish, which has a result for each subscription
     * @return a callback for the end of this enqueue, or null for none
     */
    default @Nullable Enqueueing enqueueing(String destination, List<NewMessage> messages) {
        return null;
    }

    /**
     * Called before a handler is called. The {@link io.acidq.config.HandlerErrorHandler} of the listener is part of that call, or, when it needs a new
     * transaction, a second call after the failed one.
     *
     * @param deliveries the message; several when a batch handler processes them in one call
     * @return a callback for the end of this call, or null for none
     */
    default @Nullable Handling handling(List<Delivery> deliveries) {
        return null;
    }

    /** One enqueue. Exactly one of {@link #ended} and {@link #failed} is called, in the caller's transaction, which may still roll back. */
    interface Enqueueing {

        /**
         * Headers to add to each of the messages; they replace headers of the same names. Called once, before the messages are written. A
         * message that would become too large with them is enqueued without them.
         */
        default Map<String, String> headers() {
            return Map.of();
        }

        /** The messages are in the caller's transaction, or their keys are taken. */
        void ended(List<Enqueued> results);

        /** The enqueue failed and added nothing. */
        void failed(Throwable failure);

        /**
         * The caller's transaction committed. Called after {@link #ended}, on the same thread. Best effort: it is not called when the process ends at
         * that moment, or when the transaction manager does not report its commits.
         */
        default void committed() {}
    }

    /**
     * One call of a handler. Exactly one of the two methods is called when the handler has returned, on its thread and before its transaction ends: the
     * outcome may still be lost when the commit fails or the claim has been lost. In external mode it is called before the acknowledgement.
     */
    interface Handling {

        /** The handler, or its error handler, returned an outcome for each message. */
        void ended(List<Outcome> outcomes);

        /**
         * The handler threw and no error handler returned an outcome; also called when the handler was stopped at its timeout. If the handler ignores
         * the stop, the engine ends the message without waiting for it. Then this method or {@link #ended} is called when the handler returns, which may be never.
         */
        void failed(Throwable failure);
    }
}
