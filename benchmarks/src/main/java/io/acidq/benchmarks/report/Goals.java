package io.acidq.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** What AcidQ is to reach of what others reach in the same run; the check fails below half of it, since short runs on busy machines scatter. */
public final class Goals {

    private static final double HALF = 0.5;

    /** For what is to stay as good as in the workload's first scenario. */
    private static final double WITHIN = 0.75;

    /** A thousand keys or more: the scenario is named by their number, of which there are no more than messages. */
    private static final Pattern MANY_KEYS = Pattern.compile("order/keys-\\d{4,}");

    private static final Baseline BEST_PEER = (results, section, entry) -> section.bestPeer();

    /** The same candidate in the first scenario of its workload. */
    private static final Baseline ITSELF_AT_FIRST =
            (results, section, entry) -> Optional.of(results.firstScenario(section))
                    .filter(first -> !first.equals(section))
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
     * What became of the goals whose candidates took part.
     *
     * @param evaluated   how many there were to be judged
     * @param missed   a line for each that was missed by more than half
     * @param notEvaluated a line for each that nobody can judge, since one of the two has no figures
     */
    public record GoalResults(int evaluated, List<String> missed, List<String> notEvaluated) {}

    public static GoalResults evaluate(Results results) {
        List<String> missed = new ArrayList<>();
        List<String> unjudged = new ArrayList<>();
        int judged = 0;
        for (Section section : results.sections()) {
            for (Goal goal : ALL) {
                GoalResult goalResult = goal.judge(results, section).orElse(null);
                if (goalResult == null) {
                    continue;
                }
                if (!Double.isFinite(goalResult.reached)) {
                    unjudged.add(goalResult.subject + " can not be judged: one of them has no figures");
                    continue;
                }
                judged++;
                if (goalResult.reached < goalResult.goal * HALF) {
                    missed.add(goalResult.missed());
                }
            }
        }
        return new GoalResults(judged, missed, unjudged);
    }

    private static Baseline beside(String candidate) {
        return (results, section, entry) -> section.entry(candidate);
    }

    /** Whose figures the candidate's are divided by. */
    private interface Baseline {

        /** Empty when it did not take part. */
        Optional<Entry> of(Results results, Section section, Entry entry);
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
     * How good one is to be beside another.
     *
     * @param where     which scenarios it is set for
     * @param ratio     the median of the ratios round by round is to be at least this, on MySQL; its inverse, where less is better
     * @param onMariaDb the same on MariaDB
     */
    private record Goal(Predicate<String> where, String candidate, Baseline baseline, double ratio, double onMariaDb) {

        Goal(Predicate<String> where, String candidate, Baseline baseline, double ratio) {
            this(where, candidate, baseline, ratio, ratio);
        }

        /** Empty when the two did not take part there. */
        Optional<GoalResult> judge(Results results, Section section) {
            String name = section.workload() + "/" + section.scenario();
            if (!where.test(name)) {
                return Optional.empty();
            }
            return section.entry(candidate)
                    .flatMap(ours -> baseline.of(results, section, ours).map(theirs -> {
                        double ratio = section.ratio(ours, theirs);
                        double reached = section.metric().higherIsBetter() ? ratio : 1 / ratio;
                        return new GoalResult(name + ": " + candidate + words(theirs), reached, on(results));
                    }));
        }

        private String words(Entry theirs) {
            String other = theirs.candidate().name();
            return other.equals(candidate) ? " beside the first scenario" : " beside " + other;
        }

        private double on(Results results) {
            return results.about().get("server") instanceof Map<?, ?> server && "MARIADB".equals(server.get("vendor"))
                    ? onMariaDb
                    : ratio;
        }
    }
}
