package io.acidq.benchmarks.report;

import io.acidq.benchmarks.candidate.Candidate.CandidateKind;
import java.util.List;
import java.util.Map;

/**
 * The results of all scenarios.
 *
 * @param info time, options, versions, server and machine
 */
public record Results(Map<String, Object> info, List<ScenarioResult> scenarioResults) {

    public Results {
        scenarioResults = List.copyOf(scenarioResults);
    }

    /** Whether AcidQ lost and duplicated no message, kept the order and did not fail. */
    public boolean isGood() {
        return scenarioResults.stream()
                .flatMap(scenarioResult -> scenarioResult.entries().stream())
                .filter(entry -> entry.candidate().kind() == CandidateKind.ACIDQ)
                .allMatch(entry -> entry.marks().isEmpty());
    }

    /** The median ratio of the candidate's figures to its own in the first scenario of the workload, round by round; not a number if there are none. */
    double toFirstScenario(ScenarioResult scenarioResult, CandidateResult entry) {
        return firstScenario(scenarioResult)
                .entry(entry.candidate().name())
                .map(first -> scenarioResult.ratio(entry, first))
                .orElse(Double.NaN);
    }

    /** The first scenario of the result's workload. */
    ScenarioResult firstScenario(ScenarioResult scenarioResult) {
        return scenarioResults.stream()
                .filter(first -> first.workload().equals(scenarioResult.workload()))
                .findFirst()
                .orElse(scenarioResult);
    }
}
