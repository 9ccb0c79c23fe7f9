package io.acidq.benchmarks.candidate.handwritten;

import io.acidq.benchmarks.candidate.Ability;
import io.acidq.benchmarks.candidate.Bench;
import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.Kind;
import io.acidq.benchmarks.candidate.Site;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** One of the hand-written queues. */
public final class HandWritten implements Candidate {

    private static final Set<Ability> QUEUE =
            EnumSet.of(Ability.BACKLOG, Ability.PLACING, Ability.LIVE, Ability.FROM_AFAR, Ability.KEYED, Ability.BULK);

    private final String name;
    private final Set<Ability> abilities;
    private final Opening opening;

    private HandWritten(String name, Set<Ability> abilities, Opening opening) {
        this.name = name;
        this.abilities = Set.copyOf(abilities);
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
                        EnumSet.of(Ability.BACKLOG, Ability.ORDERED),
                        site -> new NoClaimBench(site, 1, 1)),
                new HandWritten("rows-only", EnumSet.of(Ability.PLACING), RowsOnlyBench::new));
    }

    private static Candidate jdbc(String name, int transactionSize, boolean status) {
        EnumSet<Ability> abilities = EnumSet.copyOf(QUEUE);
        if (status) {
            abilities.add(Ability.REMAINS);
        }
        return new HandWritten(name, abilities, site -> new JdbcBench(site, transactionSize, status));
    }

    private static Candidate noClaim(String name, int transactionSize) {
        return new HandWritten(
                name, EnumSet.of(Ability.BACKLOG), site -> new NoClaimBench(site, site.workers(), transactionSize));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Kind kind() {
        return Kind.HAND_WRITTEN;
    }

    @Override
    public boolean acknowledgesWithTheEffect() {
        return true;
    }

    @Override
    public Set<Ability> abilities() {
        return abilities;
    }

    @Override
    public List<String> tablePrefixes() {
        return List.of("hand_");
    }

    @Override
    public Bench open(Site site) throws Exception {
        return opening.open(site);
    }

    private interface Opening {
        Bench open(Site site) throws Exception;
    }
}
