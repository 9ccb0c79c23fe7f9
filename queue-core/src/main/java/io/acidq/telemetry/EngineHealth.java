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
}
