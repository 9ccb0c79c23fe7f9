package io.acidq.admin;

/** What a message does at one moment, as its row tells. */
public enum MessageState {
    /** For its due time, or for its next attempt. */
    WAITING,
    /** It may run as soon as a worker is free and its ordering key is. */
    READY,
    /** A node has claimed it: it runs, or is about to. */
    RUNNING,
    /** It is a dead letter. */
    DEAD
}
