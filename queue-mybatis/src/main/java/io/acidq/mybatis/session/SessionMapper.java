package io.acidq.mybatis.session;

import org.apache.ibatis.annotations.Param;

/** The settings of a session. */
public interface SessionMapper {

    /** The next transaction of this session, and only that one, runs at READ COMMITTED. */
    void readCommittedOnce();

    Waits waits();

    void setWaits(@Param("lockWait") long lockWait, @Param("idle") long idle);

    /**
     * How long a session waits, in seconds.
     *
     * @param lockWait for a row lock
     * @param idle     for a next statement, before the server closes the connection
     */
    record Waits(long lockWait, long idle) {}
}
