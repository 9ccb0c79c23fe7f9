package io.acidq.doctor;

import java.util.List;

/** Takes down what one check finds. */
record FindingCollector(Check check, List<Finding> findings) {

    void ok(String found) {
        findings.add(new Finding(check, Level.OK, found, ""));
    }

    void warning(String found, String advice) {
        findings.add(new Finding(check, Level.WARNING, found, advice));
    }

    void problem(String found, String advice) {
        findings.add(new Finding(check, Level.PROBLEM, found, advice));
    }

    /** Says that all is well unless something else was said. */
    void okIfNothing(String found) {
        if (findings.stream().noneMatch(f -> f.check() == check)) {
            ok(found);
        }
    }
}
