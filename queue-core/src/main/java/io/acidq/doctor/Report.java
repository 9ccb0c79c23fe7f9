package io.acidq.doctor;

import io.acidq.doctor.Report.Finding.Level;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The findings of an examination, in the order of {@link Check}. Immutable.
 *
 * @param findings at least one for each check that was made
 */
public record Report(List<Finding> findings) {

    public Report {
        findings = List.copyOf(findings);
    }

    /** Returns the level of the most serious finding. */
    public Level worst() {
        return findings.stream()
                .map(Finding::level)
                .max(Comparator.naturalOrder())
                .orElse(Level.OK);
    }

    /** Returns the findings of a level. */
    public List<Finding> at(Level level) {
        return findings.stream().filter(f -> f.level() == level).toList();
    }

    /** Returns the findings of a check; empty when it was not made. */
    public List<Finding> of(Check check) {
        return findings.stream().filter(f -> f.check() == check).toList();
    }

    /** Returns the report as the command line and the actuator endpoint write it in JSON: field names and values, in order. */
    public Map<String, Object> toFields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("worst", worst().name());
        fields.put("findings", findings.stream().map(Finding::toFields).toList());
        return fields;
    }

    /**
     * The result of a check.
     *
     * @param check  the check
     * @param level  how serious it is
     * @param found  what was found and why it matters, as a text for people
     * @param advice what to do; empty when there is nothing to do
     */
    public record Finding(Check check, Level level, String found, String advice) {

        /** How serious a finding is, in ascending order. */
        public enum Level {
            /** As it should be. */
            OK,
            /** It works now and may fail under some conditions, or it could not be checked. */
            WARNING,
            /** Messages are not processed, or not as promised. */
            PROBLEM
        }

        private Map<String, Object> toFields() {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("check", check.toString());
            fields.put("level", level.name());
            fields.put("found", found);
            fields.put("advice", advice);
            return fields;
        }
    }
}
