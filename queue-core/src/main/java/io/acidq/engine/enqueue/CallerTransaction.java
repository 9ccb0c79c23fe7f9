package io.acidq.engine.enqueue;

import io.acidq.QueueMisuseException;
import io.acidq.store.Transactions;

/** The transaction that a call must join, checked before anything else. */
final class CallerTransaction {

    private CallerTransaction() {}

    /**
     * Throws, and says what to do, when there is none on this thread or it may not write.
     *
     * @param what what needs it
     * @param why  what it is needed for
     */
    static void require(Transactions transactions, String what, String why) {
        if (transactions.current() == null) {
            throw new QueueMisuseException(what + " needs a transaction on this thread, so that " + why
                    + ": annotate the method with @Transactional (and call it through its bean), or wrap the"
                    + " call in a TransactionTemplate or JdbcTransactions.run");
        }
        if (transactions.isReadOnly()) {
            throw new QueueMisuseException(what
                    + " is not possible in a read-only transaction: remove readOnly = true from its @Transactional");
        }
    }
}
