package io.acidq.benchmarks;

import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.acidq.AcidQ;
import io.acidq.benchmarks.candidate.handwritten.HandWritten;
import io.acidq.benchmarks.candidate.peer.DbScheduler;
import io.acidq.benchmarks.candidate.peer.IntegrationChannel;
import io.acidq.benchmarks.candidate.peer.JobRunr;
import io.acidq.benchmarks.candidate.peer.ModulithEvents;
import io.acidq.benchmarks.candidate.peer.Namastack;
import io.acidq.benchmarks.candidate.peer.TransactionOutboxPeer;
import io.acidq.benchmarks.workload.RunSizes;
import io.acidq.benchmarks.workload.Scenario;
import io.acidq.benchmarks.workload.Workload;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The selected workloads and candidates, in the order of the report. */
record CandidateSelection(List<Workload> workloads, List<Candidate> candidates) {
    private static final String ALL = "all";
    private static final Set<String> DEFAULT = Set.of(
            "jdbc-1",
            "jdbc-50",
            "no-claim",
            "no-claim-50",
            "one-connection",
            "rows-only",
            "acidq-1",
            "acidq-50",
            "acidq-external",
            "acidq-spring");

    /**
     * Selects by name.
     *
     * @param workloads  names, or WORKLOAD/SCENARIO for one scenario
     * @param candidates names; empty for the default candidates
     * @throws IllegalArgumentException for an unknown name; the message lists all names
     */
    static CandidateSelection of(List<String> workloads, List<String> candidates) {
        List<Candidate> all = allCandidates();
        List<Candidate> selected = candidates.isEmpty()
                ? all.stream().filter(CandidateSelection::isDefault).toList()
                : named("--candidates", candidates, all, Candidate::name);
        List<String> names =
                workloads.stream().map(name -> name.split("/", 2)[0]).toList();
        return new CandidateSelection(
                named("--workloads", names, Workload.all(), Workload::name).stream()
                        .map(workload -> withScenarios(workload, workloads))
                        .toList(),
                selected);
    }

    static List<Candidate> allCandidates() {
        return Stream.of(HandWritten.all(), AcidQ.all(), peers())
                .flatMap(List::stream)
                .toList();
    }

    /** Libraries that users would choose instead. */
    static List<Candidate> peers() {
        return List.of(
                DbScheduler.candidate(),
                JobRunr.candidate(),
                TransactionOutboxPeer.candidate(),
                ModulithEvents.candidate(),
                Namastack.candidate(),
                IntegrationChannel.candidate());
    }

    /** Whether a candidate takes part if none is named. The default candidates run all workloads in minutes. */
    static boolean isDefault(Candidate candidate) {
        return DEFAULT.contains(candidate.name());
    }

    private static Workload withScenarios(Workload workload, List<String> names) {
        if (names.contains(ALL) || names.contains(workload.name())) {
            return workload;
        }
        String prefix = workload.name() + "/";
        Set<String> wanted = names.stream()
                .filter(name -> name.startsWith(prefix))
                .map(name -> name.substring(prefix.length()))
                .collect(Collectors.toSet());
        return new Workload(workload.name(), workload.purpose(), runSizes -> scenarios(workload, wanted, runSizes));
    }

    private static List<Scenario> scenarios(Workload workload, Set<String> wanted, RunSizes runSizes) {
        List<Scenario> all = workload.scenarios(runSizes);
        List<String> known = all.stream().map(Scenario::name).toList();
        for (String name : wanted) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("--workloads: " + workload.name() + " has no scenario '" + name
                        + "'; its scenarios are " + String.join(", ", known));
            }
        }
        return all.stream().filter(scenario -> wanted.contains(scenario.name())).toList();
    }

    private static <T> List<T> named(String option, List<String> names, List<T> all, Function<T, String> nameOf) {
        List<String> known = all.stream().map(nameOf).toList();
        for (String name : names) {
            if (!known.contains(name) && !name.equals(ALL)) {
                throw new IllegalArgumentException(option + ": unknown name '" + name + "'; the names are "
                        + String.join(", ", known) + ", and " + ALL + " for all of them");
            }
        }
        return all.stream()
                .filter(each -> names.contains(ALL) || names.contains(nameOf.apply(each)))
                .toList();
    }
}
