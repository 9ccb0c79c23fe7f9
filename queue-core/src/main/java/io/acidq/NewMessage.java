package io.acidq;

/**
 * One message of a bulk enqueue.
 *
 * @param payload what the handler will get; encoded by the queue's codec
 * @param options how it is enqueued
 */
public record NewMessage(Object payload, EnqueueOptions options) {

    public static NewMessage of(Object payload) {
        return new NewMessage(payload, EnqueueOptions.options());
    }
}
