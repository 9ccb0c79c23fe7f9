package io.acidq.mybatis.schema;

import io.acidq.QueueMisuseException;
import io.acidq.mybatis.session.Vendor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a database differs from the shipped file, and the statements that mend it. One ALTER TABLE mends all of a table: a column with
 * AUTO_INCREMENT needs its key in the same statement, and a large table is copied once.
 */
final class SchemaDifference {

    private final ExpectedSchema expected;
    private final Vendor vendor;
    private final int version;
    private final Set<String> differences = new LinkedHashSet<>();
    private final Set<String> firstStatements = new LinkedHashSet<>();
    private final Map<String, Set<String>> clauses = new LinkedHashMap<>();
    private final Set<String> lastStatements = new LinkedHashSet<>();
    private boolean tableMissing;
    private @Nullable Integer otherVersion;

    /**
     * No difference yet.
     *
     * @param version the version of the shipped file
     */
    SchemaDifference(ExpectedSchema expected, Vendor vendor, int version) {
        this.expected = expected;
        this.vendor = vendor;
        this.version = version;
    }

    /** A name from the database as SQL. */
    static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    /** The tables are those of another version: no other difference matters. */
    void otherVersion(int found) {
        otherVersion = found;
    }

    void tableMissing(String difference) {
        differences.add(difference);
        tableMissing = true;
    }

    /** Something that stands in the way of other statements. */
    void obstacle(String difference, String statement) {
        differences.add(difference);
        firstStatements.add(statement);
    }

    /** Something that clauses of the table's ALTER TABLE mend. */
    void change(String difference, String table, String... mending) {
        differences.add(difference);
        clauses.computeIfAbsent(table, t -> new LinkedHashSet<>()).addAll(List.of(mending));
    }

    void rowMissing(String difference, String before, String insert) {
        obstacle(difference, before);
        lastStatements.add(insert);
    }

    /** The exception that names every difference and how to mend it, each difference and each statement on a line of its own; null when nothing differs. */
    @Nullable
    QueueMisuseException exception() {
        String problem = "the tables of AcidQ in this database are not those of version " + version + ":";
        if (otherVersion != null) {
            return otherVersion(problem + " they have version " + otherVersion + ". ", otherVersion);
        }
        if (differences.isEmpty()) {
            return null;
        }
        return new QueueMisuseException(
                problem + "\n- " + String.join("\n- ", differences) + "\nHow to mend it: " + advice());
    }

    private QueueMisuseException otherVersion(String problem, int found) {
        if (found > version) {
            return QueueMisuseException.withAction(
                    problem + "This database was upgraded by a newer AcidQ",
                    "use AcidQ with schema version " + found
                            + " or newer in this process, or restore the database from before the upgrade");
        }
        String migrations = "V" + (found + 1) + "__…" + (found + 1 == version ? "" : " to V" + version + "__…");
        return QueueMisuseException.withAction(
                problem + "This database is older than this AcidQ",
                "run the migrations " + migrations + " that lie beside " + expected.resource()
                        + " in the jar of queue-mybatis");
    }

    private String advice() {
        String create =
                "create what is missing with Schema.create, initialize-schema=always, or your migration tool with "
                        + expected.resource().substring(1)
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
        if (vendor != Vendor.H2) { // H2 has no ALTER TABLE of several clauses
            statements.addAll(firstStatements);
            clauses.forEach(
                    (table, mending) -> statements.add("ALTER TABLE " + table + " " + String.join(", ", mending)));
        }
        statements.addAll(lastStatements);
        return statements;
    }
}
