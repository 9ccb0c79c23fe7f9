package io.acidq;

import java.util.Collections;
import java.util.List;

/**
 * The consumer's code for several messages at once. It runs in one transaction that AcidQ begins and ends: its effects in this
 * database and the acknowledgements of all messages whose outcome is done commit together or not at all. Called by several threads
 * at once.
 *
 * <p>When it throws, or the transaction can not be committed, all of it is rolled back, and each message is handled again alone, as a
 * list of one: so that one bad message does not spoil the others.
 *
 * @param <T> the payload's type
 */
@FunctionalInterface
public interface BatchHandler<T> {

    /**
     * Processes several messages, no two of them with the same ordering key.
     *
     * @return an outcome for each, in the same order. A message whose outcome is not done takes its own way after the commit, but what
     *     was done for it in this transaction is committed with the rest: undo it, or throw
     * @throws Exception a failure: the transaction is rolled back
     */
    List<Outcome> handleAll(List<Item<T>> items) throws Exception;

    /** Done, for each of them. */
    static List<Outcome> allDone(List<?> items) {
        return Collections.nCopies(items.size(), Outcome.done());
    }

    /**
     * One message of a batch.
     *
     * @param payload  its payload
     * @param delivery all else
     */
    record Item<T>(T payload, Delivery delivery) {}
}
