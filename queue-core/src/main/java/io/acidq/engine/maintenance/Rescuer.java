package io.acidq.engine.maintenance;

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
 * Frees the claims of dead nodes. Each round searches for claims of dead nodes again, because a claim can commit after its node was declared dead.
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
        for (int owner : nodes.deadOwners()) {
            Map<Claim, Orphan> held = new HashMap<>();
            List<RescueDecision> applied = nodes.rescue(owner, orphans -> {
                orphans.claims().forEach(o -> held.put(o.claim(), o));
                return decideAll(orphans);
            });
            if (!applied.isEmpty()) {
                telemetry.rescued(owner, applied.size());
                applied.forEach(
                        decision -> report(owner, Objects.requireNonNull(held.get(decision.claim())), decision));
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
                    Set<Orphan> started = mayHaveStarted(claims, workers);
                    if (orphans
                            .retired()) { // a stopped node has finished its runs: these messages were never handed over
                        started.removeIf(Rescuer::isDirect);
                    }
                    claims.forEach(o ->
                            rescueDecisions.add(decide(o, started.contains(o), orphans.crash(), config.maxCrashes())));
                });
        return rescueDecisions;
    }

    /**
     * Decides about one claim of a dead node. A message that may have been running gets one more crash, and becomes a dead letter at the limit. Any
     * other message is freed unchanged.
     */
    static RescueDecision decide(Orphan held, boolean mayHaveStarted, Crash crash, int maxCrashes) {
        if (!mayHaveStarted) {
            return new RescueDecision(held.claim(), held.crashes(), null);
        }
        int crashes = held.crashes() + 1;
        return new RescueDecision(
                held.claim(), crashes, crashes < maxCrashes ? null : errorText(crashes, held.earlierCrashes(), crash));
    }

    /**
     * Returns the claims of one queue whose messages may have been running. Messages start in order, except for those whose ordering key is running.
     * So only the first messages with different keys can have been running, as many as there were workers. A suspect ran alone or not at all.
     * Messages that were claimed by their enqueue start before all others, and may not have been handed over yet: each of them may have been running,
     * and they are not counted.
     */
    static Set<Orphan> mayHaveStarted(List<Orphan> ofOneQueue, int workers) {
        List<Orphan> inOrder = ofOneQueue.stream()
                .filter(o -> !isDirect(o))
                .sorted(Comparator.comparingLong(Orphan::batch)
                        .thenComparingLong(o -> o.claim().id()))
                .toList();
        Set<Orphan> started = new HashSet<>();
        Set<String> keys = new HashSet<>();
        for (Orphan o : inOrder) {
            if (started.size() == workers || (o.crashes() > 0 && !started.isEmpty())) {
                break;
            }
            String key = o.orderingKey();
            if (key == null || keys.add(key)) {
                started.add(o);
            }
            if (o.crashes() > 0) {
                break;
            }
        }
        List<Orphan> direct = ofOneQueue.stream().filter(Rescuer::isDirect).toList();
        if (!direct.isEmpty()) { // a suspect runs alone, so it did not run at the same time as these
            started.removeIf(o -> o.crashes() > 0);
        }
        started.addAll(direct);
        return started;
    }

    private static boolean isDirect(Orphan orphan) {
        return orphan.batch() == ClaimedMessage.DIRECT_BATCH;
    }

    /** Returns the error text. The details of the crashes are below the first line, so that the dead letters form one group. */
    private static String errorText(int crashes, List<Crash> earlier, Crash last) {
        String processes = crashes == 1 ? " process" : " processes";
        return Stream.concat(earlier.stream(), Stream.of(last))
                .map(crash -> "node " + crash.node() + " (host " + crash.host() + ", " + crash.at() + ")")
                .collect(Collectors.joining(
                        "\n", "killed " + crashes + processes + ": each ended while it ran this message\n", ""));
    }
}
