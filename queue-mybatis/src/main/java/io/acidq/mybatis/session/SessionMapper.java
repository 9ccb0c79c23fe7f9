package io.acidq.mybatis.session;

import org.apache.ibatis.annotations.Param;

/** Statements that read and change the settings of a session. */
public interface SessionMapper {

    /** Sets READ COMMITTED for the next transaction only. */
    void readCommittedOnce();

    /** Returns the isolation level of the session as the server writes it. */
    String isolation();

    /** Sets the isolation level of later transactions of the session. */
    void setIsolation(@Param("level") String level);

    WaitTimeouts waitTimeouts();

    void setWaitTimeouts(WaitTimeouts waits);

    /**
     * The longest waits of a session in seconds.
     *
     * @param row   for a row lock
     * @param table for a table lock while the table is altered
     * @param idle  for the next statement, after which the server closes the connection
     */
    record WaitTimeouts(long row, long table, long idle) {}
}
