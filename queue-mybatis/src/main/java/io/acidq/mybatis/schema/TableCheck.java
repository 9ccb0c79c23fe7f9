package io.acidq.mybatis.schema;

import io.acidq.mybatis.schema.SchemaMapper.TableRow;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Compares a table as a whole, without its columns and keys. */
final class TableCheck {

    private final ShippedTable shipped;
    private final Findings findings;
    private final String alter;

    TableCheck(ShippedTable shipped, Findings findings) {
        this.shipped = shipped;
        this.findings = findings;
        this.alter = "ALTER TABLE " + shipped.name();
    }

    /** Compares it; false when it is no table at all. */
    boolean isComparable(TableRow found) {
        String name = shipped.name();
        if (!isTable(found)) {
            String difference = name + " is a " + found.tableType() + ", not a table";
            findings.obstacle(difference, "DROP " + found.tableType() + " " + name);
            findings.tableMissing(difference);
            return false;
        }
        List<String> options = words(found.createOptions());
        if (options.contains("PARTITIONED")) { // first: it may be by system time
            findings.obstacle("table " + name + " is partitioned", alter + " REMOVE PARTITIONING");
        }
        if (found.tableType().equals("SYSTEM VERSIONED")) {
            findings.obstacle(
                    "table " + name + " is system-versioned, so that deleted rows stay",
                    alter + " DROP SYSTEM VERSIONING");
        }
        if (found.engine() != null && !found.engine().equals("InnoDB")) {
            findings.change(
                    "table " + name + " has engine " + found.engine() + ", needs InnoDB, which has transactions",
                    name,
                    "ENGINE=InnoDB");
        }
        if (!options.containsAll(shipped.statistics())) {
            String pins = String.join(" ", shipped.statistics());
            findings.change("table " + name + " has lost " + pins + ", so that its plans may change", name, pins);
        }
        return true;
    }

    /** MariaDB says so of a table with system versioning. */
    static boolean isTable(TableRow found) {
        return List.of("BASE TABLE", "SYSTEM VERSIONED").contains(found.tableType());
    }

    private static List<String> words(@Nullable String options) {
        return options == null
                ? List.of()
                : List.of(options.toUpperCase(Locale.ROOT).split(" ", -1));
    }
}
