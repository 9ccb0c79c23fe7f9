package io.acidq.chaos;

import io.acidq.chaos.audit.Invariant;
import io.acidq.chaos.audit.InvariantResults;
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

/** What came of it. */
final class ChaosResult {

    private final ChaosOptions chaosOptions;
    private final Environment environment;
    private final SnapshotWatcher snapshotWatcher;
    private final InvariantResults invariantResults;
    private final boolean drained;
    private final Map<String, Integer> injected;

    ChaosResult(
            ChaosOptions chaosOptions,
            Environment environment,
            FaultSchedule faultSchedule,
            SnapshotWatcher snapshotWatcher,
            InvariantResults invariantResults,
            boolean drained) {
        this.chaosOptions = chaosOptions;
        this.environment = environment;
        this.snapshotWatcher = snapshotWatcher;
        this.invariantResults = invariantResults;
        this.drained = drained;
        this.injected = new TreeMap<>(faultSchedule.injected());
        for (HandlerAction handlerAction : chaosOptions.faultyActions()) {
            injected.put(ChaosOptions.name(handlerAction), invariantResults.actions(handlerAction));
        }
    }

    boolean isGood() {
        return drained
                && isMeaningful()
                && invariantResults.holds()
                && snapshotWatcher.violations().isEmpty()
                && neverInjected().isEmpty();
    }

    /** Whether messages were committed and run, looked at from outside meanwhile, and attacked: else nothing is shown, whatever holds. */
    private boolean isMeaningful() {
        return invariantResults.checked(Invariant.COMMITTED_ENDS_ONCE) > 0
                && invariantResults.actions() > 0
                && snapshotWatcher.checks() > 0
                && !injected.isEmpty();
    }

    /** Faults that never struck: then the run has shown nothing of them. */
    private List<String> neverInjected() {
        return injected.entrySet().stream()
                .filter(e -> e.getValue() == 0)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** To the console, and as JSON where that is wanted. */
    void write() {
        System.out.println("struck: " + injected);
        System.out.print(invariantResults);
        System.out.printf(
                "snapshots looked at: %d, guilty: %s%n", snapshotWatcher.checks(), snapshotWatcher.violations());
        System.out.printf(
                "messages=%d worker_ends=%d producer_ends=%d seed=%d%n",
                invariantResults.checked(Invariant.ONE_EFFECT),
                environment.workers().ended(),
                environment.producers().ended(),
                chaosOptions.seed);
        if (!neverInjected().isEmpty()) {
            System.out.println("never struck, so nothing is shown of them: " + neverInjected());
        }
        if (!isMeaningful()) {
            System.out.printf(
                    "nothing is shown: %d messages committed, %d runs, %d snapshots, %d kinds of faults%n",
                    invariantResults.checked(Invariant.COMMITTED_ENDS_ONCE),
                    invariantResults.actions(),
                    snapshotWatcher.checks(),
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
        json.put("committed", invariantResults.checked(Invariant.COMMITTED_ENDS_ONCE));
        json.put("messages", invariantResults.checked(Invariant.ONE_EFFECT));
        json.put("workerEnds", environment.workers().ended());
        json.put("producerEnds", environment.producers().ended());
        json.put("struck", injected);
        json.put("struckConnections", environment.connectionBreaks().happened());
        json.put("snapshots", snapshotWatcher.checks());
        json.put("guiltySnapshots", snapshotWatcher.violations());
        Map<String, Object> invariants = new LinkedHashMap<>();
        for (Invariant invariant : Invariant.values()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("sentence", invariant.sentence());
            one.put("checked", invariantResults.checked(invariant));
            one.put("broken", invariantResults.broken(invariant));
            invariants.put(invariant.name(), one);
        }
        json.put("invariants", invariants);
        return json;
    }
}
