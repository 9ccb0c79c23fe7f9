package io.acidq.engine;

import io.acidq.resilience.GuardState;
import java.util.List;
import java.util.Optional;

/**
 * A queue in this engine at one moment.
 *
 * @param queue   its name
 * @param workers how many messages may run at once here
 * @param running how many run here
 * @param waiting how many are claimed by this engine and have not started
 * @param guards  its guards: breaker, rate limit, bulkhead
 */
public record QueueState(String queue, int workers, int running, int waiting, List<GuardState> guards) {

    public QueueState {
        guards = List.copyOf(guards);
    }

    /** The guard because of which this engine claims nothing of the queue now. */
    public Optional<GuardState> stoppedBy() {
        return guards.stream().filter(GuardState::stopsClaiming).findFirst();
    }
}
