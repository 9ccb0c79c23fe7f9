package io.acidq.benchmarks.candidate;

import java.util.List;
import java.util.Set;

/** A queue that takes part, in one configuration. Stateless: the state of a run is its {@link CandidateAdapter}. */
public interface Candidate {

    /** As on the command line: lower case letters, digits and hyphens. */
    String name();

    CandidateKind kind();

    /** Whether the handler's effect and the end of its message commit in one transaction. */
    boolean acknowledgesWithTheEffect();

    Set<Capability> abilities();

    /** How the names of its tables and views begin, in lower case. A given database that has such tables already is refused. */
    List<String> tablePrefixes();

    /**
     * Sets it up in the database of a run: creates what is missing there, and leaves alone what another process has created by the same
     * call. Starts no workers.
     */
    CandidateAdapter open(CandidateDatabase candidateDatabase) throws Exception;
}
