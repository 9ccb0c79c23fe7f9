package io.acidq.doctor;

/** One check. What it throws is noted as not looked at. */
@FunctionalInterface
interface DoctorCheck {

    void run(FindingCollector notes);
}
