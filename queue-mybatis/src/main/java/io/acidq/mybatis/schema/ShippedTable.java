package io.acidq.mybatis.schema;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A table as the shipped file defines it: the file is read, so that nothing has to be said twice.
 *
 * @param name    the table
 * @param columns type and whether NULL is allowed, by name of the column
 * @param keys    the columns of each key by its name; the primary key is called PRIMARY
 */
record ShippedTable(String name, Map<String, Column> columns, Map<String, List<String>> keys) {

    private static final Pattern TABLE = Pattern.compile("CREATE TABLE IF NOT EXISTS (\\w+) \\(");
    private static final Pattern COLUMN = Pattern.compile(
            "  (\\w+)\\s+(\\w+(?:\\(\\d+\\))?)\\s+(?:CHARACTER SET \\w+ COLLATE (\\w+) )?(NOT NULL|NULL).*");
    private static final Pattern KEY = Pattern.compile("  (?:PRIMARY KEY|(?:UNIQUE )?KEY (\\w+)) \\((.*)\\),?");

    /** All tables of a file that has one column or key per line. */
    static List<ShippedTable> in(String ddl) {
        Map<String, ShippedTable> tables = new LinkedHashMap<>();
        ShippedTable current = null;
        for (String line : ddl.split("\n", -1)) {
            Matcher table = TABLE.matcher(line);
            if (table.matches()) {
                current = new ShippedTable(table.group(1), new LinkedHashMap<>(), new LinkedHashMap<>());
                tables.put(current.name, current);
            } else if (current != null) {
                current.readLine(line);
            }
        }
        return new ArrayList<>(tables.values());
    }

    private void readLine(String line) {
        Matcher key = KEY.matcher(line);
        Matcher column = COLUMN.matcher(line);
        if (key.matches()) {
            keys.put(key.group(1) == null ? "PRIMARY" : key.group(1), columnsOf(key.group(2)));
        } else if (column.matches()) {
            String collation = column.group(3) == null ? "" : column.group(3);
            columns.put(
                    column.group(1),
                    new Column(
                            column.group(2).toLowerCase(Locale.ROOT),
                            collation,
                            column.group(4).equals("NULL")));
        }
    }

    private static List<String> columnsOf(String list) {
        return List.of(list.split(", ", -1));
    }

    /**
     * A column.
     *
     * @param type      its type in lower case, with the length
     * @param collation the collation, empty when none is given
     * @param nullable  whether NULL is allowed
     */
    record Column(String type, String collation, boolean nullable) {}
}
