package io.acidq.benchmarks.report;

import io.acidq.benchmarks.measure.MessageAudit.RunAudit;
import io.acidq.benchmarks.measure.RunFigures;
import io.acidq.benchmarks.report.Entry.Run;
import io.acidq.benchmarks.report.Entry.Statistics;
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
        for (Section section : results.sections()) {
            workloads
                    .computeIfAbsent(section.workload(), name -> new LinkedHashMap<>())
                    .put(section.scenario(), section(section));
        }
        Map<String, Object> tree = new LinkedHashMap<>(results.info());
        tree.put("good", results.isGood());
        tree.put("workloads", workloads);
        return tree;
    }

    private Map<String, Object> section(Section section) {
        Map<String, Object> candidates = new LinkedHashMap<>();
        section.entries().forEach(entry -> candidates.put(entry.candidate().name(), entry(section, entry)));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("metric", section.metric().key());
        json.put("higherIsBetter", section.metric().higherIsBetter());
        json.put("sizes", section.sizes());
        json.put("candidates", candidates);
        section.bestPeer()
                .ifPresent(peer -> json.put("bestPeer", peer.candidate().name()));
        json.put("leftOut", section.leftOut());
        return json;
    }

    private Map<String, Object> entry(Section section, Entry entry) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("kind", entry.candidate().kind().name());
        json.put("acknowledgesWithTheEffect", entry.candidate().acknowledgesWithTheEffect());
        json.put("marks", entry.marks());
        json.put("lost", entry.lost());
        json.put("duplicates", entry.duplicates());
        Map<String, Object> median = new LinkedHashMap<>();
        entry.keys().forEach(key -> median.put(key, rounded(entry.median(key))));
        json.put("median", median);
        json.put("ratios", ratios(section, entry));
        put(json, "ratioToFirstScenario", results.toFirstScenario(section, entry));
        json.put("runs", entry.runs().stream().map(Json::run).toList());
        json.put("warmUps", entry.warmUps().stream().map(Json::run).toList());
        return json;
    }

    private static Map<String, Object> ratios(Section section, Entry entry) {
        Map<String, Object> ratios = new LinkedHashMap<>();
        for (Entry other : baselines(section)) {
            List<Double> each = entry.ratios(other, section.metric().key());
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

    private static List<Entry> baselines(Section section) {
        List<Entry> baselines = new ArrayList<>(section.handWritten());
        section.bestPeer().ifPresent(baselines::add);
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
