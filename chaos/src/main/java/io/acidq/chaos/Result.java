package io.acidq.chaos;

import io.acidq.chaos.arena.Arena;
import io.acidq.chaos.audit.Invariant;
import io.acidq.chaos.audit.Verdict;
import io.acidq.chaos.fault.Mischief;
import io.acidq.chaos.role.Deed;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** What came of it. */
final class Result {

    private final Plan plan;
    private final Arena arena;
    private final Watch watch;
    private final Verdict verdict;
    private final boolean drained;
    private final Map<String, Integer> struck;

    Result(Plan plan, Arena arena, Mischief mischief, Watch watch, Verdict verdict, boolean drained) {
        this.plan = plan;
        this.arena = arena;
        this.watch = watch;
        this.verdict = verdict;
        this.drained = drained;
        this.struck = new TreeMap<>(mischief.struck());
        for (Deed deed : plan.misdeeds()) {
            struck.put(Plan.name(deed), verdict.deeds(deed));
        }
    }

    boolean isGood() {
        return drained && isOfSomething() && verdict.holds() && watch.guilty().isEmpty() && idle().isEmpty();
    }

    /** Whether messages were committed and run, looked at from outside meanwhile, and attacked: else nothing is shown, whatever holds. */
    private boolean isOfSomething() {
        return verdict.checked(Invariant.COMMITTED_ENDS_ONCE) > 0
                && verdict.deeds() > 0
                && watch.looks() > 0
                && !struck.isEmpty();
    }

    /** Faults that never struck: then the run has shown nothing of them. */
    private List<String> idle() {
        return struck.entrySet().stream()
                .filter(e -> e.getValue() == 0)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** To the console, and as JSON where that is wanted. */
    void write() {
        System.out.println("struck: " + struck);
        System.out.print(verdict);
        System.out.printf("snapshots looked at: %d, guilty: %s%n", watch.looks(), watch.guilty());
        System.out.printf(
                "messages=%d worker_ends=%d producer_ends=%d seed=%d%n",
                verdict.checked(Invariant.ONE_EFFECT),
                arena.workers().ended(),
                arena.producers().ended(),
                plan.seed);
        if (!idle().isEmpty()) {
            System.out.println("never struck, so nothing is shown of them: " + idle());
        }
        if (!isOfSomething()) {
            System.out.printf(
                    "nothing is shown: %d messages committed, %d runs, %d snapshots, %d kinds of faults%n",
                    verdict.checked(Invariant.COMMITTED_ENDS_ONCE), verdict.deeds(), watch.looks(), struck.size());
        }
        System.out.println(isGood() ? "every invariant holds" : "BROKEN");
        if (plan.json != null) {
            JsonMapper.builder()
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .build()
                    .writeValue(Path.of(plan.json), json());
        }
    }

    private Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("good", isGood());
        json.put("seed", plan.seed);
        json.put("minutes", plan.minutes);
        json.put("server", plan.url == null ? plan.server : plan.url);
        json.put("drained", drained);
        json.put("neverStruck", idle());
        json.put("committed", verdict.checked(Invariant.COMMITTED_ENDS_ONCE));
        json.put("messages", verdict.checked(Invariant.ONE_EFFECT));
        json.put("workerEnds", arena.workers().ended());
        json.put("producerEnds", arena.producers().ended());
        json.put("struck", struck);
        json.put("struckConnections", arena.strikes().struck());
        json.put("snapshots", watch.looks());
        json.put("guiltySnapshots", watch.guilty());
        Map<String, Object> invariants = new LinkedHashMap<>();
        for (Invariant invariant : Invariant.values()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("sentence", invariant.sentence());
            one.put("checked", verdict.checked(invariant));
            one.put("broken", verdict.broken(invariant));
            invariants.put(invariant.name(), one);
        }
        json.put("invariants", invariants);
        return json;
    }
}
