package io.acidq.admin;

/** The state of a message in the database. */
public enum MessageState {
    /** The message waits for its due time or for its next attempt. */
    WAITING,
    /** The message is due. It runs as soon as a worker and its ordering key are free. */
    READY,
    /** A node has claimed the message: it runs or starts soon. */
    RUNNING,
    /** The message is a dead letter. */
    DEAD
}
