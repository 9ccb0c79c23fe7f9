package io.acidq.mybatis.schema;

import io.acidq.mybatis.schema.SchemaMapper.ColumnRow;
import io.acidq.mybatis.session.Vendor;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Compares the columns of a table. */
final class ColumnCheck {

    private final ShippedTable shipped;
    private final Vendor vendor;
    private final Findings findings;

    ColumnCheck(ShippedTable shipped, Vendor vendor, Findings findings) {
        this.shipped = shipped;
        this.vendor = vendor;
        this.findings = findings;
    }

    void compare(List<ColumnRow> found) {
        Map<String, ColumnRow> byName = found.stream().collect(Collectors.toMap(ColumnRow::columnName, c -> c));
        shipped.columns().forEach((name, column) -> {
            ColumnRow there = byName.remove(name);
            if (there == null) {
                findings.change(
                        "column " + shipped.name() + "." + name + " is missing",
                        shipped.name(),
                        "ADD COLUMN " + column.definition());
            } else {
                compare(name, column, ColumnShape.of(there, vendor).comparableOn(vendor));
            }
        });
        byName.values().stream().filter(c -> c.optional() == 0).forEach(this::mustBeOptional);
    }

    private void compare(String name, ShippedTable.Column column, ColumnShape found) {
        ColumnShape needed = column.shape().comparableOn(vendor);
        if (found.equals(needed)) {
            return;
        }
        String difference = "column " + shipped.name() + "." + name + " is " + found + ", needs " + needed;
        if (found.isVirtual()) { // which can not be modified
            findings.change(difference, shipped.name(), "DROP COLUMN " + name, "ADD COLUMN " + column.definition());
        } else {
            findings.change(difference, shipped.name(), "MODIFY " + column.definition());
        }
    }

    /** A column of somebody else: it keeps its data. */
    private void mustBeOptional(ColumnRow column) {
        String name = Findings.quoted(column.columnName());
        findings.change(
                "column " + shipped.name() + "." + name
                        + " is not of AcidQ and has no default, so that every INSERT fails",
                shipped.name(),
                "MODIFY " + name + " " + column.columnType()
                        + (column.collation() == null ? "" : " COLLATE " + column.collation()) + " NULL");
    }
}
