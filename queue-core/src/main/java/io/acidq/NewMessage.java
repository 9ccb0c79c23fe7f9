package io.acidq;

/**
 * One message of a bulk enqueue.
 *
 * @param payload what the handler gets; encoded by the codec of the engine
 * @param options keys, due time and headers
 */
public record NewMessage(Object payload, EnqueueOptions options) {

    /** A message that is due at once, without keys and headers. */
    public static NewMessage of(Object payload) {
        return new NewMessage(payload, EnqueueOptions.options());
    }
}
