package io.acidq.benchmarks.report;

import io.acidq.benchmarks.report.CandidateResult.Statistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats the results as text: a table for each scenario. */
public final class TextTable {

    /** Further figures with their titles, shown if a candidate has them. */
    private static final List<Column> FURTHER = List.of(
            new Column("p50Millis", "p50 ms"),
            new Column("responseP99Millis", "p99 from plan"),
            new Column("firstMillis", "first ms"),
            new Column("questionsPerMessage", "stmts/msg"),
            new Column("allocatedBytesPerMessage", "bytes/msg"),
            new Column("cpuMicrosPerMessage", "cpu us/msg"),
            new Column("cpuMillisPerSecond", "cpu ms/s"),
            new Column("outOfOrder", "disorder"));

    private final Results results;

    private record Column(String key, String title) {}

    public TextTable(Results results) {
        this.results = results;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (ScenarioResult scenarioResult : results.scenarioResults()) {
            text.append(table(scenarioResult)).append('\n');
        }
        return text.toString();
    }

    private String table(ScenarioResult scenarioResult) {
        StringBuilder text = new StringBuilder(scenarioResult.workload() + " / " + scenarioResult.scenario() + ": "
                + scenarioResult.metric().key() + ", "
                + (scenarioResult.metric().higherIsBetter() ? "higher" : "lower")
                + " is better\n");
        if (!scenarioResult.sizes().isEmpty()) {
            List<String> sizes = new ArrayList<>();
            scenarioResult.sizes().forEach((name, value) -> sizes.add(name + " " + value));
            text.append("  ").append(String.join(", ", sizes)).append('\n');
        }
        List<Column> further = FURTHER.stream()
                .filter(column -> scenarioResult.entries().stream()
                        .anyMatch(entry -> Double.isFinite(entry.median(column.key()))))
                .toList();
        List<List<String>> rows = new ArrayList<>();
        rows.add(head(scenarioResult, further));
        scenarioResult.entries().forEach(entry -> rows.add(row(scenarioResult, entry, further)));
        text.append(aligned(rows));
        scenarioResult
                .leftOut()
                .forEach((candidate, lacks) -> text.append("  left out: ")
                        .append(candidate)
                        .append(", which lacks ")
                        .append(lacks)
                        .append('\n'));
        return text.toString();
    }

    private static List<String> head(ScenarioResult scenarioResult, List<Column> further) {
        List<String> head = new ArrayList<>(List.of("candidate", "same tx", "median", "least", "most", "v. 1st"));
        scenarioResult
                .handWritten()
                .forEach(entry -> head.add("/" + entry.candidate().name()));
        scenarioResult
                .bestPeer()
                .ifPresent(peer -> head.add("/" + peer.candidate().name()));
        further.forEach(column -> head.add(column.title()));
        head.add("");
        return head;
    }

    private List<String> row(ScenarioResult scenarioResult, CandidateResult entry, List<Column> further) {
        String key = scenarioResult.metric().key();
        List<String> row = new ArrayList<>();
        row.add(entry.candidate().name());
        row.add(entry.candidate().acknowledgesWithTheEffect() ? "yes" : "no");
        row.add(number(entry.median(key)));
        row.add(number(Statistics.least(entry.values(key))));
        row.add(number(Statistics.most(entry.values(key))));
        row.add(number(results.toFirstScenario(scenarioResult, entry)));
        scenarioResult.handWritten().forEach(other -> row.add(number(scenarioResult.ratio(entry, other))));
        scenarioResult.bestPeer().ifPresent(peer -> row.add(number(scenarioResult.ratio(entry, peer))));
        further.forEach(column -> row.add(number(entry.median(column.key()))));
        List<String> remarks = new ArrayList<>(entry.marks());
        remarks.addAll(entry.notes());
        row.add(String.join(", ", remarks));
        return row;
    }

    static String number(double value) {
        if (!Double.isFinite(value)) {
            return "-";
        }
        return String.format(Locale.ROOT, Math.abs(value) >= 100 ? "%.0f" : "%.2f", value);
    }

    /** Aligns the first column to the left and the numbers to the right. */
    private static String aligned(List<List<String>> rows) {
        int columns = rows.get(0).size();
        int[] width = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns - 1; i++) {
                width[i] = Math.max(width[i], row.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder("  ").append(padded(row.get(0), -width[0]));
            for (int i = 1; i < columns - 1; i++) {
                line.append("  ").append(padded(row.get(i), width[i]));
            }
            line.append("  ").append(row.get(columns - 1));
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private static String padded(String text, int width) {
        return width == 0 ? text : String.format(Locale.ROOT, "%" + width + "s", text);
    }
}
