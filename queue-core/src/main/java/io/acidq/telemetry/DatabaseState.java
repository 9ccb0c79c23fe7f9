package io.acidq.telemetry;

/** The state of the database as an engine sees it. The heartbeat decides, on a separate connection. */
public enum DatabaseState {
    /** The engine has not been started, or has been stopped. */
    UNKNOWN,
    /** Heartbeats and other statements succeed. */
    UP,
    /** Heartbeats succeed, but another task has found no connection, or could not write, for longer than a heartbeat interval. Work continues as far as possible. */
    IMPAIRED,
    /** The database answers and accepts no writes. The engine starts no messages. */
    READ_ONLY,
    /** The database does not answer, or answers with errors. The engine starts no messages. */
    DOWN;

    /** Whether an engine may start work now. */
    public boolean letsWork() {
        return this == UP || this == IMPAIRED;
    }

    /** Whether the database as a whole has failed. */
    public boolean isOutage() {
        return this == READ_ONLY || this == DOWN;
    }
}
