package io.acidq.telemetry;

import io.acidq.resilience.GuardState;
import io.acidq.store.ClaimStrategy;
import java.util.List;
import java.util.Optional;

/**
 * A queue in this engine at one moment.
 *
 * @param queue         its name
 * @param workers       how many workers it has here now
 * @param running       how many run here
 * @param waiting       how many are claimed by this engine and have not started
 * @param paused        whether it is paused, as far as this engine knows
 * @param suspect       the message on probation here, if there is one; an engine has at most one
 * @param guards        its guards: breaker, rate limit, bulkhead
 * @param claimStrategy how this engine claims its messages: as set, or what the server was found able to do
 */
public record QueueState(
        String queue,
        int workers,
        int running,
        int waiting,
        boolean paused,
        Optional<Suspect> suspect,
        List<GuardState> guards,
        ClaimStrategy claimStrategy) {

    public QueueState {
        guards = List.copyOf(guards);
    }

    /** The guard because of which this engine claims nothing of the queue now. */
    public Optional<GuardState> stoppedBy() {
        return guards.stream().filter(GuardState::stopsClaiming).findFirst();
    }
}
