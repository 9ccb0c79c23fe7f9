package io.acidq.mybatis.session;

import org.apache.ibatis.annotations.Param;

/** The settings of a session. */
public interface SessionMapper {

    /** The next transaction of this session, and only that one, runs at READ COMMITTED. */
    void readCommittedOnce();

    /** The level of the session's transactions, in the server's words. */
    String isolation();

    /** From the next transaction of the session on. */
    void setIsolation(@Param("level") String level);

    WaitTimeouts waitTimeouts();

    void setWaitTimeouts(WaitTimeouts waits);

    /**
     * How long a session waits, in seconds.
     *
     * @param row   for a row lock
     * @param table for a table that somebody alters
     * @param idle  for a next statement, before the server closes the connection
     */
    record WaitTimeouts(long row, long table, long idle) {}
}
