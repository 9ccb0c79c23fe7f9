package io.acidq.engine.node;

import io.acidq.config.EngineConfig;
import io.acidq.engine.duty.Duty;
import io.acidq.engine.duty.Signals;
import io.acidq.store.ClaimStore;
import io.acidq.store.CommitStore;
import io.acidq.store.Lane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * Looks for work in all queues of the node at once, in the name of those pollers that know of none: at each commit of the server where
 * that can be waited for, else from time to time. What it finds is a hint.
 */
public final class Lookout implements Duty {

    /** One wait in the server: short enough for a stop, long enough to cost nothing. */
    private static final Duration WAIT = Duration.ofSeconds(1);

    /** The longest pause after commits that brought nothing: others may commit all the time. */
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(20);

    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);

    private final CommitStore commits;
    private final ClaimStore claims;
    private final EngineConfig config;
    private final Signals signals;
    private List<Lane> before = List.of();
    private List<Integer> lookedFor = List.of();
    private Duration pause = SHORTEST_PAUSE;

    /** The last commit that is known of; empty when somebody has to ask. */
    private OptionalLong last = OptionalLong.empty();

    private boolean woken;
    private boolean pausing;
    private volatile boolean resting;

    public Lookout(CommitStore commits, ClaimStore claims, EngineConfig config, Signals signals) {
        this.commits = commits;
        this.claims = claims;
        this.config = config;
        this.signals = signals;
    }

    @Override
    public String name() {
        return "lookout";
    }

    /** Whether it waits for a poller to be hungry. While all are busy a wait in the server would be woken by their own commits. */
    public boolean isResting() {
        return resting;
    }

    @Override
    public Duration runOnce() {
        resting = true; // before the question, so that whoever becomes hungry after it wakes us
        if (signals.hungry().isEmpty()) {
            pausing = false;
            last = OptionalLong.empty();
            return config.pollMax();
        }
        resting = false;
        boolean paused = pausing;
        pausing = false;
        if (paused && lookedFor.containsAll(signals.hungry())) { // a commit during the pause ends the wait at once
            return awaitCommit();
        }
        OptionalLong known =
                last.isPresent() ? last : commits.last(); // before the look: a commit after it ends the wait
        last = OptionalLong.empty(); // after a failure it may be another server
        boolean foundMore = look();
        if (known.isEmpty()) {
            return config.pollMax();
        }
        last = known;
        pausing = woken && !foundMore;
        if (pausing) {
            return nextPause();
        }
        pause = SHORTEST_PAUSE;
        return awaitCommit();
    }

    private Duration awaitCommit() {
        long known = last.orElseThrow();
        last = OptionalLong.empty();
        last = commits.awaitAfter(known, WAIT);
        woken = last.isPresent() && last.getAsLong() > known;
        return Duration.ZERO;
    }

    private Duration nextPause() {
        Duration next = pause;
        Duration longer = pause.multipliedBy(2);
        pause = longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
        return next;
    }

    /** Whether other lanes hold rows than at the last look. */
    private boolean look() {
        List<Integer> hungry = signals.hungry();
        lookedFor = hungry;
        List<Lane> found = hungry.isEmpty() ? List.of() : claims.lanesWithWork(hungry);
        boolean more = !found.isEmpty() && !found.equals(before);
        before = found;
        found.stream()
                .collect(Collectors.groupingBy(Lane::queue, Collectors.mapping(Lane::lane, Collectors.toList())))
                .forEach((queue, lanes) -> signals.found(queue, shuffled(lanes)));
        return more;
    }

    /** So that nodes do not queue up at the same lanes. */
    private static List<Integer> shuffled(List<Integer> lanes) {
        List<Integer> shuffled = new ArrayList<>(lanes);
        Collections.shuffle(shuffled);
        return shuffled;
    }
}
