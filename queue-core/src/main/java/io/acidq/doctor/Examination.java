package io.acidq.doctor;

/** One check. What it throws is noted as not looked at. */
@FunctionalInterface
interface Examination {

    void look(FindingCollector notes);
}
