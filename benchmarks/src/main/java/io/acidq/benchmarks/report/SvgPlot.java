package io.acidq.benchmarks.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Plots the results, one file for each workload: a bar for the median of each candidate and a dot for each run, grouped by scenario. */
public final class SvgPlot {

    private static final int WIDTH = 900;
    private static final int LEFT = 190;
    private static final int RIGHT = 190;
    private static final int TOP = 44;
    private static final int BAR = 18;
    private static final int HEADING = 34;

    private final Results results;

    public SvgPlot(Results results) {
        this.results = results;
    }

    /** Writes {@code WORKLOAD.svg} files. Creates a missing folder. */
    public void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        Set<String> workloads = new LinkedHashSet<>();
        results.scenarioResults().forEach(scenarioResult -> workloads.add(scenarioResult.workload()));
        for (String workload : workloads) {
            Files.writeString(folder.resolve(workload + ".svg"), plot(workload), StandardCharsets.UTF_8);
        }
    }

    String plot(String workload) {
        List<ScenarioResult> scenarioResults = results.scenarioResults().stream()
                .filter(scenarioResult -> scenarioResult.workload().equals(workload))
                .toList();
        double maximum = scenarioResults.stream()
                .flatMap(scenarioResult -> scenarioResult.entries().stream()
                        .flatMap(entry -> entry.values(scenarioResult.metric().key()).stream()))
                .filter(Double::isFinite)
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(1);
        StringBuilder body = new StringBuilder();
        int y = TOP;
        for (ScenarioResult scenarioResult : scenarioResults) {
            body.append(text(10, y + 20, "font-weight=\"bold\"", scenarioResult.scenario()));
            y += HEADING;
            for (CandidateResult entry : scenarioResult.entries()) {
                body.append(bar(scenarioResult, entry, y, (WIDTH - LEFT - RIGHT) / Math.max(maximum, 1e-9)));
                y += BAR + 4;
            }
        }
        String title = workload + ": " + scenarioResults.get(0).metric().key() + ", "
                + (scenarioResults.get(0).metric().higherIsBetter() ? "longer" : "shorter")
                + " is better; a bar is the median, a dot a run";
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + WIDTH + " " + (y + 12)
                + "\" font-family=\"sans-serif\" font-size=\"12\">\n"
                + "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
                + text(10, 24, "font-size=\"14\"", title) + body + "</svg>\n";
    }

    private static String bar(ScenarioResult scenarioResult, CandidateResult entry, int y, double scale) {
        String key = scenarioResult.metric().key();
        double median = entry.median(key);
        double length = Double.isFinite(median) ? median * scale : 0;
        StringBuilder svg = new StringBuilder();
        svg.append(
                text(LEFT - 8, y + 13, "text-anchor=\"end\"", entry.candidate().name()));
        svg.append(String.format(
                Locale.ROOT,
                "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>%n",
                LEFT,
                y,
                length,
                BAR,
                colour(entry)));
        double farthest = length;
        for (double value : entry.values(key)) {
            if (Double.isFinite(value)) {
                farthest = Math.max(farthest, value * scale);
                svg.append(String.format(
                        Locale.ROOT,
                        "<circle cx=\"%.1f\" cy=\"%d\" r=\"3\" fill=\"black\" fill-opacity=\"0.55\"/>%n",
                        LEFT + value * scale,
                        y + BAR / 2));
            }
        }
        String label = (TextTable.number(median) + " " + String.join(", ", entry.marks())).strip();
        String attributes = entry.marks().isEmpty() ? "" : "fill=\"#b00020\"";
        return svg.append(text((int) (LEFT + farthest) + 8, y + 13, attributes, label))
                .toString();
    }

    private static String colour(CandidateResult entry) {
        return switch (entry.candidate().kind()) {
            case ACIDQ -> "#2f7ed8";
            case HAND_WRITTEN -> "#9aa5b1";
            case PEER -> "#d9a441";
        };
    }

    private static String text(int x, int y, String attributes, String text) {
        return "<text x=\"" + x + "\" y=\"" + y + "\" " + attributes + ">" + escaped(text) + "</text>\n";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
