package io.acidq.mybatis;

/** What an account of MySQL or MariaDB does with the tables of AcidQ; it may have several roles. {@link Schema#grants} says what each needs. */
public enum Role {
    /** Enqueues messages and uses the inbox, and may not read a payload. Does not listen. */
    ENQUEUER,
    /** Runs engines with listeners, whose handlers may do what an enqueuer does, and removes what is old. */
    WORKER,
    /** Looks at queues, replays and discards dead letters, releases ordering keys, pauses and resumes. */
    OPERATOR,
    /** Creates the tables and changes them to a newer version. Has its privileges before the tables are there. */
    MIGRATOR
}
