package io.acidq.mybatis.session;

/** The settings of a session. */
public interface SessionMapper {

    /** The next transaction of this session, and only that one, runs at READ COMMITTED. */
    void readCommittedOnce();

    Waits waits();

    void setWaits(Waits waits);

    /**
     * How long a session waits, in seconds.
     *
     * @param row   for a row lock
     * @param table for a table that somebody alters
     * @param idle  for a next statement, before the server closes the connection
     */
    record Waits(long row, long table, long idle) {}
}
