package io.acidq.mybatis.schema;

import io.acidq.mybatis.schema.ExpectedSchema.ColumnShape;
import io.acidq.mybatis.schema.ExpectedSchema.Table;
import io.acidq.mybatis.schema.SchemaMapper.ColumnRow;
import io.acidq.mybatis.schema.SchemaMapper.IndexRow;
import io.acidq.mybatis.schema.SchemaMapper.RuleRow;
import io.acidq.mybatis.schema.SchemaMapper.TableRow;
import io.acidq.mybatis.session.Vendor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One comparison of a database with the definitions: first the version, then the tables with their columns, keys and constraints. */
final class SchemaCheck {

    private final SchemaMapper database;
    private final Vendor vendor;
    private final int version;
    private final ExpectedSchema expected;
    private final SchemaDifference difference;

    SchemaCheck(SchemaMapper database, Vendor vendor, int version) {
        this.database = database;
        this.vendor = vendor;
        this.version = version;
        this.expected = ExpectedSchema.of(vendor);
        this.difference = new SchemaDifference(expected, vendor, version);
    }

    SchemaDifference difference() {
        Map<String, TableRow> tables =
                database.tables().stream().collect(Collectors.toMap(TableRow::tableName, t -> t));
        Map<String, List<ColumnRow>> columns =
                database.columns().stream().collect(Collectors.groupingBy(ColumnRow::tableName));
        Integer found = isReadable(columns.getOrDefault("acidq_schema", List.of())) ? database.version() : null;
        if (found != null && found != version) {
            difference.otherVersion(found);
            return difference;
        }
        compareTables(tables, columns);
        TableRow schema = tables.get("acidq_schema");
        if (found == null && schema != null && isTable(schema)) {
            difference.rowMissing(
                    "table acidq_schema does not contain the version, which is " + version + " if nothing else differs",
                    "DELETE FROM acidq_schema", // a row with a missing version column would get version 0
                    expected.insertVersion());
        }
        return difference;
    }

    private static boolean isReadable(List<ColumnRow> columns) {
        return columns.stream().map(ColumnRow::columnName).toList().containsAll(List.of("id", "version"));
    }

    private void compareTables(Map<String, TableRow> tables, Map<String, List<ColumnRow>> columns) {
        Map<String, List<IndexRow>> keys = database.keys().stream().collect(Collectors.groupingBy(IndexRow::tableName));
        List<RuleRow> rules = vendor == Vendor.H2 ? List.of() : database.rules();
        for (Table table : expected.tables()) {
            String name = table.name();
            TableRow found = tables.get(name);
            if (found == null) {
                difference.tableMissing("table " + name + " is missing");
            } else if (!isTable(found)) {
                String kind = name + " is a " + found.tableType() + ", not a table";
                difference.obstacle(kind, "DROP " + found.tableType() + " " + name);
                difference.tableMissing(kind);
            } else {
                compareOptions(table, found);
                compareColumns(table, columns.getOrDefault(name, List.of()));
                compareKeys(table, keys.getOrDefault(name, List.of()));
                rules.stream().filter(r -> r.tableName().equals(name)).forEach(r -> reportForbidden(table, r));
            }
        }
    }

    /** MariaDB reports tables with system versioning as a separate type. */
    private static boolean isTable(TableRow found) {
        return List.of("BASE TABLE", "SYSTEM VERSIONED").contains(found.tableType());
    }

    private void compareOptions(Table table, TableRow found) {
        String name = table.name();
        String alter = "ALTER TABLE " + name;
        List<String> options = words(found.createOptions());
        if (options.contains("PARTITIONED")) { // first, because it may be partitioned by system time
            difference.obstacle("table " + name + " is partitioned", alter + " REMOVE PARTITIONING");
        }
        if (found.tableType().equals("SYSTEM VERSIONED")) {
            difference.obstacle(
                    "table " + name + " is system-versioned, so that deleted rows stay",
                    alter + " DROP SYSTEM VERSIONING");
        }
        if (found.engine() != null && !found.engine().equals("InnoDB")) {
            difference.change(
                    "table " + name + " has engine " + found.engine() + ", needs InnoDB, which has transactions",
                    name,
                    "ENGINE=InnoDB");
        }
        if (!options.containsAll(table.statistics())) {
            String pins = String.join(" ", table.statistics());
            difference.change("table " + name + " has lost " + pins + ", so that its plans may change", name, pins);
        }
    }

    private static List<String> words(@Nullable String options) {
        return options == null
                ? List.of()
                : List.of(options.toUpperCase(Locale.ROOT).split(" ", -1));
    }

    private void compareColumns(Table table, List<ColumnRow> found) {
        Map<String, ColumnRow> byName = found.stream().collect(Collectors.toMap(ColumnRow::columnName, c -> c));
        table.columns().forEach((name, column) -> {
            ColumnRow actual = byName.remove(name);
            if (actual == null) {
                difference.change(
                        "column " + table.name() + "." + name + " is missing",
                        table.name(),
                        "ADD COLUMN " + column.definition());
            } else {
                compareColumn(
                        table, name, column, ColumnShape.of(actual, vendor).comparableOn(vendor));
            }
        });
        byName.values().stream().filter(c -> c.optional() == 0).forEach(c -> mustBeOptional(table, c));
    }

    private void compareColumn(Table table, String name, Table.Column column, ColumnShape found) {
        ColumnShape needed = column.shape().comparableOn(vendor);
        if (found.equals(needed)) {
            return;
        }
        String text = "column " + table.name() + "." + name + " is " + found + ", needs " + needed;
        if (found.isVirtual()) { // MODIFY fails on such a column
            difference.change(text, table.name(), "DROP COLUMN " + name, "ADD COLUMN " + column.definition());
        } else {
            difference.change(text, table.name(), "MODIFY " + column.definition());
        }
    }

    /** Makes a column that AcidQ did not create optional instead of dropping it, so that it keeps its data. */
    private void mustBeOptional(Table table, ColumnRow column) {
        String name = SchemaDifference.quoted(column.columnName());
        difference.change(
                "column " + table.name() + "." + name
                        + " does not belong to AcidQ and has no default, so that every INSERT fails",
                table.name(),
                "MODIFY " + name + " " + column.columnType()
                        + (column.collation() == null ? "" : " COLLATE " + column.collation()) + " NULL");
    }

    /** Additional keys are allowed if they are not unique. */
    private void compareKeys(Table table, List<IndexRow> found) {
        Map<String, Key> keys = new LinkedHashMap<>();
        found.stream()
                .collect(Collectors.groupingBy(IndexRow::keyName, LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .map(Key::of)
                .forEach(key -> keys.put(identity(key.name(), key.definition()), key));
        table.keys().forEach((name, needed) -> compareKey(table, name, needed, keys.remove(identity(name, needed))));
        keys.values().stream().filter(Key::unique).forEach(key -> reportForbidden(table, key));
    }

    /** H2 generates the name of the index of a unique key. */
    private String identity(String name, String definition) {
        return vendor == Vendor.H2 ? definition.replaceFirst("KEY \\w+ ", "KEY ") : name.toLowerCase(Locale.ROOT);
    }

    private void compareKey(Table expectedTable, String name, String needed, @Nullable Key found) {
        String table = expectedTable.name();
        if (found == null) {
            difference.change("table " + table + " lacks " + needed, table, "ADD " + needed);
        } else if (vendor != Vendor.H2 && !found.definition().equals(needed)) {
            difference.change(
                    "table " + table + " has " + found.definition() + ", needs " + needed,
                    table,
                    name.equals("PRIMARY") ? "DROP PRIMARY KEY" : "DROP INDEX " + name,
                    "ADD " + needed);
        } else if (found.hidden()) {
            // not repaired as above: on both servers, a hidden key that is dropped and added stays hidden
            difference.change(
                    "table " + table + " has " + needed + ", but keeps it from being used",
                    table,
                    "ALTER INDEX " + name + (vendor == Vendor.MARIADB ? " NOT IGNORED" : " VISIBLE"));
        }
    }

    private void reportForbidden(Table table, Key key) {
        String name = SchemaDifference.quoted(key.name());
        difference.change(
                "key " + name + " of " + table.name()
                        + " is unique and does not belong to AcidQ, can refuse messages, and locks gaps",
                table.name(),
                "DROP INDEX " + name);
    }

    /** AcidQ defines no constraints, so that every constraint is foreign. */
    private void reportForbidden(Table table, RuleRow rule) {
        String name = SchemaDifference.quoted(rule.name());
        String holder = SchemaDifference.quoted(rule.holder());
        String text = rule.kind().toLowerCase(Locale.ROOT) + " " + name + " at " + holder
                + " does not belong to AcidQ, and acts on the rows of " + table.name();
        switch (rule.kind()) {
            case "FOREIGN KEY" -> difference.obstacle(text, "ALTER TABLE " + holder + " DROP FOREIGN KEY " + name);
            case "CHECK" -> difference.obstacle(text, "ALTER TABLE " + holder + " DROP CONSTRAINT " + name);
            default -> {
                // a check of a foreign column is harmless: MariaDB adds one to every JSON column
                Table.Column ours = table.columns().get(rule.name().toLowerCase(Locale.ROOT));
                if (ours != null) {
                    difference.change(text, table.name(), "MODIFY " + ours.definition());
                }
            }
        }
    }

    private record Key(String name, String definition, boolean unique, boolean hidden) {

        static Key of(List<IndexRow> rows) {
            IndexRow first = rows.get(0);
            String name = first.keyName();
            String kind = name.equals("PRIMARY")
                    ? "PRIMARY KEY"
                    : (first.kind() + " KEY " + name.toLowerCase(Locale.ROOT)).strip();
            return new Key(
                    name,
                    kind + rows.stream().map(IndexRow::part).collect(Collectors.joining(", ", " (", ")")),
                    first.kind().equals("UNIQUE"),
                    first.hidden() == 1);
        }
    }
}
