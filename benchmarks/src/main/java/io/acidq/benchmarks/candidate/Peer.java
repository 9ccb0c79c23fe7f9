package io.acidq.benchmarks.candidate;

import java.util.List;
import java.util.Set;

/**
 * A library that its users would pick instead, in its best documented configuration.
 *
 * @param acknowledgesWithTheEffect whether the handler's effect and the end of its message commit in one transaction
 */
public record Peer(
        String name,
        boolean acknowledgesWithTheEffect,
        Set<Capability> abilities,
        List<String> tablePrefixes,
        AdapterFactory adapterFactory)
        implements Candidate {

    /** Sets it up. */
    @FunctionalInterface
    public interface AdapterFactory {
        CandidateAdapter open(CandidateDatabase candidateDatabase) throws Exception;
    }

    public Peer {
        abilities = Set.copyOf(abilities);
        tablePrefixes = List.copyOf(tablePrefixes);
    }

    @Override
    public CandidateKind kind() {
        return CandidateKind.PEER;
    }

    @Override
    public CandidateAdapter open(CandidateDatabase candidateDatabase) throws Exception {
        return adapterFactory.open(candidateDatabase);
    }
}
