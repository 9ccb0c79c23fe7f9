package io.acidq.telemetry;

/** How an engine finds its database. The heartbeat decides, on a connection of its own. */
public enum DatabaseState {
    /** The engine has not been started, or has been stopped. */
    UNKNOWN,
    /** Beats succeed, and so does the rest. */
    UP,
    /** Beats succeed, but something else has found no connection, or could not write, for longer than a beat: work goes on as it can. */
    IMPAIRED,
    /** The database is there and takes no writes: read-only, say. The engine starts nothing. */
    READ_ONLY,
    /** The database does not answer, or not as it must. The engine starts nothing. */
    DOWN;

    /** Whether an engine may start work now. */
    public boolean letsWork() {
        return this == UP || this == IMPAIRED;
    }

    /** Whether it is a failure that the database is to blame for as a whole. */
    public boolean isOutage() {
        return this == READ_ONLY || this == DOWN;
    }
}
