package io.acidq.test;

/** A point at which a test can let the process crash, in the order of a message's processing. See {@link TestQueue#crashAt}. */
public enum CrashPoint {
    /** After the commit of the claim, before anything else. */
    AFTER_CLAIM,
    /** Before the call of the handler. In transactional mode its transaction is open. */
    BEFORE_HANDLER,
    /** After the handler returned, before the acknowledgement. Effects outside the database exist; effects in it are not committed, unless the handler committed them. */
    AFTER_HANDLER,
    /** After the acknowledgement, before the commit of its transaction. */
    BEFORE_COMMIT,
    /** After that commit, before the process knows its result. */
    AFTER_COMMIT
}
