package io.acidq.spring;

import io.acidq.MessageQueue;
import io.acidq.QueueMisuseException;
import io.acidq.store.Transactions;

/**
 * Where messages are published to.
 *
 * @param queue        enqueues them
 * @param transactions of the queue's database
 */
record PublishTarget(MessageQueue queue, Transactions transactions) {

    /**
     * Refuses where nothing can be published, before anything else has been done.
     *
     * @param otherwise what has not been done, for the message
     */
    void requireTransaction(PublishRule rule, String otherwise) {
        if (transactions.current() == null) {
            throw new QueueMisuseException(
                    rule + " needs a transaction of the queue's database, so that the message commits with your"
                            + " data: add @Transactional (of the transaction manager of that database). " + otherwise);
        }
        if (transactions.isReadOnly()) {
            throw new QueueMisuseException(
                    rule + " is not possible in a read-only transaction: remove readOnly = true from the"
                            + " @Transactional around it. " + otherwise);
        }
    }
}
