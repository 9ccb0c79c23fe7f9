package io.acidq;

/**
 * The consumer's code. It runs in a transaction that AcidQ begins and ends: its effects in this database and the
 * acknowledgement commit together or not at all. Only a listener in external mode runs without one. Called by several threads at once.
 *
 * @param <T> the payload's type
 */
@FunctionalInterface
public interface Handler<T> {

    /**
     * Processes one message.
     *
     * @return {@link Outcome#done()}, or another outcome; every other one rolls the transaction back
     * @throws Exception a failure: the transaction is rolled back and the listener's retry policy decides
     */
    Outcome handle(T payload, Delivery delivery) throws Exception;
}
