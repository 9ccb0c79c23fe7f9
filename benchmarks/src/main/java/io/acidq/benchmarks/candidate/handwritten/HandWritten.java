package io.acidq.benchmarks.candidate.handwritten;

import io.acidq.benchmarks.candidate.Bench;
import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.candidate.CandidateKind;
import io.acidq.benchmarks.candidate.Capability;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** One of the hand-written queues. */
public final class HandWritten implements Candidate {

    private static final Set<Capability> QUEUE = EnumSet.of(
            Capability.BACKLOG,
            Capability.PLACING,
            Capability.LIVE,
            Capability.FROM_AFAR,
            Capability.KEYED,
            Capability.BULK);

    private final String name;
    private final Set<Capability> capabilities;
    private final Opening opening;

    private HandWritten(String name, Set<Capability> capabilities, Opening opening) {
        this.name = name;
        this.capabilities = Set.copyOf(capabilities);
        this.opening = opening;
    }

    /**
     * <ul>
     *   <li>{@code jdbc-N}: SELECT … FOR UPDATE SKIP LOCKED LIMIT N over an index of the status, the handlers, DELETE, COMMIT;
     *   <li>{@code jdbc-N-bare}: the same without a status, in the order of the primary key;
     *   <li>{@code no-claim}, {@code no-claim-50}: workers share out the ids in memory, so nothing is claimed: handlers, DELETE by primary key, COMMIT;
     *   <li>{@code one-connection}: the same with one worker, thus in order;
     *   <li>{@code rows-only}: places business rows and no messages.
     * </ul>
     */
    public static List<Candidate> all() {
        return List.of(
                jdbc("jdbc-1", 1, true),
                jdbc("jdbc-50", 50, true),
                jdbc("jdbc-1-bare", 1, false),
                jdbc("jdbc-50-bare", 50, false),
                noClaim("no-claim", 1),
                noClaim("no-claim-50", 50),
                new HandWritten(
                        "one-connection",
                        EnumSet.of(Capability.BACKLOG, Capability.ORDERED),
                        candidateDatabase -> new NoClaimBench(candidateDatabase, 1, 1)),
                new HandWritten("rows-only", EnumSet.of(Capability.PLACING), RowsOnlyBench::new));
    }

    private static Candidate jdbc(String name, int transactionSize, boolean status) {
        EnumSet<Capability> capabilities = EnumSet.copyOf(QUEUE);
        if (status) {
            capabilities.add(Capability.REMAINS);
        }
        return new HandWritten(
                name, capabilities, candidateDatabase -> new JdbcBench(candidateDatabase, transactionSize, status));
    }

    private static Candidate noClaim(String name, int transactionSize) {
        return new HandWritten(
                name,
                EnumSet.of(Capability.BACKLOG),
                candidateDatabase -> new NoClaimBench(candidateDatabase, candidateDatabase.workers(), transactionSize));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CandidateKind kind() {
        return CandidateKind.HAND_WRITTEN;
    }

    @Override
    public boolean acknowledgesWithTheEffect() {
        return true;
    }

    @Override
    public Set<Capability> abilities() {
        return capabilities;
    }

    @Override
    public List<String> tablePrefixes() {
        return List.of("hand_");
    }

    @Override
    public Bench open(CandidateDatabase candidateDatabase) throws Exception {
        return opening.open(candidateDatabase);
    }

    private interface Opening {
        Bench open(CandidateDatabase candidateDatabase) throws Exception;
    }
}
