package io.acidq.engine.loop;

import io.acidq.config.EngineConfig;
import io.acidq.engine.loop.CommitTracker.Moment;
import io.acidq.store.ClaimStore;
import io.acidq.store.Lane;
import io.acidq.store.ServerStore;
import io.acidq.store.ServerStore.Commits;
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
 * The search for work in all queues of the node whose pollers are idle: one search for all of them, at each commit of the server where the
 * server lets a client wait for that, else from time to time. The lanes that it finds are a hint.
 */
public final class WorkFinder implements PeriodicTask {

    /** One wait in the server: short, for the case that something gets lost. */
    private static final Duration WAIT = Duration.ofSeconds(1);

    /** The same while nothing is to be found and the server is known to report each commit. A stop ends it by a last heartbeat. */
    private static final Duration LONG_WAIT = Duration.ofSeconds(5);

    /** The longest pause after commits that brought nothing: others may commit all the time. */
    private static final Duration MAX_PAUSE = Duration.ofMillis(20);

    private static final Duration MIN_PAUSE = Duration.ofMillis(1);

    private final ServerStore server;
    private final ClaimStore claims;
    private final EngineConfig config;
    private final WakeUps wakeUps;
    private final CommitTracker commitTracker;
    private List<Lane> foundBefore = List.of();
    private Set<Integer> searchedFor = Set.of();
    private Map<Integer, Long> claimedBefore = Map.of();
    private Moment lastSearch = Moment.NEVER;
    private Duration pause = MIN_PAUSE;

    /** How far the commits are that this task knows of; empty when it has to ask the server. */
    private Optional<Commits> lastCommits = Optional.empty();

    private boolean wokenByCommit;
    private boolean pausing;

    /** Whether the last search found nothing, in the same queues as the one before: a poller that was missing in either waits for the next one. */
    private boolean settled;

    private volatile boolean inactive;

    public WorkFinder(
            ServerStore server, ClaimStore claims, EngineConfig config, WakeUps wakeUps, CommitTracker commitTracker) {
        this.server = server;
        this.claims = claims;
        this.config = config;
        this.wakeUps = wakeUps;
        this.commitTracker = commitTracker;
    }

    @Override
    public String name() {
        return "work-finder";
    }

    /** Whether it waits for a poller to become idle. While all are busy, their own commits would end a wait in the server. */
    public boolean isInactive() {
        return inactive;
    }

    @Override
    public Duration runOnce() {
        try {
            return searchOrWait();
        } finally {
            if (lastCommits.isEmpty()) {
                commitTracker.forget();
            }
        }
    }

    private Duration searchOrWait() {
        inactive = true; // before the question, so that a poller that becomes idle after it wakes this task
        if (wakeUps.idleQueues().isEmpty()) {
            pausing = false;
            lastCommits = Optional.empty();
            return config.pollMaxInterval();
        }
        inactive = false;
        boolean paused = pausing;
        pausing = false;
        boolean nothingNew = paused || (foundBefore.isEmpty() && commitTracker.isUnchangedSince(lastSearch));
        if (nothingNew && lastCommits.isPresent() && searchedFor.containsAll(wakeUps.idleQueues())) {
            return awaitCommit(); // a commit during the pause ends the wait at once
        }
        Optional<Commits> known = lastCommits.isPresent()
                ? lastCommits
                : readCommits(); // before the search: a commit after it ends the wait
        lastCommits = Optional.empty(); // after a failure it may be another server
        boolean foundMore = search();
        if (known.isEmpty()) {
            return config.pollMaxInterval();
        }
        lastCommits = known;
        pausing = wokenByCommit && !foundMore;
        if (pausing) {
            return nextPause();
        }
        pause = MIN_PAUSE;
        return awaitCommit();
    }

    private Optional<Commits> readCommits() {
        long heartbeats = commitTracker.heartbeatsCommitted();
        Optional<Commits> asked = server.lastCommit();
        asked.ifPresent(now -> commitTracker.record(now, heartbeats));
        return asked;
    }

    private Duration awaitCommit() {
        Commits known = lastCommits.orElseThrow();
        lastCommits = Optional.empty();
        long heartbeats = commitTracker.heartbeatsCommitted();
        lastCommits = server.awaitCommitAfter(known, settled && commitTracker.isKnown() ? LONG_WAIT : WAIT);
        lastCommits.ifPresent(now -> commitTracker.record(now, heartbeats));
        wokenByCommit = lastCommits.isPresent() && lastCommits.get().last() > known.last();
        return Duration.ZERO;
    }

    private Duration nextPause() {
        Duration next = pause;
        Duration longer = pause.multipliedBy(2);
        pause = longer.compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : longer;
        return next;
    }

    /** Whether other lanes hold rows than at the last search, or the same ones others, since something of their queues was claimed. */
    private boolean search() {
        lastSearch = commitTracker.moment();
        Set<Integer> idle = Set.copyOf(wakeUps.idleQueues());
        settled = false;
        // before the search: what is claimed during it may be among what it finds
        Map<Integer, Long> claimed = new HashMap<>(wakeUps.claimCounts());
        List<Lane> found = idle.isEmpty() ? List.of() : claims.lanesWithWork(idle);
        Map<Integer, List<Integer>> lanes = found.stream()
                .collect(Collectors.groupingBy(Lane::queue, Collectors.mapping(Lane::lane, Collectors.toList())));
        claimed.keySet().retainAll(lanes.keySet());
        boolean more = !found.isEmpty() && !(found.equals(foundBefore) && claimed.equals(claimedBefore));
        settled = found.isEmpty() && idle.equals(searchedFor);
        foundBefore = found;
        claimedBefore = claimed;
        searchedFor = idle;
        lanes.forEach((queue, its) -> wakeUps.found(queue, shuffled(its)));
        return more;
    }

    /** So that nodes do not queue up at the same lanes. */
    private static List<Integer> shuffled(List<Integer> lanes) {
        List<Integer> shuffled = new ArrayList<>(lanes);
        Collections.shuffle(shuffled);
        return shuffled;
    }
}
