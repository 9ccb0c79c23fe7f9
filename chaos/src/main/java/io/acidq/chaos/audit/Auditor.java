package io.acidq.chaos.audit;

import io.acidq.chaos.audit.DatabaseAudit.DeadNodes;
import io.acidq.chaos.audit.MessageHistory.RecordedDeadLetter;
import io.acidq.chaos.role.ChaosSubscription;
import io.acidq.chaos.role.HandlerAction;
import io.acidq.chaos.role.HandlerAction.End;
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

/** Compares journals and database after everything has stopped. */
public final class Auditor {

    /** Actions that fail at each start and do not end their process. */
    private static final Set<HandlerAction> FAILING =
            EnumSet.of(HandlerAction.FAIL, HandlerAction.COMMIT, HandlerAction.DDL, HandlerAction.ENDLESS);

    private final Path journals;
    private final int maxAttempts;
    private final int maxCrashes;
    private final Duration timeout;

    public Auditor(Path journals, int maxAttempts, int maxCrashes) {
        this(journals, maxAttempts, maxCrashes, DatabaseAudit.PATIENCE);
    }

    /** The timeout is for open connections of ended processes. */
    Auditor(Path journals, int maxAttempts, int maxCrashes, Duration timeout) {
        this.journals = journals;
        this.maxAttempts = maxAttempts;
        this.maxCrashes = maxCrashes;
        this.timeout = timeout;
    }

    /** Reads everything and checks all invariants. */
    public InvariantResults audit(Connection connection) throws SQLException {
        return audit(connection, FailoverLosses.NONE);
    }

    /** Reads everything and checks all invariants after a failover. A lost message must be lost completely. */
    public InvariantResults audit(Connection connection, FailoverLosses failoverLosses) throws SQLException {
        InvariantResults results = new InvariantResults();
        JournalReader journalReader = new JournalReader(journals);
        Map<String, MessageHistory> histories = journalReader.read();
        DatabaseAudit databaseAudit = new DatabaseAudit(connection);
        databaseAudit.read(histories);
        histories.values().forEach(history -> {
            if (failoverLosses.hasLost(history.key)) {
                results.check(
                        Invariant.FAILED_IS_INVISIBLE, !history.isInDatabase(), history); // it may have run before
            } else {
                check(results, history, databaseAudit.nodes());
                if (failoverLosses.wasUnderWay(history.key)) {
                    results.check(Invariant.EFFECT_OF_A_START, failoverLosses.isDoneSince(history), history);
                }
            }
        });
        order(results, histories.values());
        RunAudit runAudit = new RunAudit(results, databaseAudit.nodes());
        histories.values().stream()
                .filter(history -> history.lane != null
                        && !failoverLosses.hasLost(history.key)
                        && !failoverLosses.wasUnderWay(history.key))
                .collect(Collectors.groupingBy(MessageHistory::orderingLine))
                .values()
                .forEach(runAudit::checkKey);
        histories.values().stream()
                .filter(history -> !failoverLosses.hasLost(history.key) && !failoverLosses.wasUnderWay(history.key))
                .forEach(runAudit::check);
        subscriptions(
                results,
                histories.values().stream()
                        .filter(history -> !failoverLosses.hasLost(history.key))
                        .toList());
        found(results, Invariant.NOTHING_FROM_NOWHERE, journalReader.unknownStarts());
        found(results, Invariant.NOTHING_FROM_NOWHERE, databaseAudit.unknownKeys());
        found(results, Invariant.CONSERVED, databaseAudit.imbalance(removed(results, histories.values())));
        found(results, Invariant.ONE_MESSAGE_PER_TICK, databaseAudit.wrongTicks());
        found(results, Invariant.NO_TICK_EARLY, databaseAudit.earlyTicks());
        found(
                results,
                Invariant.HISTORY_NEVER_ABOVE,
                failoverLosses == FailoverLosses.NONE ? databaseAudit.historyAboveTheTruth() : List.of());
        found(results, Invariant.PLACES_ARE_HELD, databaseAudit.lostPlaces());
        found(
                results,
                Invariant.NO_NODE_LEFT,
                failoverLosses == FailoverLosses.NONE ? databaseAudit.alive() : List.of());
        found(results, Invariant.NO_CONNECTION_LEFT, databaseAudit.connections(timeout));
        found(results, Invariant.NO_LOCK_LEFT, databaseAudit.locks());
        journalReader.stops().forEach(stop -> results.check(Invariant.NO_THREAD_LEFT, stop.isClean(), stop));
        return results;
    }

    /** Counts the messages that were rightly removed. */
    private static long removed(InvariantResults results, Collection<MessageHistory> histories) {
        return histories.stream()
                .map(MessageHistory::removal)
                .filter(Objects::nonNull)
                .peek(results::addRemoval)
                .count();
    }

    private void check(InvariantResults results, MessageHistory history, DeadNodes deadNodes) {
        if (history.subscription
                != ChaosSubscription.FAILING) { // its handler fails whether or not the fault is injected
            results.addActions(history.action, history.actions());
        }
        results.check(Invariant.ONE_EFFECT, history.effects.size() <= 1, history);
        results.check(
                Invariant.DONE_IS_GONE,
                history.effects.isEmpty() || (history.places.isEmpty() && history.deadLetter == null),
                history);
        results.check(Invariant.DRAINED, history.places.isEmpty(), history);
        results.check(
                Invariant.KEYS_AS_BOOKED,
                history.keyed == (history.booked && !history.withdrawn) && history.uids.size() <= 1,
                history);
        results.check(Invariant.NOT_EARLY, !history.early && !history.wasStartedEarly(), history);
        results.check(Invariant.EFFECT_AS_MEANT, isAsMeant(history), history);
        switch (history.sendResult) {
            case OK -> results.check(Invariant.COMMITTED_ENDS_ONCE, history.isOver() && history.booked, history);
            case FAILED -> results.check(Invariant.FAILED_IS_INVISIBLE, !history.isVisible(), history);
            default ->
                results.check(
                        Invariant.UNKNOWN_IS_ALL_OR_NOTHING,
                        history.booked ? history.isOver() : !history.isVisible(),
                        history);
        }
        if (history.expiresIn > 0) {
            results.check(Invariant.NOT_AFTER_EXPIRY, !history.wasStartedAfterExpiry(deadNodes), history);
        }
        if (history.wasCancelled()) {
            history.cancelRequests.forEach(request -> results.addAnswer(request.answer));
            results.check(Invariant.CANCELLED_STAYS, history.staysCancelled(deadNodes), history);
        }
        if (history.answer != null) {
            results.check(Invariant.RECEIPT_IS_RIGHT, history.answer.equals(history.booked ? "YES" : "NO"), history);
        }
        if (history.tracked) {
            results.check(Invariant.RESULT_OF_THE_EFFECT, history.hasRightReceipt(), history);
        }
        if (history.isOver() && history.removal() == null && history.sendResult != Phase.FAILED) {
            results.check(Invariant.ENDS_AS_ITS_ACTION_ASKS, endsAsItsActionAsks(history), history);
        }
        RecordedDeadLetter deadLetter = history.deadLetter;
        if (deadLetter != null) {
            results.check(
                    Invariant.CRASHES_ARE_OF_ENDED_NODES,
                    deadLetter.crashes() <= history.shownCrashes(deadNodes),
                    history);
        }
        if (deadLetter != null && FAILING.contains(history.action) && !history.isDeadByExpiry()) {
            results.check(
                    Invariant.DEAD_AFTER_ALL_ATTEMPTS,
                    deadLetter.attempts() == history.maxAttempts(maxAttempts) || deadLetter.crashes() == maxCrashes,
                    history);
        }
        if (deadLetter != null && history.action == HandlerAction.HALT) {
            results.check(
                    Invariant.DEAD_AFTER_ALL_CRASHES,
                    deadLetter.crashes() == maxCrashes && deadLetter.attempts() == 0,
                    history);
        }
    }

    private static boolean endsAsItsActionAsks(MessageHistory history) {
        return history.deadLetter == null
                ? history.action.end() == End.EFFECT && hasCrashedOnceIfAsked(history)
                : history.action.end() == End.DEAD || history.isDeadByExpiry();
    }

    /** A message that ends its process at the first start has its effect only after that crash was counted. */
    private static boolean hasCrashedOnceIfAsked(MessageHistory history) {
        return history.action != HandlerAction.HALT_ONCE
                || history.effects.stream()
                        .allMatch(e ->
                                history.starts.stream().anyMatch(s -> s.isOf(e.node(), e.claimNo()) && s.crashes > 0));
    }

    private static boolean isAsMeant(MessageHistory history) {
        return history.effects.stream().allMatch(e -> e.seq() == history.seq && Objects.equals(e.lane(), history.lane))
                && (history.deadLetter == null || history.deadLetter.asMeant());
    }

    private static void order(InvariantResults results, Collection<MessageHistory> histories) {
        Map<String, MessageHistory> last = new HashMap<>();
        histories.stream()
                .filter(s -> s.lane != null && s.effects.size() == 1)
                .sorted(Comparator.comparingLong(s -> s.effects.get(0).id()))
                .forEach(history -> {
                    MessageHistory before = last.put(history.orderingLine(), history);
                    boolean holds = before == null || before.seq < history.seq;
                    results.check(Invariant.IN_ORDER, holds, holds ? "" : before + "\n    came before\n    " + history);
                });
    }

    /** Compares the copies of each published message, and counts what became of them in each subscription. */
    private static void subscriptions(InvariantResults results, Collection<MessageHistory> histories) {
        histories.stream()
                .filter(history -> history.subscription != null)
                .collect(Collectors.groupingBy(history -> ChaosSubscription.messageKey(history.key)))
                .values()
                .forEach(copies -> {
                    long ended = copies.stream().filter(MessageHistory::isOver).count();
                    results.check(
                            Invariant.ALL_SUBSCRIPTIONS_OR_NONE,
                            ended == 0 || ended == ChaosSubscription.values().length,
                            copies);
                    copies.forEach(results::addCopy);
                });
    }

    private static void found(InvariantResults results, Invariant invariant, List<String> violations) {
        results.check(invariant, true, "");
        violations.forEach(each -> results.check(invariant, false, each));
    }
}
