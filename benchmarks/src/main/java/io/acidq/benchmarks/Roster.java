package io.acidq.benchmarks;

import io.acidq.benchmarks.candidate.Candidate;
import java.util.List;
import java.util.stream.Stream;

/** All who can take part, in the order of the report. */
final class Roster {

    private Roster() {}

    static List<Candidate> all() {
        return Stream.<List<Candidate>>of().flatMap(List::stream).toList();
    }
}
