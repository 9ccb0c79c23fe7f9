package io.acidq.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The goals of AcidQ relative to other candidates of the same run. A check fails below half of a goal, because short runs on busy machines vary. */
public final class Goals {

    private static final double HALF = 0.5;

    /** The goal for a scenario that should be as fast as the first one of its workload. */
    private static final double WITHIN = 0.75;

    /** Scenarios with a thousand keys or more. Their names contain the number of keys, which is at most that of the messages. */
    private static final Pattern MANY_KEYS = Pattern.compile("order/keys-\\d{4,}");

    private static final Baseline BEST_PEER = (results, scenarioResult, entry) -> scenarioResult.bestPeer();

    /** The baseline of a scenario that is compared with the same candidate in the first scenario of its workload. */
    private static final Baseline ITSELF_AT_FIRST =
            (results, scenarioResult, entry) -> Optional.of(results.firstScenario(scenarioResult))
                    .filter(first -> !first.equals(scenarioResult))
                    .flatMap(first -> first.entry(entry.candidate().name()));

    private static final List<Goal> ALL = List.of(
            new Goal("drain/backlog"::equals, "acidq-1", beside("no-claim"), 0.85),
            new Goal("drain/backlog"::equals, "acidq-1", beside("jdbc-1"), 1.5),
            new Goal("drain/backlog"::equals, "acidq-1", BEST_PEER, 2, 1.5),
            new Goal("drain/backlog"::equals, "acidq-50", beside("no-claim-50"), 0.65),
            new Goal("drain/backlog"::equals, "acidq-50", BEST_PEER, 4, 3),
            new Goal("drain/backlog"::equals, "acidq-spring", beside("no-claim"), 0.70),
            new Goal("drain/backlog"::equals, "acidq-spring", BEST_PEER, 1),
            new Goal("produce/business"::equals, "acidq-1", beside("jdbc-1"), 0.95),
            new Goal("produce/business-key"::equals, "acidq-1", beside("jdbc-1"), 0.75),
            new Goal("produce/bulk-1000"::equals, "acidq-1", beside("jdbc-1"), 0.8),
            new Goal("order/keys-1"::equals, "acidq-1", beside("one-connection"), 0.8),
            new Goal(MANY_KEYS.asMatchPredicate(), "acidq-1", ITSELF_AT_FIRST, 0.9),
            new Goal("snapshot/open"::equals, "acidq-1", ITSELF_AT_FIRST, 0.7),
            new Goal("slow/one-percent"::equals, "acidq-1", ITSELF_AT_FIRST, 1 / 1.2),
            new Goal(name -> name.startsWith("growth/"), "acidq-1", ITSELF_AT_FIRST, WITHIN));

    private Goals() {}

    /**
     * The results for all goals whose candidates took part.
     *
     * @param evaluated    number of goals that could be evaluated
     * @param missed       a line for each goal that was missed by more than half
     * @param notEvaluated a line for each goal that cannot be evaluated, because one of its candidates has no figures
     */
    public record GoalResults(int evaluated, List<String> missed, List<String> notEvaluated) {}

    public static GoalResults evaluate(Results results) {
        List<String> missed = new ArrayList<>();
        List<String> notEvaluated = new ArrayList<>();
        int evaluated = 0;
        for (ScenarioResult scenarioResult : results.scenarioResults()) {
            for (Goal goal : ALL) {
                GoalResult goalResult = goal.judge(results, scenarioResult).orElse(null);
                if (goalResult == null) {
                    continue;
                }
                if (!Double.isFinite(goalResult.reached)) {
                    notEvaluated.add(goalResult.subject + " cannot be evaluated: one of them has no figures");
                    continue;
                }
                evaluated++;
                if (goalResult.reached < goalResult.goal * HALF) {
                    missed.add(goalResult.missed());
                }
            }
        }
        return new GoalResults(evaluated, missed, notEvaluated);
    }

    private static Baseline beside(String candidate) {
        return (results, scenarioResult, entry) -> scenarioResult.entry(candidate);
    }

    /** Finds the entry that the candidate is compared with. */
    private interface Baseline {

        /** Empty if it did not take part. */
        Optional<CandidateResult> of(Results results, ScenarioResult scenarioResult, CandidateResult entry);
    }

    private record GoalResult(String subject, double reached, double goal) {

        String missed() {
            return String.format(
                    Locale.ROOT,
                    "%s reached %.2f; the goal is %.2f, and half of it must be reached",
                    subject,
                    reached,
                    goal);
        }
    }

    /**
     * A goal of a candidate relative to another.
     *
     * @param where     selects the scenarios
     * @param ratio     minimum of the median of the ratios within a round on MySQL, or of its inverse where lower is better
     * @param onMariaDb the same on MariaDB
     */
    private record Goal(Predicate<String> where, String candidate, Baseline baseline, double ratio, double onMariaDb) {

        Goal(Predicate<String> where, String candidate, Baseline baseline, double ratio) {
            this(where, candidate, baseline, ratio, ratio);
        }

        /** Empty if one of the two did not take part. */
        Optional<GoalResult> judge(Results results, ScenarioResult scenarioResult) {
            String name = scenarioResult.workload() + "/" + scenarioResult.scenario();
            if (!where.test(name)) {
                return Optional.empty();
            }
            return scenarioResult
                    .entry(candidate)
                    .flatMap(ours -> baseline.of(results, scenarioResult, ours).map(other -> {
                        double actual = scenarioResult.ratio(ours, other);
                        double reached = scenarioResult.metric().higherIsBetter() ? actual : 1 / actual;
                        return new GoalResult(name + ": " + candidate + beside(other), reached, ratioOn(results));
                    }));
        }

        private String beside(CandidateResult other) {
            String otherName = other.candidate().name();
            return otherName.equals(candidate) ? " beside the first scenario" : " beside " + otherName;
        }

        private double ratioOn(Results results) {
            return results.info().get("server") instanceof Map<?, ?> server && "MARIADB".equals(server.get("vendor"))
                    ? onMariaDb
                    : ratio;
        }
    }
}
