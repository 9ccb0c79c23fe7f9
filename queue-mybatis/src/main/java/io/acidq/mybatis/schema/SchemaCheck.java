package io.acidq.mybatis.schema;

import io.acidq.mybatis.schema.SchemaMapper.ColumnRow;
import io.acidq.mybatis.schema.SchemaMapper.KeyRow;
import io.acidq.mybatis.schema.SchemaMapper.TableRow;
import io.acidq.mybatis.session.Vendor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Compares a database with the shipped tables and names every difference. */
final class SchemaCheck {

    private final SchemaMapper database;
    private final Vendor vendor;
    private final List<String> differences = new ArrayList<>();

    SchemaCheck(SchemaMapper database, Vendor vendor) {
        this.database = database;
        this.vendor = vendor;
    }

    List<String> differencesFrom(List<ShippedTable> shipped, int version) {
        Map<String, TableRow> tables =
                database.tables().stream().collect(Collectors.toMap(t -> lower(t.tableName()), t -> t));
        Map<String, List<ColumnRow>> columns =
                database.columns().stream().collect(Collectors.groupingBy(c -> lower(c.tableName())));
        Map<String, List<KeyRow>> keys =
                database.keys().stream().collect(Collectors.groupingBy(k -> lower(k.tableName())));
        for (ShippedTable table : shipped) {
            TableRow found = tables.get(table.name());
            if (found == null) {
                differences.add("table " + table.name() + " is missing");
                continue;
            }
            compareEngine(found);
            compareColumns(table, columns.getOrDefault(table.name(), List.of()));
            compareKeys(table, keys.getOrDefault(table.name(), List.of()));
        }
        if (tables.containsKey("acidq_schema")) {
            compareVersion(version);
        }
        return differences;
    }

    private void compareVersion(int version) {
        Integer found = database.version();
        if (found == null) {
            differences.add("table acidq_schema has no row, so the tables were not created completely");
        } else if (found != version) {
            differences.add("the tables have version " + found + ", this AcidQ needs version " + version);
        }
    }

    private void compareEngine(TableRow table) {
        if (vendor != Vendor.H2 && !"InnoDB".equalsIgnoreCase(table.engine())) {
            differences.add("table " + table.tableName() + " has engine " + table.engine()
                    + ", which has no transactions: ALTER TABLE " + table.tableName() + " ENGINE=InnoDB");
        }
    }

    private void compareColumns(ShippedTable table, List<ColumnRow> found) {
        Map<String, ColumnRow> byName = found.stream().collect(Collectors.toMap(c -> lower(c.columnName()), c -> c));
        table.columns().forEach((name, shipped) -> {
            ColumnRow column = byName.remove(name);
            if (column == null) {
                differences.add("column " + table.name() + "." + name + " is missing");
            } else {
                compareColumn(table.name() + "." + name, shipped, column);
            }
        });
        byName.values().stream()
                .filter(c -> c.optional() == 0)
                .forEach(c -> differences.add("column " + table.name() + "." + lower(c.columnName())
                        + " is not of AcidQ and has no default, so every INSERT would fail"));
    }

    private void compareColumn(String name, ShippedTable.Column shipped, ColumnRow column) {
        String type = lower(column.columnType()).replaceAll("^(tinyint|smallint|int|bigint)\\(\\d+\\)$", "$1");
        if (vendor != Vendor.H2 && !type.equals(shipped.type())) {
            differences.add("column " + name + " has type " + type + ", needs " + shipped.type());
        }
        if (vendor != Vendor.H2
                && !shipped.collation().isEmpty()
                && !shipped.collation().equals(column.collation())) {
            differences.add(
                    "column " + name + " has collation " + column.collation() + ", needs " + shipped.collation());
        }
        if ((column.nullable() == 1) != shipped.nullable()) {
            differences.add("column " + name + " must be " + (shipped.nullable() ? "NULL" : "NOT NULL"));
        }
    }

    private void compareKeys(ShippedTable table, List<KeyRow> found) {
        Map<String, List<String>> byName = found.stream()
                .collect(Collectors.groupingBy(
                        k -> lower(k.keyName()), Collectors.mapping(k -> lower(k.columnName()), Collectors.toList())));
        table.keys().forEach((name, columns) -> {
            List<String> there = byName.get(lower(name));
            String what = name.equals("PRIMARY") ? "the primary key" : "key " + name;
            if (vendor == Vendor.H2 && byName.containsValue(columns)) {
                return; // H2 names the index of a unique key itself
            }
            if (there == null) {
                differences.add(what + " of " + table.name() + " " + columns + " is missing");
            } else if (!there.equals(columns)) {
                differences.add(what + " of " + table.name() + " has columns " + there + ", needs " + columns);
            }
        });
    }

    private static String lower(@Nullable String text) {
        return text == null ? "" : text.toLowerCase(Locale.ROOT);
    }
}
