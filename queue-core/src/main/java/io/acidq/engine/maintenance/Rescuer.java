package io.acidq.engine.maintenance;

import io.acidq.Plural;
import io.acidq.Priority;
import io.acidq.config.EngineConfig;
import io.acidq.engine.loop.PeriodicTask;
import io.acidq.engine.loop.WakeUps;
import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.NodeStore;
import io.acidq.store.NodeStore.Crash;
import io.acidq.store.NodeStore.Orphan;
import io.acidq.store.NodeStore.Orphans;
import io.acidq.store.NodeStore.RescueDecision;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The task that frees the claims of nodes that are dead or have stopped. Each round searches for claims of all of them again, because a claim can commit
 * after its node was declared dead.
 */
public final class Rescuer implements PeriodicTask {

    private static final int HEARTBEATS_BETWEEN_ROUNDS = 5;

    private final NodeStore nodes;
    private final EngineConfig config;
    private final WakeUps wakeUps;
    private final Telemetry telemetry;

    public Rescuer(NodeStore nodes, EngineConfig config, WakeUps wakeUps, Telemetry telemetry) {
        this.nodes = nodes;
        this.config = config;
        this.wakeUps = wakeUps;
        this.telemetry = telemetry;
    }

    @Override
    public String name() {
        return "rescuer";
    }

    @Override
    public Duration runOnce() {
        for (int owner : nodes.endedOwners()) {
            Map<Claim, Orphan> orphansByClaim = new HashMap<>();
            List<RescueDecision> applied = nodes.rescue(owner, orphans -> {
                orphans.claims().forEach(o -> orphansByClaim.put(o.claim(), o));
                return decideAll(orphans);
            });
            if (!applied.isEmpty()) {
                telemetry.rescued(owner, applied.size());
                applied.forEach(decision ->
                        report(owner, Objects.requireNonNull(orphansByClaim.get(decision.claim())), decision));
                wakeUps.wakeAllLanes();
            }
        }
        return config.heartbeatInterval().multipliedBy(HEARTBEATS_BETWEEN_ROUNDS);
    }

    private void report(int owner, Orphan orphan, RescueDecision decision) {
        if (decision.crashes() > orphan.crashes()) {
            telemetry.suspected(orphan.id(), owner, decision.crashes());
        }
        if (decision.errorText() != null) {
            telemetry.quarantined(orphan.id(), decision.errorText());
        }
    }

    private List<RescueDecision> decideAll(Orphans orphans) {
        List<RescueDecision> rescueDecisions = new ArrayList<>();
        orphans.claims().stream()
                .collect(Collectors.groupingBy(o -> o.claim().queue(), TreeMap::new, Collectors.toList()))
                .forEach((queue, claims) -> {
                    int workers = orphans.workers().getOrDefault(queue, claims.size());
                    Set<Orphan> possiblyStarted = mayHaveStarted(claims, workers);
                    if (orphans.stopped()) {
                        // a stopped node has ended its handlers: these messages were never handed over
                        possiblyStarted.removeIf(Rescuer::wasClaimedByEnqueue);
                    }
                    claims.forEach(o -> rescueDecisions.add(
                            decide(o, possiblyStarted.contains(o), orphans.crash(), config.maxCrashes())));
                });
        return rescueDecisions;
    }

    /**
     * Decides about one claim of a node that is dead or has stopped. If the message may have been running, a crash is counted for it, and it becomes
     * a dead letter when the limit is reached. Any other message is freed unchanged.
     */
    static RescueDecision decide(Orphan orphan, boolean mayHaveStarted, Crash crash, int maxCrashes) {
        if (!mayHaveStarted) {
            return new RescueDecision(orphan.claim(), orphan.crashes(), null);
        }
        int crashes = orphan.crashes() + 1;
        return new RescueDecision(
                orphan.claim(),
                crashes,
                crashes < maxCrashes ? null : errorText(crashes, orphan.earlierCrashes(), crash));
    }

    /**
     * Returns the claims of one queue whose messages may have been running.
     *
     * <ul>
     *   <li>A node starts the messages of a priority in the order of (batch, id), and passes over a message whose ordering key is running. So those that ran are among
     *       the first of their priority with different keys.
     *   <li>Together they are at most as many as the node had workers. How many were of which priority is unknown, so up to that many of each priority are
     *       returned.
     *   <li>Those that have expired may have run, or a worker has ended many of them together without running them. So they do not count against the number of workers.
     *   <li>A suspect ran alone or did not run.
     *   <li>Messages that their enqueue claimed start before all others, and each of them may have run. They do not count against the number of workers, because
     *       some of them may not have reached the listener.
     * </ul>
     */
    static Set<Orphan> mayHaveStarted(List<Orphan> ofOneQueue, int workers) {
        Set<Orphan> possiblyStarted = new HashSet<>();
        for (Priority priority : Priority.values()) {
            possiblyStarted.addAll(mayHaveStarted(priority, ofOneQueue, workers));
        }
        List<Orphan> direct =
                ofOneQueue.stream().filter(Rescuer::wasClaimedByEnqueue).toList();
        if (!direct.isEmpty()) { // one of these may have been running, and a suspect runs alone
            possiblyStarted.removeIf(o -> o.crashes() > 0);
        }
        possiblyStarted.addAll(direct);
        return possiblyStarted;
    }

    private static Set<Orphan> mayHaveStarted(Priority priority, List<Orphan> ofOneQueue, int workers) {
        List<Orphan> inOrder = ofOneQueue.stream()
                .filter(o -> !wasClaimedByEnqueue(o) && o.id().priority() == priority)
                .sorted(Comparator.comparingLong(Orphan::batch)
                        .thenComparingLong(o -> o.claim().id()))
                .toList();
        Set<Orphan> possiblyStarted = new HashSet<>();
        Set<String> keys = new HashSet<>();
        int running = 0;
        for (Orphan o : inOrder) {
            if (running == workers || (o.crashes() > 0 && !possiblyStarted.isEmpty())) {
                break;
            }
            String key = o.orderingKey();
            if (key == null || keys.add(key)) {
                possiblyStarted.add(o);
                running += o.expired() ? 0 : 1;
            }
            if (o.crashes() > 0) {
                break;
            }
        }
        return possiblyStarted;
    }

    private static boolean wasClaimedByEnqueue(Orphan orphan) {
        return orphan.batch() == ClaimedMessage.DIRECT_BATCH;
    }

    /** Returns the error text. The first line contains no details, because dead letters with the same first line form one group. */
    private static String errorText(int crashes, List<Crash> earlier, Crash last) {
        return Stream.concat(earlier.stream(), Stream.of(last))
                .map(crash -> "node " + crash.node() + " (host " + crash.host() + ", " + crash.at() + ")")
                .collect(Collectors.joining(
                        "\n",
                        "killed " + Plural.of(crashes, "process") + ": each ended while it ran this message\n",
                        ""));
    }
}
