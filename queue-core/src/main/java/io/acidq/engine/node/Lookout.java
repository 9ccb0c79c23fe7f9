package io.acidq.engine.node;

import io.acidq.config.EngineConfig;
import io.acidq.engine.duty.Duty;
import io.acidq.engine.duty.Signals;
import io.acidq.engine.duty.Stillness;
import io.acidq.engine.duty.Stillness.Moment;
import io.acidq.store.ClaimStore;
import io.acidq.store.CommitStore;
import io.acidq.store.CommitStore.Commits;
import io.acidq.store.Lane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Looks for work in all queues of the node at once, in the name of those pollers that know of none: at each commit of the server where
 * that can be waited for, else from time to time. What it finds is a hint.
 */
public final class Lookout implements Duty {

    /** One wait in the server: short enough for whatever gets lost. */
    private static final Duration WAIT = Duration.ofSeconds(1);

    /** The same while nothing is to be found and the server is known to tell of each commit. A stop ends it by a last beat. */
    private static final Duration LONG_WAIT = Duration.ofSeconds(5);

    /** The longest pause after commits that brought nothing: others may commit all the time. */
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(20);

    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);

    private final CommitStore commits;
    private final ClaimStore claims;
    private final EngineConfig config;
    private final Signals signals;
    private final Stillness stillness;
    private List<Lane> before = List.of();
    private Set<Integer> lookedFor = Set.of();
    private Map<Integer, Long> claimedBefore = Map.of();
    private Moment looked = Moment.NEVER;
    private Duration pause = SHORTEST_PAUSE;

    /** How far the commits are that it knows of; empty when somebody has to ask. */
    private Optional<Commits> last = Optional.empty();

    private boolean woken;
    private boolean pausing;

    /** Whether the last look found nothing, in the same queues as the one before: a poller that was missing in either waits for the next one. */
    private boolean settled;

    private volatile boolean resting;

    public Lookout(CommitStore commits, ClaimStore claims, EngineConfig config, Signals signals, Stillness stillness) {
        this.commits = commits;
        this.claims = claims;
        this.config = config;
        this.signals = signals;
        this.stillness = stillness;
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
        try {
            return lookOrWait();
        } finally {
            if (last.isEmpty()) {
                stillness.forget();
            }
        }
    }

    private Duration lookOrWait() {
        resting = true; // before the question, so that whoever becomes hungry after it wakes us
        if (signals.hungry().isEmpty()) {
            pausing = false;
            last = Optional.empty();
            return config.pollMax();
        }
        resting = false;
        boolean paused = pausing;
        pausing = false;
        boolean nothingNew = paused || (before.isEmpty() && stillness.lastsSince(looked));
        if (nothingNew && last.isPresent() && lookedFor.containsAll(signals.hungry())) {
            return awaitCommit(); // a commit during the pause ends the wait at once
        }
        Optional<Commits> known = last.isPresent() ? last : ask(); // before the look: a commit after it ends the wait
        last = Optional.empty(); // after a failure it may be another server
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

    private Optional<Commits> ask() {
        long beaten = stillness.beaten();
        Optional<Commits> asked = commits.last();
        asked.ifPresent(now -> stillness.saw(now, beaten));
        return asked;
    }

    private Duration awaitCommit() {
        Commits known = last.orElseThrow();
        last = Optional.empty();
        long beaten = stillness.beaten();
        last = commits.awaitAfter(known, settled && stillness.isKnown() ? LONG_WAIT : WAIT);
        last.ifPresent(now -> stillness.saw(now, beaten));
        woken = last.isPresent() && last.get().last() > known.last();
        return Duration.ZERO;
    }

    private Duration nextPause() {
        Duration next = pause;
        Duration longer = pause.multipliedBy(2);
        pause = longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
        return next;
    }

    /** Whether other lanes hold rows than at the last look, or the same ones others, since something of their queues was claimed. */
    private boolean look() {
        looked = stillness.moment();
        Set<Integer> hungry = Set.copyOf(signals.hungry());
        settled = false;
        // before the look: what is claimed during it may be among what it finds
        Map<Integer, Long> claimed = new HashMap<>(signals.claims());
        List<Lane> found = hungry.isEmpty() ? List.of() : claims.lanesWithWork(hungry);
        Map<Integer, List<Integer>> lanes = found.stream()
                .collect(Collectors.groupingBy(Lane::queue, Collectors.mapping(Lane::lane, Collectors.toList())));
        claimed.keySet().retainAll(lanes.keySet());
        boolean more = !found.isEmpty() && !(found.equals(before) && claimed.equals(claimedBefore));
        settled = found.isEmpty() && hungry.equals(lookedFor);
        before = found;
        claimedBefore = claimed;
        lookedFor = hungry;
        lanes.forEach((queue, its) -> signals.found(queue, shuffled(its)));
        return more;
    }

    /** So that nodes do not queue up at the same lanes. */
    private static List<Integer> shuffled(List<Integer> lanes) {
        List<Integer> shuffled = new ArrayList<>(lanes);
        Collections.shuffle(shuffled);
        return shuffled;
    }
}
