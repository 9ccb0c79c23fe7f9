package io.acidq.admin;

/** The tables that a message can be in, in the order of a list of messages. */
public enum MessageTable {
    /** The lanes of the queue: the table that claims read. */
    LANE,
    /** Messages that wait outside their lane, because they are far behind others of their ordering key. */
    PARKED,
    /** Scheduled messages, and those that wait there for their retry. */
    SCHEDULED,
    /** Dead letters. */
    DEAD,
    /** Done messages that their queue keeps. */
    ARCHIVE
}
