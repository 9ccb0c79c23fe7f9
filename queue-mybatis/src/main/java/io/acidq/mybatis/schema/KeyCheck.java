package io.acidq.mybatis.schema;

import io.acidq.mybatis.schema.SchemaMapper.KeyRow;
import io.acidq.mybatis.session.Vendor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Compares the keys of a table. Further ones may be there, but no unique ones. */
final class KeyCheck {

    private final ShippedTable shipped;
    private final Vendor vendor;
    private final Findings findings;

    KeyCheck(ShippedTable shipped, Vendor vendor, Findings findings) {
        this.shipped = shipped;
        this.vendor = vendor;
        this.findings = findings;
    }

    void compare(List<KeyRow> found) {
        Map<String, Key> keys = new LinkedHashMap<>();
        found.stream()
                .collect(Collectors.groupingBy(KeyRow::keyName, LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .map(Key::of)
                .forEach(key -> keys.put(identity(key.name(), key.definition()), key));
        shipped.keys().forEach((name, needed) -> compare(name, needed, keys.remove(identity(name, needed))));
        keys.values().stream().filter(Key::unique).forEach(this::mustNotBe);
    }

    /** H2 names the index of a unique key itself. */
    private String identity(String name, String definition) {
        return vendor == Vendor.H2 ? definition.replaceFirst("KEY \\w+ ", "KEY ") : name.toLowerCase(Locale.ROOT);
    }

    private void compare(String name, String needed, @Nullable Key found) {
        String table = shipped.name();
        if (found == null) {
            findings.change("table " + table + " lacks " + needed, table, "ADD " + needed);
        } else if (vendor != Vendor.H2 && !found.definition().equals(needed)) {
            findings.change(
                    "table " + table + " has " + found.definition() + ", needs " + needed,
                    table,
                    name.equals("PRIMARY") ? "DROP PRIMARY KEY" : "DROP INDEX " + name,
                    "ADD " + needed);
        } else if (found.hidden()) { // else: to drop and add the same key leaves it hidden on both servers
            findings.change(
                    "table " + table + " has " + needed + ", but keeps it from being used",
                    table,
                    "ALTER INDEX " + name + (vendor == Vendor.MARIADB ? " NOT IGNORED" : " VISIBLE"));
        }
    }

    private void mustNotBe(Key key) {
        String name = Findings.quoted(key.name());
        findings.change(
                "key " + name + " of " + shipped.name()
                        + " is unique and not of AcidQ, can refuse messages, and locks gaps",
                shipped.name(),
                "DROP INDEX " + name);
    }

    private record Key(String name, String definition, boolean unique, boolean hidden) {

        static Key of(List<KeyRow> rows) {
            KeyRow first = rows.get(0);
            String name = first.keyName();
            String what = name.equals("PRIMARY")
                    ? "PRIMARY KEY"
                    : (first.kind() + " KEY " + name.toLowerCase(Locale.ROOT)).strip();
            return new Key(
                    name,
                    what + rows.stream().map(KeyRow::part).collect(Collectors.joining(", ", " (", ")")),
                    first.kind().equals("UNIQUE"),
                    first.hidden() == 1);
        }
    }
}
