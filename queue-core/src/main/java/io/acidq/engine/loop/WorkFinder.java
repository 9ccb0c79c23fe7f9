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
 * Searches for lanes with work in all queues of the node whose pollers are idle, with one query. It searches after each commit on the server where
 * the server lets a client wait for commits, else periodically. The lanes that it finds are a hint for the pollers.
 */
public final class WorkFinder implements PeriodicTask {

    /** The time of one wait in the server. It is short in case a commit is missed. */
    private static final Duration WAIT = Duration.ofSeconds(1);

    /**
     * The time of one wait when the last searches found nothing and the server is known to report each commit. A stopping engine ends it with a last
     * heartbeat.
     */
    private static final Duration LONG_WAIT = Duration.ofSeconds(5);

    /** The longest pause after commits that brought no work: other applications may commit all the time. */
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

    /** The last known commit; empty when the task must ask the server. */
    private Optional<Commits> lastCommits = Optional.empty();

    private boolean wokenByCommit;
    private boolean pausing;

    /** Whether the last two searches were for the same queues and the last one found nothing. Otherwise the next search must not be late. */
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

    /** Returns whether the task waits for a poller to become idle. While all pollers are busy, their own commits would end each wait in the server. */
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
        inactive = true; // before the query, so that a poller that becomes idle after it wakes this task
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
            return awaitCommit(); // returns at once if there was a commit during the pause
        }
        Optional<Commits> known = lastCommits.isPresent()
                ? lastCommits
                : readCommits(); // before the search, so that a commit after it ends the wait
        lastCommits = Optional.empty(); // if the search fails, the next server may be another one
        boolean foundWork = search();
        if (known.isEmpty()) {
            return config.pollMaxInterval();
        }
        lastCommits = known;
        pausing = wokenByCommit && !foundWork;
        if (pausing) {
            return nextPause();
        }
        pause = MIN_PAUSE;
        return awaitCommit();
    }

    private Optional<Commits> readCommits() {
        long heartbeats = commitTracker.heartbeatsCommitted();
        Optional<Commits> commits = server.lastCommit();
        commits.ifPresent(now -> commitTracker.record(now, heartbeats));
        return commits;
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
        Duration current = pause;
        Duration doubled = pause.multipliedBy(2);
        pause = doubled.compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : doubled;
        return current;
    }

    /**
     * Searches. Returns whether there is new work: in other lanes than at the last search, or in the same lanes after messages of their queues were
     * claimed.
     */
    private boolean search() {
        lastSearch = commitTracker.moment();
        Set<Integer> idle = Set.copyOf(wakeUps.idleQueues());
        settled = false;
        // read before the search, because a row that it finds may be claimed before its result is used
        Map<Integer, Long> claimed = new HashMap<>(wakeUps.claimCounts());
        List<Lane> found = idle.isEmpty() ? List.of() : claims.lanesWithWork(idle);
        Map<Integer, List<Integer>> lanes = found.stream()
                .collect(Collectors.groupingBy(Lane::queue, Collectors.mapping(Lane::lane, Collectors.toList())));
        claimed.keySet().retainAll(lanes.keySet());
        boolean newWork = !found.isEmpty() && !(found.equals(foundBefore) && claimed.equals(claimedBefore));
        settled = found.isEmpty() && idle.equals(searchedFor);
        foundBefore = found;
        claimedBefore = claimed;
        searchedFor = idle;
        lanes.forEach((queue, ofQueue) -> wakeUps.found(queue, shuffled(ofQueue)));
        return newWork;
    }

    /** Shuffles lanes, so that nodes do not all begin with the same one. */
    private static List<Integer> shuffled(List<Integer> lanes) {
        List<Integer> shuffled = new ArrayList<>(lanes);
        Collections.shuffle(shuffled);
        return shuffled;
    }
}
