package io.acidq.engine;

import io.acidq.store.NodeStore;
import io.acidq.store.NodeStore.Orphan;
import io.acidq.store.NodeStore.Orphans;
import io.acidq.store.NodeStore.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Frees what nodes that are not living still own. Rescue is a state, not an event: a claim can commit after its owner's burial,
 * so every round looks again.
 */
final class Rescuer implements Duty {

    private static final int BEATS_BETWEEN_ROUNDS = 5;

    private final NodeStore nodes;
    private final EngineConfig config;
    private final Signals signals;
    private final Telemetry telemetry;

    Rescuer(NodeStore nodes, EngineConfig config, Signals signals, Telemetry telemetry) {
        this.nodes = nodes;
        this.config = config;
        this.signals = signals;
        this.telemetry = telemetry;
    }

    @Override
    public String name() {
        return "rescuer";
    }

    @Override
    public Duration runOnce() {
        for (int owner : nodes.deadOwners()) {
            int freed = nodes.rescue(owner, orphans -> judge(owner, orphans));
            if (freed > 0) {
                telemetry.rescued(owner, freed);
                signals.everywhere();
            }
        }
        return config.beat().multipliedBy(BEATS_BETWEEN_ROUNDS);
    }

    private List<Verdict> judge(int owner, Orphans orphans) {
        List<Verdict> verdicts = new ArrayList<>();
        orphans.claims().stream()
                .collect(Collectors.groupingBy(o -> o.claim().queue(), TreeMap::new, Collectors.toList()))
                .forEach((queue, claims) -> {
                    int workers = orphans.workers().getOrDefault(queue, claims.size());
                    Set<Orphan> started = mayHaveStarted(claims, workers);
                    claims.forEach(o -> verdicts.add(
                            started.contains(o) ? death(owner, o) : new Verdict(o.claim(), o.deaths(), null)));
                });
        return verdicts;
    }

    /**
     * Work starts in order, the first message whose key is not running: so only the first ones with distinct keys can have been
     * running, as many as there were workers; and a suspect ran alone or not at all.
     */
    static Set<Orphan> mayHaveStarted(List<Orphan> ofOneQueue, int workers) {
        List<Orphan> inOrder = ofOneQueue.stream()
                .sorted(Comparator.comparingLong(Orphan::batch)
                        .thenComparingLong(o -> o.claim().id()))
                .toList();
        Set<Orphan> started = new HashSet<>();
        Set<String> keys = new HashSet<>();
        for (Orphan o : inOrder) {
            if (started.size() == workers || (o.deaths() > 0 && !started.isEmpty())) {
                break;
            }
            String key = o.orderKey();
            if (key == null || keys.add(key)) {
                started.add(o);
            }
            if (o.deaths() > 0) {
                break;
            }
        }
        return started;
    }

    private Verdict death(int owner, Orphan orphan) {
        int deaths = orphan.deaths() + 1;
        String mark = deaths < config.maxDeaths()
                ? null
                : "killed " + deaths + " processes: each ended while it ran this message, the last was node " + owner;
        return new Verdict(orphan.claim(), deaths, mark);
    }
}
