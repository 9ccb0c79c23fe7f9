package io.acidq.mybatis.schema;

import io.acidq.mybatis.schema.SchemaMapper.ColumnRow;
import io.acidq.mybatis.session.Vendor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The file of the jar that creates the tables.
 *
 * @param resource the path of the file in the jar
 * @param text     the text of the file
 */
record ExpectedSchema(String resource, String text) {

    static ExpectedSchema of(Vendor vendor) {
        String resource = vendor.schemaResource();
        return new ExpectedSchema(resource, read(resource));
    }

    /** Reads a file of the jar of this module. */
    static String read(String resource) {
        try (InputStream file = ExpectedSchema.class.getResourceAsStream(resource)) {
            if (file == null) {
                throw new IllegalStateException("missing in the jar of queue-mybatis: " + resource);
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("unreadable in the jar of queue-mybatis: " + resource, e);
        }
    }

    /** Returns the statements without comments and semicolons. */
    List<String> statements() {
        return Arrays.stream(text.split(";\\s*(\n|$)", -1))
                .map(s -> s.replaceAll("(?m)^--.*\n", "").strip())
                .filter(s -> !s.isEmpty())
                .toList();
    }

    List<Table> tables() {
        return statements().stream()
                .filter(s -> s.startsWith("CREATE TABLE"))
                .map(Table::of)
                .toList();
    }

    /** Returns the statement that writes the version, on one line. */
    String insertVersion() {
        return statements().stream()
                .filter(s -> s.startsWith("INSERT"))
                .findFirst()
                .orElseThrow()
                .replaceAll("\n\\s*", " ");
    }

    /**
     * A table as the file defines it.
     *
     * @param name       the name of the table
     * @param columns    the columns by name
     * @param keys       the definitions of the keys by name; the primary key has the name PRIMARY
     * @param statistics the options that pin the statistics
     */
    record Table(String name, Map<String, Column> columns, Map<String, String> keys, List<String> statistics) {

        private static final Pattern TABLE = Pattern.compile("CREATE TABLE IF NOT EXISTS (\\w+) \\(");
        private static final Pattern COLUMN = Pattern.compile(
                "  (\\w+)\\s+(\\w+(?:\\(\\d+\\))?)\\s+((?:CHARACTER SET \\w+ COLLATE (\\w+) )?(NOT NULL|NULL)"
                        + "(?: DEFAULT (\\S+))?( AUTO_INCREMENT)?(?: COMMENT '.*')?)");
        private static final Pattern KEY = Pattern.compile("  ((?:PRIMARY|(?:UNIQUE )?KEY (\\w+)).*\\))");
        private static final Pattern STATISTICS = Pattern.compile("STATS_\\w+=\\d");

        /** Parses a statement that has one column or key per line. */
        static Table of(String statement) {
            List<String> lines = statement.lines().toList();
            Matcher head = TABLE.matcher(lines.get(0));
            if (!head.matches()) {
                throw new IllegalStateException("no CREATE TABLE: " + lines.get(0));
            }
            Table table = new Table(head.group(1), new LinkedHashMap<>(), new LinkedHashMap<>(), new ArrayList<>());
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
         * @param definition the SQL that creates it
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

    /**
     * The compared properties of a column, in a form that is the same for every server.
     *
     * @param type      in lower case, without the display width of integers
     * @param collation empty if it has none
     * @param nullable  whether NULL is allowed
     * @param defaultValue  the default as SQL, empty if it has none
     * @param extra      in upper case: AUTO_INCREMENT, ON UPDATE …, VIRTUAL GENERATED, or empty
     */
    record ColumnShape(String type, String collation, boolean nullable, String defaultValue, String extra) {

        static ColumnShape of(ColumnRow row, Vendor vendor) {
            return new ColumnShape(
                    row.columnType()
                            .toLowerCase(Locale.ROOT)
                            .replaceAll("^(tinyint|smallint|int|bigint)\\(\\d+\\)$", "$1"),
                    row.collation() == null ? "" : row.collation(),
                    row.nullable() == 1,
                    vendor == Vendor.MARIADB ? byMariaDb(row.columnDefault()) : byMySql(row),
                    row.extra()
                            .toUpperCase(Locale.ROOT)
                            .replaceAll("DEFAULT_GENERATED|INVISIBLE|,", "")
                            .strip());
        }

        /** MariaDB reports defaults as SQL, and the word NULL for a nullable column without default. */
        private static String byMariaDb(@Nullable String reported) {
            return reported == null || reported.equals("NULL") ? "" : reported;
        }

        /** MySQL reports the plain value, hexadecimal for binary columns. Whether the default is an expression is in another column. */
        private static String byMySql(ColumnRow row) {
            String reported = row.columnDefault();
            if (reported == null) {
                return "";
            }
            boolean sql = reported.matches("-?\\d+|0x[0-9A-F]*") || row.extra().contains("DEFAULT_GENERATED");
            return sql ? reported : "'" + reported + "'";
        }

        /** Omits the properties that H2 reports in another form. */
        ColumnShape comparableOn(Vendor vendor) {
            return vendor == Vendor.H2 ? new ColumnShape("", "", nullable, "", extra) : this;
        }

        boolean isVirtual() {
            return extra.contains("VIRTUAL");
        }

        @Override
        public String toString() {
            return Stream.of(
                            type,
                            collation.isEmpty() ? "" : "COLLATE " + collation,
                            nullable ? "NULL" : "NOT NULL",
                            defaultValue.isEmpty() ? "" : "DEFAULT " + defaultValue,
                            extra)
                    .filter(word -> !word.isEmpty())
                    .collect(Collectors.joining(" "));
        }
    }
}
