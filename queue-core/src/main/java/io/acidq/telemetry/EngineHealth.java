package io.acidq.telemetry;

import java.time.Duration;
import java.util.Optional;

/**
 * An engine at one moment. Times are counted back from it by the monotonic clock of this process.
 *
 * @param database  how it finds its database
 * @param inStateFor   for how long it has found it so
 * @param lastError the last error that kept the engine from the database, also when that is over; empty when there was none
 * @param node      the number of the node that it is, 0 when it is none
 * @param lastHeartbeat  how long ago its last successful beat was; empty when there was none, as in an engine without listeners
 */
public record EngineHealth(
        DatabaseState database,
        Duration inStateFor,
        Optional<String> lastError,
        int node,
        Optional<Duration> lastHeartbeat) {

    /** Whether it is a node and may start work now. */
    public boolean isWorking() {
        return node != 0 && database.letsWork();
    }
}
