package io.acidq.telemetry;

import java.time.Duration;
import java.util.Optional;

/**
 * The health of an engine at one moment. Durations are measured by the monotonic clock of this process.
 *
 * @param database      the state of its database
 * @param inStateFor    how long the database has been in this state
 * @param lastError     the last error of the database, also when it is over; empty when there was none
 * @param node      the number of its node, 0 when it is not registered
 * @param lastHeartbeat  how long ago the last successful heartbeat was; empty when there was none, as in an engine without listeners
 */
public record EngineHealth(
        DatabaseState database,
        Duration inStateFor,
        Optional<String> lastError,
        int node,
        Optional<Duration> lastHeartbeat) {

    /** Whether the engine is registered as a node and may start messages now. */
    public boolean isWorking() {
        return node != 0 && database.letsWork();
    }

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
}
