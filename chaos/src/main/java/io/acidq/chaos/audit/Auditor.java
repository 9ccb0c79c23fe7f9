package io.acidq.chaos.audit;

import io.acidq.chaos.audit.Story.Death;
import io.acidq.chaos.role.Deed;
import io.acidq.chaos.role.Deed.End;
import io.acidq.chaos.role.Journal.Phase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** Compares journals and database when everything has come to rest. */
public final class Auditor {

    /** What fails at each start, and does not end its process. */
    private static final Set<Deed> FAILING = EnumSet.of(Deed.FAIL, Deed.COMMIT, Deed.DDL, Deed.ENDLESS);

    private final Path journals;
    private final int maxAttempts;
    private final int maxDeaths;
    private final Duration patience;

    public Auditor(Path journals, int maxAttempts, int maxDeaths) {
        this(journals, maxAttempts, maxDeaths, Rest.PATIENCE);
    }

    /**
     * @param patience how long the connections of the others may take to end
     */
    Auditor(Path journals, int maxAttempts, int maxDeaths, Duration patience) {
        this.journals = journals;
        this.maxAttempts = maxAttempts;
        this.maxDeaths = maxDeaths;
        this.patience = patience;
    }

    /** Reads everything, and judges it. */
    public Verdict audit(Connection connection) throws SQLException {
        return audit(connection, Failover.NONE);
    }

    /** Reads everything, and judges it as what is left after a failover: what it has lost must be lost whole. */
    public Verdict audit(Connection connection, Failover failover) throws SQLException {
        Verdict verdict = new Verdict();
        Journals told = new Journals(journals);
        Map<String, Story> stories = told.read();
        Books books = new Books(connection);
        books.read(stories);
        stories.values().forEach(story -> {
            if (failover.hasLost(story.key)) {
                verdict.check(Invariant.FAILED_IS_INVISIBLE, !story.isInDatabase(), story); // it may have run before
            } else {
                judge(verdict, story, books.nodes());
                if (failover.wasUnderWay(story.key)) {
                    verdict.check(Invariant.EFFECT_OF_A_START, failover.isDoneSince(story), story);
                }
            }
        });
        order(verdict, stories.values());
        KeyOrder keys = new KeyOrder(verdict, books.nodes());
        stories.values().stream()
                .filter(story -> story.lane != null && !failover.hasLost(story.key) && !failover.wasUnderWay(story.key))
                .collect(Collectors.groupingBy(story -> String.valueOf(story.lane)))
                .values()
                .forEach(keys::judge);
        Runs runs = new Runs(verdict, books.nodes());
        stories.values().stream()
                .filter(story -> !failover.hasLost(story.key) && !failover.wasUnderWay(story.key))
                .forEach(runs::judge);
        found(verdict, Invariant.NOTHING_FROM_NOWHERE, told.strangers());
        found(verdict, Invariant.NOTHING_FROM_NOWHERE, books.strangers());
        found(verdict, Invariant.CONSERVED, books.imbalance());
        found(verdict, Invariant.PLACES_ARE_HELD, books.lostPlaces());
        found(verdict, Invariant.NO_NODE_LEFT, failover == Failover.NONE ? books.alive() : List.of());
        Rest rest = new Rest(connection, patience);
        found(verdict, Invariant.NO_CONNECTION_LEFT, rest.connections());
        found(verdict, Invariant.NO_LOCK_LEFT, rest.locks());
        told.stops().forEach(stop -> verdict.check(Invariant.NO_THREAD_LEFT, stop.isClean(), stop));
        return verdict;
    }

    private void judge(Verdict verdict, Story story, Nodes nodes) {
        verdict.did(story.deed, story.deeds());
        verdict.check(Invariant.ONE_EFFECT, story.effects.size() <= 1, story);
        verdict.check(
                Invariant.DONE_IS_GONE,
                story.effects.isEmpty() || (story.places.isEmpty() && story.death == null),
                story);
        verdict.check(Invariant.DRAINED, story.places.isEmpty(), story);
        verdict.check(Invariant.KEYS_AS_BOOKED, story.keyed == story.booked && story.uids.size() <= 1, story);
        verdict.check(Invariant.NOT_EARLY, !story.early && !story.wasStartedEarly(), story);
        verdict.check(Invariant.EFFECT_AS_MEANT, isAsMeant(story), story);
        switch (story.promised) {
            case OK -> verdict.check(Invariant.COMMITTED_ENDS_ONCE, story.isOver() && story.booked, story);
            case FAILED -> verdict.check(Invariant.FAILED_IS_INVISIBLE, !story.isVisible(), story);
            default ->
                verdict.check(
                        Invariant.UNKNOWN_IS_ALL_OR_NOTHING, story.booked ? story.isOver() : !story.isVisible(), story);
        }
        if (story.isOver() && story.promised != Phase.FAILED) {
            verdict.check(
                    Invariant.ENDS_AS_ITS_DEED_ASKS,
                    (story.deed.end() == End.DEAD) == (story.death != null) && hasDiedOnceIfAsked(story),
                    story);
        }
        Death death = story.death;
        if (death != null) {
            verdict.check(Invariant.DEATHS_ARE_BURIALS, death.deaths() <= story.shownDeaths(nodes), story);
        }
        if (death != null && FAILING.contains(story.deed)) {
            verdict.check(
                    Invariant.DEAD_AFTER_ALL_ATTEMPTS,
                    death.attempts() == maxAttempts || death.deaths() == maxDeaths,
                    story);
        }
        if (death != null && story.deed == Deed.HALT) {
            verdict.check(Invariant.DEAD_AFTER_ALL_DEATHS, death.deaths() == maxDeaths && death.attempts() == 0, story);
        }
    }

    /** What ends its process at the first start can have its effect only where that death was counted. */
    private static boolean hasDiedOnceIfAsked(Story story) {
        return story.deed != Deed.HALT_ONCE
                || story.effects.stream()
                        .allMatch(e ->
                                story.starts.stream().anyMatch(s -> s.isOf(e.node(), e.claimNo()) && s.deaths > 0));
    }

    private static boolean isAsMeant(Story story) {
        return story.effects.stream().allMatch(e -> e.seq() == story.seq && Objects.equals(e.lane(), story.lane))
                && (story.death == null || story.death.asMeant());
    }

    private static void order(Verdict verdict, Collection<Story> stories) {
        Map<String, Story> last = new HashMap<>();
        stories.stream()
                .filter(s -> s.lane != null && s.effects.size() == 1)
                .sorted(Comparator.comparingLong(s -> s.effects.get(0).id()))
                .forEach(story -> {
                    Story before = last.put(String.valueOf(story.lane), story);
                    boolean holds = before == null || before.seq < story.seq;
                    verdict.check(Invariant.IN_ORDER, holds, holds ? "" : before + "\n    came before\n    " + story);
                });
    }

    private static void found(Verdict verdict, Invariant invariant, List<String> guilty) {
        verdict.check(invariant, true, "");
        guilty.forEach(each -> verdict.check(invariant, false, each));
    }
}
