package io.acidq.benchmarks.candidate;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A queue in one configuration. Stateless: the state of a run is in its {@link CandidateAdapter}.
 *
 * @param name                      on the command line: lower case letters, digits and hyphens
 * @param acknowledgesWithTheEffect whether the handler's effect and the end of its message commit in one transaction
 * @param tablePrefixes             prefixes of the names of its tables and views, in lower case; a database with such tables is refused
 */
public record Candidate(
        String name,
        CandidateKind kind,
        boolean acknowledgesWithTheEffect,
        Set<Capability> abilities,
        List<String> tablePrefixes,
        AdapterFactory adapterFactory) {
    public Candidate {
        abilities = Collections.unmodifiableSet(new TreeSet<>(abilities));
        tablePrefixes = List.copyOf(tablePrefixes);
    }

    /** A library that users would choose instead, in its best documented configuration. */
    public static Candidate peer(
            String name,
            boolean acknowledgesWithTheEffect,
            Set<Capability> abilities,
            String tablePrefix,
            AdapterFactory adapterFactory) {
        return new Candidate(
                name, CandidateKind.PEER, acknowledgesWithTheEffect, abilities, List.of(tablePrefix), adapterFactory);
    }

    /** Sets the candidate up in the database of a run: creates its missing tables and starts no workers. */
    public CandidateAdapter open(CandidateDatabase database) throws Exception {
        return adapterFactory.open(database);
    }

    /** Opens an adapter. Another process may have created the tables by the same call. */
    @FunctionalInterface
    public interface AdapterFactory {
        CandidateAdapter open(CandidateDatabase database) throws Exception;
    }

    /** The origin of a candidate. */
    public enum CandidateKind {
        /** SQL written without a library, or a ceiling. The figures of all other candidates are divided by its figures. */
        HAND_WRITTEN,
        ACIDQ,
        PEER
    }
}
