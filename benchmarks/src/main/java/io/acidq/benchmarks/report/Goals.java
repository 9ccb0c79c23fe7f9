package io.acidq.benchmarks.report;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What AcidQ is to reach of what others reach in the same run; the check fails below half of it, since short runs on busy machines scatter. */
public final class Goals {

    private static final double HALF = 0.5;

    private static final List<Goal> ALL = List.of(
            new Goal("drain", "backlog", "acidq-1", "no-claim", 0.85),
            new Goal("drain", "backlog", "acidq-1", "jdbc-1", 1.5),
            new Goal("drain", "backlog", "acidq-50", "no-claim-50", 0.65),
            new Goal("drain", "backlog", "acidq-spring", "no-claim", 0.70),
            new Goal("produce", "business", "acidq-1", "jdbc-1", 0.95),
            new Goal("produce", "business-key", "acidq-1", "jdbc-1", 0.75),
            new Goal("produce", "bulk-1000", "acidq-1", "jdbc-1", 0.8));

    private Goals() {}

    /** One line for each goal that is missed by more than half; goals whose candidates did not take part are not judged. */
    public static List<String> farMissed(Results results) {
        return results.sections().stream()
                .flatMap(section -> ALL.stream().map(goal -> goal.miss(section)).flatMap(Optional::stream))
                .toList();
    }

    /**
     * The rate of one as a share of the other's.
     *
     * @param ratio the median of the ratios run by run is to be at least this
     */
    private record Goal(String workload, String scenario, String candidate, String other, double ratio) {

        Optional<String> miss(Section section) {
            if (!section.workload().equals(workload) || !section.scenario().equals(scenario)) {
                return Optional.empty();
            }
            Optional<Entry> ours = section.entry(candidate);
            Optional<Entry> theirs = section.entry(other);
            if (ours.isEmpty() || theirs.isEmpty()) {
                return Optional.empty();
            }
            double reached = Statistics.median(
                    ours.get().ratios(theirs.get(), section.metric().key()));
            return reached >= ratio * HALF
                    ? Optional.empty()
                    : Optional.of(String.format(
                            Locale.ROOT,
                            "%s/%s: %s reached %.2f of %s; the goal is %.2f, and half of it must be reached",
                            workload,
                            scenario,
                            candidate,
                            reached,
                            other,
                            ratio));
        }
    }
}
