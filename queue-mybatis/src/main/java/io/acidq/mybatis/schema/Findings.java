package io.acidq.mybatis.schema;

import io.acidq.mybatis.session.Vendor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The differences and the statements that mend them. One ALTER TABLE mends all of a table: a column with AUTO_INCREMENT needs its key in
 * the same statement, and a large table is copied once.
 */
final class Findings {

    private final Vendor vendor;
    private final Set<String> differences = new LinkedHashSet<>();
    private final Set<String> first = new LinkedHashSet<>();
    private final Map<String, Set<String>> clauses = new LinkedHashMap<>();
    private final Set<String> last = new LinkedHashSet<>();
    private boolean tableMissing;

    Findings(Vendor vendor) {
        this.vendor = vendor;
    }

    /** A name from the database as SQL. */
    static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    void tableMissing(String difference) {
        differences.add(difference);
        tableMissing = true;
    }

    /** Something that stands in the way of other statements. */
    void obstacle(String difference, String statement) {
        differences.add(difference);
        first.add(statement);
    }

    /** Something that clauses of the table's ALTER TABLE mend. */
    void change(String difference, String table, String... mending) {
        differences.add(difference);
        clauses.computeIfAbsent(table, t -> new LinkedHashSet<>()).addAll(List.of(mending));
    }

    void rowMissing(String difference, String before, String insert) {
        obstacle(difference, before);
        last.add(insert);
    }

    /** The differences and what to do, each difference and each statement on a line of its own; empty when nothing differs. */
    String asText(String resource) {
        if (differences.isEmpty()) {
            return "";
        }
        return "\n- " + String.join("\n- ", differences) + "\nHow to mend it: " + advice(resource);
    }

    private String advice(String resource) {
        String create =
                "create what is missing with Schema.create, initialize-schema=always, or your migration tool with "
                        + resource.substring(1)
                        + " from the jar of queue-mybatis; for an account without a privilege on a table"
                        + " that table is missing too: Schema.grants says what it needs";
        if (vendor == Vendor.H2 && !clauses.isEmpty()) {
            return "delete this database of H2, and create the tables anew";
        }
        List<String> statements = statements();
        if (statements.isEmpty()) {
            return create;
        }
        return "stop every node of AcidQ and run these statements, most of which copy a table\n"
                + String.join(";\n", statements) + ";\nThen " + (tableMissing ? create : "start again");
    }

    private List<String> statements() {
        List<String> statements = new ArrayList<>();
        if (vendor != Vendor.H2) { // which has no ALTER TABLE of several clauses
            statements.addAll(first);
            clauses.forEach(
                    (table, mending) -> statements.add("ALTER TABLE " + table + " " + String.join(", ", mending)));
        }
        statements.addAll(last);
        return statements;
    }
}
