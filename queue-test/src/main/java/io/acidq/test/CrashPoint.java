package io.acidq.test;

/** Where a process can be made to die, in the order in which a message passes: see {@link TestQueue#crashAt}. */
public enum CrashPoint {
    /** The claim is committed, and nothing of the message has started. */
    AFTER_CLAIM,
    /** The handler is about to be called; in transactional mode its transaction is open. */
    BEFORE_HANDLER,
    /** The handler has returned; nothing is acknowledged. Effects outside the database are done, those in it are not committed unless by the handler. */
    AFTER_HANDLER,
    /** The message is acknowledged in the transaction that is about to commit. */
    BEFORE_COMMIT,
    /** That transaction has committed; the process never learns of it. */
    AFTER_COMMIT
}
