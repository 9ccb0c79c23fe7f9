package io.acidq.benchmarks;

import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.workload.Workload;
import io.acidq.benchmarks.workload.Workloads;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What takes part, by names. */
record CandidateSelection(List<Workload> workloads, List<Candidate> candidates) {

    private static final String ALL = "all";

    /**
     * Those of these names, in the order of the roster.
     *
     * @param workloads  names, or WORKLOAD/SCENARIO for one scenario of it
     * @param candidates none: the usual ones
     * @throws IllegalArgumentException for a name that nothing has; it names all there are
     */
    static CandidateSelection of(List<String> workloads, List<String> candidates) {
        List<Candidate> chosen = candidates.isEmpty()
                ? Candidates.usual()
                : named("--candidates", candidates, Candidates.all(), Candidate::name);
        List<String> names =
                workloads.stream().map(each -> each.split("/", 2)[0]).toList();
        List<Workload> whole = named("--workloads", names, Workloads.all(), Workload::name);
        return new CandidateSelection(
                whole.stream().map(each -> excerpt(each, workloads)).toList(), chosen);
    }

    private static Workload excerpt(Workload whole, List<String> names) {
        if (names.contains(ALL) || names.contains(whole.name())) {
            return whole;
        }
        String prefix = whole.name() + "/";
        Set<String> scenarios = names.stream()
                .filter(each -> each.startsWith(prefix))
                .map(each -> each.substring(prefix.length()))
                .collect(Collectors.toSet());
        return new ScenarioSelection(whole, scenarios);
    }

    private static <T> List<T> named(String option, List<String> names, List<T> all, Function<T, String> name) {
        List<String> known = all.stream().map(name).toList();
        for (String each : names) {
            if (!known.contains(each) && !each.equals(ALL)) {
                throw new IllegalArgumentException(option + ": there is no '" + each + "'; there are "
                        + String.join(", ", known) + ", and " + ALL + " for all of them");
            }
        }
        LinkedHashSet<String> wanted = new LinkedHashSet<>(names);
        return all.stream()
                .filter(each -> wanted.contains(ALL) || wanted.contains(name.apply(each)))
                .toList();
    }
}
