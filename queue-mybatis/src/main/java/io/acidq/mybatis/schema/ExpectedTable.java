package io.acidq.mybatis.schema;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A table as the shipped file defines it. Reads the file, so that no definition is written twice.
 *
 * @param name       the table
 * @param columns    its columns by their names
 * @param keys       the definition of each key by its name; the primary key is called PRIMARY
 * @param statistics the options that pin its statistics
 */
record ExpectedTable(String name, Map<String, Column> columns, Map<String, String> keys, List<String> statistics) {

    private static final Pattern TABLE = Pattern.compile("CREATE TABLE IF NOT EXISTS (\\w+) \\(");
    private static final Pattern COLUMN = Pattern.compile(
            "  (\\w+)\\s+(\\w+(?:\\(\\d+\\))?)\\s+((?:CHARACTER SET \\w+ COLLATE (\\w+) )?(NOT NULL|NULL)"
                    + "(?: DEFAULT (\\S+))?( AUTO_INCREMENT)?(?: COMMENT '.*')?)");
    private static final Pattern KEY = Pattern.compile("  ((?:PRIMARY|(?:UNIQUE )?KEY (\\w+)).*\\))");
    private static final Pattern STATISTICS = Pattern.compile("STATS_\\w+=\\d");

    /** Reads a statement that has one column or key per line. */
    static ExpectedTable of(String statement) {
        List<String> lines = statement.lines().toList();
        Matcher head = TABLE.matcher(lines.get(0));
        if (!head.matches()) {
            throw new IllegalStateException("no CREATE TABLE: " + lines.get(0));
        }
        ExpectedTable table =
                new ExpectedTable(head.group(1), new LinkedHashMap<>(), new LinkedHashMap<>(), new ArrayList<>());
        lines.subList(1, lines.size() - 1).forEach(line -> table.readLine(line.replaceFirst(",$", "")));
        STATISTICS.matcher(lines.get(lines.size() - 1)).results().forEach(o -> table.statistics.add(o.group()));
        return table;
    }

    private void readLine(String line) {
        Matcher key = KEY.matcher(line);
        Matcher column = COLUMN.matcher(line);
        if (key.matches()) {
            keys.put(key.group(2) == null ? "PRIMARY" : key.group(2), key.group(1));
        } else if (column.matches()) {
            columns.put(column.group(1), Column.of(column));
        } else {
            throw new IllegalStateException("neither a column nor a key of " + name + ": " + line);
        }
    }

    /**
     * A column.
     *
     * @param definition what creates it
     */
    record Column(String definition, ColumnShape shape) {

        private static Column of(Matcher line) {
            return new Column(
                    line.group(1) + " " + line.group(2) + " " + line.group(3),
                    new ColumnShape(
                            line.group(2).toLowerCase(Locale.ROOT),
                            line.group(4) == null ? "" : line.group(4),
                            line.group(5).equals("NULL"),
                            line.group(6) == null ? "" : line.group(6),
                            line.group(7) == null ? "" : line.group(7).strip()));
        }
    }
}
