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
 * The differences between a database and the definitions, and the statements that repair them. One ALTER TABLE repairs all of a table, because a column
 * with AUTO_INCREMENT needs its key in the same statement, and a large table is then copied only once.
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
     * Creates an empty list of differences.
     *
     * @param version the version of the definitions
     */
    SchemaDifference(ExpectedSchema expected, Vendor vendor, int version) {
        this.expected = expected;
        this.vendor = vendor;
        this.version = version;
    }

    /** Quotes a name of the database for SQL. */
    static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    /** Records that the tables have another version, which hides all other differences. */
    void otherVersion(int found) {
        otherVersion = found;
    }

    void tableMissing(String difference) {
        differences.add(difference);
        tableMissing = true;
    }

    /** Records a difference that other statements need to have repaired first. */
    void obstacle(String difference, String statement) {
        differences.add(difference);
        firstStatements.add(statement);
    }

    /** Records a difference that clauses of the ALTER TABLE repair. */
    void change(String difference, String table, String... repairs) {
        differences.add(difference);
        clauses.computeIfAbsent(table, t -> new LinkedHashSet<>()).addAll(List.of(repairs));
    }

    void rowMissing(String difference, String before, String insert) {
        obstacle(difference, before);
        lastStatements.add(insert);
    }

    /** Returns an exception that lists every difference and the repairs, one per line, or null if nothing differs. */
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
                problem + "\n- " + String.join("\n- ", differences) + "\nHow to repair it: " + advice());
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
                "run the migrations " + migrations + " that are next to " + expected.resource()
                        + " in the jar of queue-mybatis");
    }

    private String advice() {
        String create =
                "create the missing tables with Schema.create, initialize-schema=always, or your migration tool with "
                        + expected.resource().substring(1)
                        + " from the jar of queue-mybatis; a table also appears as missing if the account has no privilege on it:"
                        + " Schema.grants returns the privileges that it needs";
        if (vendor == Vendor.H2 && !clauses.isEmpty()) {
            return "delete this H2 database and create the tables again";
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
                    (table, repairs) -> statements.add("ALTER TABLE " + table + " " + String.join(", ", repairs)));
        }
        statements.addAll(lastStatements);
        return statements;
    }
}
