package io.acidq.admin;

/** The actions of operators, told apart by the privileges that the account of the database needs for them. */
public enum PrivilegedAction {
    /** Pause and resume a queue. */
    PAUSE,
    /** Replay dead letters. */
    REPLAY,
    /** Replay a dead letter with another payload. */
    EDIT,
    /** Discard dead letters. */
    DISCARD,
    /** Release a blocked ordering key. */
    RELEASE,
    /** Cancel messages. */
    CANCEL,
    /** Pause, resume and reschedule a recurring message. */
    CHANGE_RECURRING,
    /** Enqueue the message of a recurring message now. */
    TRIGGER,
    /** Remove a recurring message. */
    REMOVE_RECURRING,
    /** Remove a subscription. */
    UNSUBSCRIBE
}
