package io.acidq.mybatis.schema;

import io.acidq.mybatis.schema.SchemaMapper.RuleRow;
import java.util.List;
import java.util.Locale;

/** Finds what acts on the rows of a table: AcidQ brings nothing of the kind. */
final class RuleCheck {

    private final ShippedTable shipped;
    private final Findings findings;

    RuleCheck(ShippedTable shipped, Findings findings) {
        this.shipped = shipped;
        this.findings = findings;
    }

    void compare(List<RuleRow> found) {
        found.forEach(this::mustNotBe);
    }

    private void mustNotBe(RuleRow rule) {
        String name = Findings.quoted(rule.name());
        String holder = Findings.quoted(rule.holder());
        String difference = rule.kind().toLowerCase(Locale.ROOT) + " " + name + " at " + holder
                + " is not of AcidQ, and acts on the rows of " + shipped.name();
        switch (rule.kind()) {
            case "FOREIGN KEY" -> findings.obstacle(difference, "ALTER TABLE " + holder + " DROP FOREIGN KEY " + name);
            case "CHECK" -> findings.obstacle(difference, "ALTER TABLE " + holder + " DROP CONSTRAINT " + name);
            default -> mustNotBeAtColumn(difference, rule.name().toLowerCase(Locale.ROOT));
        }
    }

    /** In somebody else's column it does no harm: a JSON column of MariaDB has one. */
    private void mustNotBeAtColumn(String difference, String column) {
        ShippedTable.Column ours = shipped.columns().get(column);
        if (ours != null) {
            findings.change(difference, shipped.name(), "MODIFY " + ours.definition());
        }
    }
}
