package io.acidq.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** Words and tables for people. Whatever comes from the database is shown without control characters: it could lead the terminal astray. */
final class Text {

    private static final int WIDEST = 60;

    private Text() {}

    static String oneLine(String text) {
        return text.replaceAll("\\s*\\R\\s*", "; ")
                .replaceAll("\\p{Cntrl}", " ")
                .strip();
    }

    /** Of a cell: cut off where it is long. */
    static String shortened(String text) {
        String line = oneLine(text);
        return line.length() <= WIDEST ? line : line.substring(0, WIDEST - 1) + "…";
    }

    /** Several lines as they are, but for control characters. */
    static String lines(String text) {
        return text.replaceAll("[\\p{Cntrl}&&[^\n\t]]", " ");
    }

    /** In UTC, to the second, with the zone's letter. */
    static String time(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    static String age(Duration age) {
        Duration shown = age.isNegative() ? Duration.ZERO : age;
        if (shown.toDays() > 0) {
            return shown.toDays() + "d " + shown.toHoursPart() + "h";
        }
        if (shown.toHours() > 0) {
            return shown.toHours() + "h " + shown.toMinutesPart() + "m";
        }
        return shown.toMinutes() > 0 ? shown.toMinutes() + "m " + shown.toSecondsPart() + "s" : shown.toSeconds() + "s";
    }

    /** Columns as wide as their widest cell, two blanks apart. */
    static List<String> table(List<String> head, List<List<String>> rows) {
        int[] widths = new int[head.size()];
        List<List<String>> all = new ArrayList<>(List.of(head));
        all.addAll(rows);
        for (List<String> row : all) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        return all.stream().map(row -> line(row, widths)).toList();
    }

    private static String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
        }
        return line.toString().stripTrailing();
    }
}
