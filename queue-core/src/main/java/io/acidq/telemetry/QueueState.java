package io.acidq.telemetry;

import io.acidq.MessageId;
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
 * @param unstarted     how many are claimed by this engine and have not started
 * @param paused        whether it is paused, as far as this engine knows
 * @param suspect       the message with crashes that this engine runs alone; an engine has at most one
 * @param guards        its guards: breaker, rate limit, bulkhead
 * @param claimStrategy how this engine claims messages: the setting, or the strategy that the server supports
 */
public record QueueState(
        String queue,
        int workers,
        int running,
        int unstarted,
        boolean paused,
        Optional<Suspect> suspect,
        List<GuardState> guards,
        ClaimStrategy claimStrategy) {

    public QueueState {
        guards = List.copyOf(guards);
    }

    /** The guard that stops this engine from claiming messages of the queue. */
    public Optional<GuardState> stoppedBy() {
        return guards.stream().filter(GuardState::stopsClaiming).findFirst();
    }

    /**
     * A message whose earlier runs ended with a crash. No other message of its queue runs at the same time in this engine.
     *
     * @param id      the message
     * @param crashes  the number of crashes
     * @param started whether it runs; otherwise it waits until no other message of its queue runs
     */
    public record Suspect(MessageId id, int crashes, boolean started) {}
}
