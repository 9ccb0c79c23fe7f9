package io.acidq.benchmarks;

import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.acidq.AcidQ;
import io.acidq.benchmarks.candidate.handwritten.HandWritten;
import java.util.List;
import java.util.stream.Stream;

/** All who can take part, in the order of the report. */
final class Roster {

    private Roster() {}

    static List<Candidate> all() {
        return Stream.of(HandWritten.all(), AcidQ.all()).flatMap(List::stream).toList();
    }
}
