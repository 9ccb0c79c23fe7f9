package io.acidq.chaos;

import io.acidq.chaos.audit.Invariant;
import io.acidq.chaos.audit.InvariantResults;
import io.acidq.chaos.audit.InvariantResults.Removal;
import io.acidq.chaos.environment.Environment;
import io.acidq.chaos.fault.FaultSchedule;
import io.acidq.chaos.role.HandlerAction;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The result of a chaos run. */
final class ChaosResult {

    private final ChaosOptions chaosOptions;
    private final Environment environment;
    private final SnapshotWatcher snapshotWatcher;
    private final InvariantResults results;
    private final boolean drained;
    private final Map<String, Integer> injected;

    ChaosResult(
            ChaosOptions chaosOptions,
            Environment environment,
            FaultSchedule faultSchedule,
            SnapshotWatcher snapshotWatcher,
            InvariantResults results,
            boolean drained) {
        this.chaosOptions = chaosOptions;
        this.environment = environment;
        this.snapshotWatcher = snapshotWatcher;
        this.results = results;
        this.drained = drained;
        this.injected = new TreeMap<>(faultSchedule.injected());
        for (HandlerAction action : chaosOptions.faultyActions()) {
            injected.put(ChaosOptions.name(action), results.actions(action));
        }
    }

    boolean isGood() {
        return drained
                && isMeaningful()
                && results.holds()
                && snapshotWatcher.violations().isEmpty()
                && neverInjected().isEmpty();
    }

    /** Whether messages were committed, run, and checked in snapshots, under faults. Otherwise the run proves nothing. */
    private boolean isMeaningful() {
        return results.checked(Invariant.COMMITTED_ENDS_ONCE) > 0
                && results.actions() > 0
                && snapshotWatcher.checks() > 0
                && (chaosOptions.publishIn == 0 || results.checked(Invariant.ALL_SUBSCRIPTIONS_OR_NONE) > 0)
                && (chaosOptions.expireIn == 0 || results.removed(Removal.EXPIRED) > 0)
                && (chaosOptions.cancelIn == 0 || results.removed(Removal.CANCELLED) > 0)
                && !injected.isEmpty();
    }

    /** Faults that never struck, so the run proves nothing about them. */
    private List<String> neverInjected() {
        return injected.entrySet().stream()
                .filter(e -> e.getValue() == 0)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Writes the result to the console, and as JSON if a file is given. */
    void write() {
        System.out.println("struck: " + injected);
        System.out.print(results);
        System.out.printf(
                "snapshots checked: %d, violations: %s%n", snapshotWatcher.checks(), snapshotWatcher.violations());
        System.out.printf(
                "messages=%d worker_ends=%d producer_ends=%d seed=%d%n",
                results.checked(Invariant.ONE_EFFECT),
                environment.workers().ended(),
                environment.producers().ended(),
                chaosOptions.seed);
        if (!neverInjected().isEmpty()) {
            System.out.println("never struck, so the run proves nothing about them: " + neverInjected());
        }
        if (!isMeaningful()) {
            System.out.printf(
                    "the run proves nothing: %d messages committed, %d runs, %d snapshots, %d expired, %d cancelled, %d kinds of"
                            + " faults%n",
                    results.checked(Invariant.COMMITTED_ENDS_ONCE),
                    results.actions(),
                    snapshotWatcher.checks(),
                    results.removed(Removal.EXPIRED),
                    results.removed(Removal.CANCELLED),
                    injected.size());
        }
        System.out.println(isGood() ? "every invariant holds" : "BROKEN");
        if (chaosOptions.json != null) {
            JsonMapper.builder()
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .build()
                    .writeValue(Path.of(chaosOptions.json), json());
        }
    }

    private Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("good", isGood());
        json.put("seed", chaosOptions.seed);
        json.put("minutes", chaosOptions.minutes);
        json.put("server", chaosOptions.url == null ? chaosOptions.server : chaosOptions.url);
        json.put("drained", drained);
        json.put("neverStruck", neverInjected());
        json.put("committed", results.checked(Invariant.COMMITTED_ENDS_ONCE));
        json.put("messages", results.checked(Invariant.ONE_EFFECT));
        json.put("subscriptions", results.subscriptions());
        json.put("cancelAnswers", results.cancelAnswers());
        json.put("removed", results.removed());
        json.put("workerEnds", environment.workers().ended());
        json.put("producerEnds", environment.producers().ended());
        json.put("struck", injected);
        json.put("struckConnections", environment.connectionBreaks().happened());
        json.put("snapshots", snapshotWatcher.checks());
        json.put("snapshotViolations", snapshotWatcher.violations());
        Map<String, Object> invariants = new LinkedHashMap<>();
        for (Invariant invariant : Invariant.values()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("sentence", invariant.sentence());
            one.put("checked", results.checked(invariant));
            one.put("broken", results.broken(invariant));
            invariants.put(invariant.name(), one);
        }
        json.put("invariants", invariants);
        return json;
    }
}
