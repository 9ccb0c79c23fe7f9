package io.acidq.benchmarks.report;

import io.acidq.benchmarks.measure.MessageAudit.RunAudit;
import io.acidq.benchmarks.measure.RunFigures;
import io.acidq.benchmarks.report.CandidateResult.Run;
import io.acidq.benchmarks.report.CandidateResult.Statistics;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes the results as JSON. {@code workloads.NAME.SCENARIO} has {@code sizes}, and its {@code candidates.NAME} has {@code runs},
 * {@code median}, {@code ratios} and {@code marks}.
 */
public final class Json {

    private final Results results;

    public Json(Results results) {
        this.results = results;
    }

    public void write(Path file) {
        JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build().writeValue(file, tree());
    }

    Map<String, Object> tree() {
        Map<String, Map<String, Object>> workloads = new LinkedHashMap<>();
        for (ScenarioResult scenarioResult : results.scenarioResults()) {
            workloads
                    .computeIfAbsent(scenarioResult.workload(), name -> new LinkedHashMap<>())
                    .put(scenarioResult.scenario(), scenarioResult(scenarioResult));
        }
        Map<String, Object> tree = new LinkedHashMap<>(results.info());
        tree.put("good", results.isGood());
        tree.put("workloads", workloads);
        return tree;
    }

    private Map<String, Object> scenarioResult(ScenarioResult scenarioResult) {
        Map<String, Object> candidates = new LinkedHashMap<>();
        scenarioResult
                .entries()
                .forEach(entry -> candidates.put(entry.candidate().name(), entry(scenarioResult, entry)));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("metric", scenarioResult.metric().key());
        json.put("higherIsBetter", scenarioResult.metric().higherIsBetter());
        json.put("sizes", scenarioResult.sizes());
        json.put("candidates", candidates);
        scenarioResult
                .bestPeer()
                .ifPresent(peer -> json.put("bestPeer", peer.candidate().name()));
        json.put("leftOut", scenarioResult.leftOut());
        return json;
    }

    private Map<String, Object> entry(ScenarioResult scenarioResult, CandidateResult entry) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("kind", entry.candidate().kind().name());
        json.put("acknowledgesWithTheEffect", entry.candidate().acknowledgesWithTheEffect());
        json.put("marks", entry.marks());
        json.put("lost", entry.lost());
        json.put("duplicates", entry.duplicates());
        Map<String, Object> median = new LinkedHashMap<>();
        entry.keys().forEach(key -> median.put(key, rounded(entry.median(key))));
        json.put("median", median);
        json.put("ratios", ratios(scenarioResult, entry));
        put(json, "ratioToFirstScenario", results.toFirstScenario(scenarioResult, entry));
        json.put("runs", entry.runs().stream().map(Json::run).toList());
        json.put("warmUps", entry.warmUps().stream().map(Json::run).toList());
        return json;
    }

    private static Map<String, Object> ratios(ScenarioResult scenarioResult, CandidateResult entry) {
        Map<String, Object> ratios = new LinkedHashMap<>();
        for (CandidateResult other : baselines(scenarioResult)) {
            List<Double> each = entry.ratios(other, scenarioResult.metric().key());
            if (!other.equals(entry) && !each.isEmpty()) {
                List<Object> runs = new ArrayList<>();
                each.forEach(ratio -> runs.add(rounded(ratio)));
                Map<String, Object> ratio = new LinkedHashMap<>();
                ratio.put("median", rounded(Statistics.median(each)));
                ratio.put("runs", runs);
                ratios.put(other.candidate().name(), ratio);
            }
        }
        return ratios;
    }

    private static List<CandidateResult> baselines(ScenarioResult scenarioResult) {
        List<CandidateResult> baselines = new ArrayList<>(scenarioResult.handWritten());
        scenarioResult.bestPeer().ifPresent(baselines::add);
        return baselines;
    }

    private static Map<String, Object> run(Run run) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("run", run.number());
        RunFigures figures = run.figures();
        if (figures == null) {
            json.put("failure", String.valueOf(run.failure()));
            return json;
        }
        figures.values().forEach((key, value) -> put(json, key, value));
        RunAudit audit = figures.audit();
        json.put("sent", audit.sent());
        json.put("effects", audit.effects());
        json.put("remaining", audit.remaining());
        json.put("lost", audit.lost());
        json.put("duplicates", audit.duplicates());
        json.put("finished", audit.finished());
        return json;
    }

    /** Omits a figure that is not a number, because JSON cannot represent it. */
    private static void put(Map<String, Object> json, String key, double value) {
        if (Double.isFinite(value)) {
            json.put(key, rounded(value));
        }
    }

    private static double rounded(double value) {
        return Math.abs(value) >= 100 ? Math.round(value) : Math.round(value * 1000) / 1000.0;
    }
}
