package io.acidq;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Stands around each enqueue and around each call of a handler, on the thread that does it: for trace contexts, logging contexts and counts. It can
 * add headers, and change nothing else. Must be quick and thread-safe. Several are begun in the order of their registration and ended in the
 * reverse of it.
 *
 * <p>What it throws is caught and changes nothing; the first time in the life of an engine it is told to telemetry as a failing task. What it does to
 * the database in the transaction that is open commits or rolls back with that; it must not end it.
 */
public interface Interceptor {

    /**
     * Messages are about to be enqueued, by one call, in the caller's transaction. Not told of a call without messages, or with a null among them.
     *
     * @return what hears of the end, or null when nobody needs to
     */
    default @Nullable Enqueueing enqueueing(String queue, List<NewMessage> messages) {
        return null;
    }

    /**
     * A handler is about to be called. An error handler of its listener ({@link io.acidq.config.HandlerErrorHandler}) belongs to the call.
     *
     * @param deliveries the message; several where a batch handler takes them in one call
     * @return what hears of the end, or null when nobody needs to
     */
    default @Nullable Handling handling(List<Delivery> deliveries) {
        return null;
    }

    /** One enqueue. Exactly one of {@link #ended} and {@link #failed} is called, in the caller's transaction, which may yet roll back. */
    interface Enqueueing {

        /**
         * Headers to add to each of the messages, in place of any with their names. Asked once, before the messages are written. Where a
         * message would become too large by them it goes without.
         */
        default Map<String, String> headers() {
            return Map.of();
        }

        /** The messages are in the caller's transaction, or their keys were taken. */
        void ended(List<Enqueued> results);

        /** Nothing was enqueued. */
        void failed(Throwable failure);

        /**
         * After {@link #ended}, when the caller's transaction has committed; on its thread. A hint: not called when the process ends at that moment,
         * nor where the transaction manager does not tell.
         */
        default void committed() {}
    }

    /**
     * One call of a handler. Exactly one of the two is called when the handler has come back, before its transaction ends: what the handler asks for
     * may not come true when the commit fails, or the claim has been lost.
     */
    interface Handling {

        /** The handler returned, or its error handler did, with an outcome for each message. */
        void ended(List<Outcome> outcomes);

        /** The handler threw, and nobody decided otherwise; also when it was stopped at its time limit. */
        void failed(Throwable failure);
    }
}
