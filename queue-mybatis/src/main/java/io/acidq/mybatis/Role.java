package io.acidq.mybatis;

/** A role of a MySQL or MariaDB account that uses the tables of AcidQ. An account can have several roles. {@link Schema#grants} returns the privileges of each. */
public enum Role {
    /** Enqueues messages and uses the inbox. Cannot read payloads and cannot listen. */
    ENQUEUER,
    /** Runs engines with listeners and removes old rows. Handlers can do all that an enqueuer can. */
    WORKER,
    /** Inspects queues, replays and discards dead letters, releases ordering keys, pauses and resumes queues. */
    OPERATOR,
    /** Creates the tables and migrates them to a newer version. Receives its privileges before the tables exist. */
    MIGRATOR
}
