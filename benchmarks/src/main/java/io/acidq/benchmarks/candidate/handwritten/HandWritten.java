package io.acidq.benchmarks.candidate.handwritten;

import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.CandidateAdapter;
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
            Capability.SENDING,
            Capability.LIVE,
            Capability.OTHER_PROCESS,
            Capability.KEYED,
            Capability.BULK);

    private final String name;
    private final Set<Capability> capabilities;
    private final AdapterFactory adapterFactory;

    private HandWritten(String name, Set<Capability> capabilities, AdapterFactory adapterFactory) {
        this.name = name;
        this.capabilities = Set.copyOf(capabilities);
        this.adapterFactory = adapterFactory;
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
                        candidateDatabase -> new NoClaimAdapter(candidateDatabase, 1, 1)),
                new HandWritten("rows-only", EnumSet.of(Capability.SENDING), RowsOnlyAdapter::new));
    }

    private static Candidate jdbc(String name, int transactionSize, boolean status) {
        EnumSet<Capability> capabilities = EnumSet.copyOf(QUEUE);
        if (status) {
            capabilities.add(Capability.FILLED_TABLES);
        }
        return new HandWritten(
                name, capabilities, candidateDatabase -> new JdbcAdapter(candidateDatabase, transactionSize, status));
    }

    private static Candidate noClaim(String name, int transactionSize) {
        return new HandWritten(
                name,
                EnumSet.of(Capability.BACKLOG),
                candidateDatabase ->
                        new NoClaimAdapter(candidateDatabase, candidateDatabase.workers(), transactionSize));
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
    public CandidateAdapter open(CandidateDatabase candidateDatabase) throws Exception {
        return adapterFactory.open(candidateDatabase);
    }

    private interface AdapterFactory {
        CandidateAdapter open(CandidateDatabase candidateDatabase) throws Exception;
    }
}
