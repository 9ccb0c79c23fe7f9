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
 * The rescue of the claims that nodes still own that do not live any more. Each round asks anew: a claim can commit after its owner was declared
 * dead.
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
                applied.forEach(v -> report(owner, Objects.requireNonNull(held.get(v.claim())), v));
                wakeUps.wakeAllLanes();
            }
        }
        return config.heartbeatInterval().multipliedBy(HEARTBEATS_BETWEEN_ROUNDS);
    }

    private void report(int owner, Orphan orphan, RescueDecision rescueDecision) {
        if (rescueDecision.crashes() > orphan.crashes()) {
            telemetry.suspected(orphan.id(), owner, rescueDecision.crashes());
        }
        if (rescueDecision.errorText() != null) {
            telemetry.quarantined(orphan.id(), rescueDecision.errorText());
        }
    }

    private List<RescueDecision> decideAll(Orphans orphans) {
        List<RescueDecision> rescueDecisions = new ArrayList<>();
        orphans.claims().stream()
                .collect(Collectors.groupingBy(o -> o.claim().queue(), TreeMap::new, Collectors.toList()))
                .forEach((queue, claims) -> {
                    int workers = orphans.workers().getOrDefault(queue, claims.size());
                    Set<Orphan> started = mayHaveStarted(claims, workers);
                    if (orphans.retired()) { // it finished what ran before it signed off: these were never handed over
                        started.removeIf(Rescuer::isDirect);
                    }
                    claims.forEach(o ->
                            rescueDecisions.add(decide(o, started.contains(o), orphans.crash(), config.maxCrashes())));
                });
        return rescueDecisions;
    }

    /**
     * Decides what becomes of one claim of a dead node. A message that may have been running gets one more death, and at the limit it becomes a
     * dead letter; any other is freed as it was.
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
     * The claims of one queue whose messages may have been running. Work starts in order, the first message whose key is not running: so only the
     * first ones with distinct keys can have been running, as many as there were workers; and a suspect ran alone or not at all. A message that its
     * enqueue had claimed comes first, and may not have been handed over yet: it is not counted among those.
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
        if (!direct.isEmpty()) { // a suspect runs alone: beside these it did not run
            started.removeIf(o -> o.crashes() > 0);
        }
        started.addAll(direct);
        return started;
    }

    private static boolean isDirect(Orphan orphan) {
        return orphan.batch() == ClaimedMessage.DIRECT_BATCH;
    }

    /** The part that differs from message to message stands below the first line, so that the dead letters make one group. */
    private static String errorText(int crashes, List<Crash> earlier, Crash last) {
        String processes = crashes == 1 ? " process" : " processes";
        return Stream.concat(earlier.stream(), Stream.of(last))
                .map(d -> "node " + d.node() + " (host " + d.host() + ", " + d.at() + ")")
                .collect(Collectors.joining(
                        "\n", "killed " + crashes + processes + ": each ended while it ran this message\n", ""));
    }
}
