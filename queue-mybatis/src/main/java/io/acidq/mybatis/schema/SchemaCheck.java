package io.acidq.mybatis.schema;

import io.acidq.mybatis.schema.SchemaMapper.ColumnRow;
import io.acidq.mybatis.schema.SchemaMapper.KeyRow;
import io.acidq.mybatis.schema.SchemaMapper.RuleRow;
import io.acidq.mybatis.schema.SchemaMapper.TableRow;
import io.acidq.mybatis.session.Vendor;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Compares a database with the shipped file. */
final class SchemaCheck {

    private final SchemaMapper database;
    private final Vendor vendor;
    private final int version;
    private final ShippedFile file;

    SchemaCheck(SchemaMapper database, Vendor vendor, int version) {
        this.database = database;
        this.vendor = vendor;
        this.version = version;
        this.file = ShippedFile.of(vendor);
    }

    /** All that differs and how to mend it. */
    Complaint complaint() {
        Map<String, TableRow> tables =
                database.tables().stream().collect(Collectors.toMap(TableRow::tableName, t -> t));
        Map<String, List<ColumnRow>> columns =
                database.columns().stream().collect(Collectors.groupingBy(ColumnRow::tableName));
        Integer found = isReadable(columns.getOrDefault("acidq_schema", List.of())) ? database.version() : null;
        if (found != null && found != version) {
            return otherVersion(found);
        }
        Findings findings = new Findings(vendor);
        compareTables(tables, columns, findings);
        TableRow schema = tables.get("acidq_schema");
        if (found == null && schema != null && TableCheck.isTable(schema)) {
            findings.rowMissing(
                    "table acidq_schema does not tell the version, which is " + version + " if nothing else differs",
                    "DELETE FROM acidq_schema", // a row would get version 0 with the missing column
                    file.insertVersion());
        }
        return new Complaint(findings.asText(file.resource()), null);
    }

    private static boolean isReadable(List<ColumnRow> columns) {
        return columns.stream().map(ColumnRow::columnName).toList().containsAll(List.of("id", "version"));
    }

    private Complaint otherVersion(int found) {
        String all = " they have version " + found + ". ";
        if (found > version) {
            return new Complaint(
                    all + "This database was upgraded by a newer AcidQ",
                    "use AcidQ with schema version " + found
                            + " or newer in this process, or restore the database from before the upgrade");
        }
        String first = "V" + (found + 1) + "__…";
        return new Complaint(
                all + "This database is older than this AcidQ",
                "run the migrations " + first + (found + 1 == version ? "" : " to V" + version + "__…")
                        + " that lie beside " + file.resource() + " in the jar of queue-mybatis");
    }

    private void compareTables(Map<String, TableRow> tables, Map<String, List<ColumnRow>> columns, Findings findings) {
        Map<String, List<KeyRow>> keys = database.keys().stream().collect(Collectors.groupingBy(KeyRow::tableName));
        List<RuleRow> rules = vendor == Vendor.H2 ? List.of() : database.rules();
        for (ShippedTable shipped : file.tables()) {
            String name = shipped.name();
            TableRow table = tables.get(name);
            if (table == null) {
                findings.tableMissing("table " + name + " is missing");
            } else if (new TableCheck(shipped, findings).isComparable(table)) {
                new ColumnCheck(shipped, vendor, findings).compare(columns.getOrDefault(name, List.of()));
                new KeyCheck(shipped, vendor, findings).compare(keys.getOrDefault(name, List.of()));
                new RuleCheck(shipped, findings)
                        .compare(rules.stream()
                                .filter(r -> r.tableName().equals(name))
                                .toList());
            }
        }
    }
}
