package io.acidq.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** Formats text for a terminal. Text from the database is shown without control characters, which a terminal could execute. */
final class TerminalText {

    private static final int MAX_CELL_WIDTH = 60;

    private TerminalText() {}

    static String oneLine(String text) {
        return text.replaceAll("\\s*\\R\\s*", "; ")
                .replaceAll("\\p{Cntrl}", " ")
                .strip();
    }

    /** One line, cut to the width of a table cell. */
    static String shortened(String text) {
        String line = oneLine(text);
        return line.length() <= MAX_CELL_WIDTH ? line : line.substring(0, MAX_CELL_WIDTH - 1) + "…";
    }

    /** The text with its line breaks and tabs, without other control characters. */
    static String lines(String text) {
        return text.replaceAll("[\\p{Cntrl}&&[^\n\t]]", " ");
    }

    /** The time in UTC, to the second, as in {@code 2031-05-01T12:00:00Z}. */
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

    /** The lines of a table: each column as wide as its widest cell, two spaces apart. */
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
