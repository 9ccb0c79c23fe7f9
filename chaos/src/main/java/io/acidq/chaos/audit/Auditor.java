package io.acidq.chaos.audit;

import io.acidq.chaos.audit.MessageHistory.RecordedDeadLetter;
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

/** Compares journals and database when everything has come to rest. */
public final class Auditor {

    /** What fails at each start, and does not end its process. */
    private static final Set<HandlerAction> FAILING =
            EnumSet.of(HandlerAction.FAIL, HandlerAction.COMMIT, HandlerAction.DDL, HandlerAction.ENDLESS);

    private final Path journals;
    private final int maxAttempts;
    private final int maxCrashes;
    private final Duration patience;

    public Auditor(Path journals, int maxAttempts, int maxCrashes) {
        this(journals, maxAttempts, maxCrashes, RemainingWork.PATIENCE);
    }

    /**
     * @param patience how long the connections of the others may take to end
     */
    Auditor(Path journals, int maxAttempts, int maxCrashes, Duration patience) {
        this.journals = journals;
        this.maxAttempts = maxAttempts;
        this.maxCrashes = maxCrashes;
        this.patience = patience;
    }

    /** Reads everything, and judges it. */
    public InvariantResults audit(Connection connection) throws SQLException {
        return audit(connection, FailoverLosses.NONE);
    }

    /** Reads everything, and judges it as what is left after a failover: what it has lost must be lost whole. */
    public InvariantResults audit(Connection connection, FailoverLosses failoverLosses) throws SQLException {
        InvariantResults invariantResults = new InvariantResults();
        Journals told = new Journals(journals);
        Map<String, MessageHistory> messageHistories = told.read();
        DatabaseAudit databaseAudit = new DatabaseAudit(connection);
        databaseAudit.read(messageHistories);
        messageHistories.values().forEach(messageHistory -> {
            if (failoverLosses.hasLost(messageHistory.key)) {
                invariantResults.check(
                        Invariant.FAILED_IS_INVISIBLE,
                        !messageHistory.isInDatabase(),
                        messageHistory); // it may have run before
            } else {
                check(invariantResults, messageHistory, databaseAudit.nodes());
                if (failoverLosses.wasUnderWay(messageHistory.key)) {
                    invariantResults.check(
                            Invariant.EFFECT_OF_A_START, failoverLosses.isDoneSince(messageHistory), messageHistory);
                }
            }
        });
        order(invariantResults, messageHistories.values());
        KeyOrderAudit keys = new KeyOrderAudit(invariantResults, databaseAudit.nodes());
        messageHistories.values().stream()
                .filter(messageHistory -> messageHistory.lane != null
                        && !failoverLosses.hasLost(messageHistory.key)
                        && !failoverLosses.wasUnderWay(messageHistory.key))
                .collect(Collectors.groupingBy(messageHistory -> String.valueOf(messageHistory.lane)))
                .values()
                .forEach(keys::check);
        RunAudit runAudit = new RunAudit(invariantResults, databaseAudit.nodes());
        messageHistories.values().stream()
                .filter(messageHistory ->
                        !failoverLosses.hasLost(messageHistory.key) && !failoverLosses.wasUnderWay(messageHistory.key))
                .forEach(runAudit::check);
        found(invariantResults, Invariant.NOTHING_FROM_NOWHERE, told.strangers());
        found(invariantResults, Invariant.NOTHING_FROM_NOWHERE, databaseAudit.strangers());
        found(invariantResults, Invariant.CONSERVED, databaseAudit.imbalance());
        found(invariantResults, Invariant.PLACES_ARE_HELD, databaseAudit.lostPlaces());
        found(
                invariantResults,
                Invariant.NO_NODE_LEFT,
                failoverLosses == FailoverLosses.NONE ? databaseAudit.alive() : List.of());
        RemainingWork remainingWork = new RemainingWork(connection, patience);
        found(invariantResults, Invariant.NO_CONNECTION_LEFT, remainingWork.connections());
        found(invariantResults, Invariant.NO_LOCK_LEFT, remainingWork.locks());
        told.stops().forEach(stop -> invariantResults.check(Invariant.NO_THREAD_LEFT, stop.isClean(), stop));
        return invariantResults;
    }

    private void check(InvariantResults invariantResults, MessageHistory messageHistory, DeadNodes deadNodes) {
        invariantResults.addActions(messageHistory.handlerAction, messageHistory.actions());
        invariantResults.check(Invariant.ONE_EFFECT, messageHistory.effects.size() <= 1, messageHistory);
        invariantResults.check(
                Invariant.DONE_IS_GONE,
                messageHistory.effects.isEmpty()
                        || (messageHistory.places.isEmpty() && messageHistory.deadLetter == null),
                messageHistory);
        invariantResults.check(Invariant.DRAINED, messageHistory.places.isEmpty(), messageHistory);
        invariantResults.check(
                Invariant.KEYS_AS_BOOKED,
                messageHistory.keyed == messageHistory.booked && messageHistory.uids.size() <= 1,
                messageHistory);
        invariantResults.check(
                Invariant.NOT_EARLY, !messageHistory.early && !messageHistory.wasStartedEarly(), messageHistory);
        invariantResults.check(Invariant.EFFECT_AS_MEANT, isAsMeant(messageHistory), messageHistory);
        switch (messageHistory.promised) {
            case OK ->
                invariantResults.check(
                        Invariant.COMMITTED_ENDS_ONCE,
                        messageHistory.isOver() && messageHistory.booked,
                        messageHistory);
            case FAILED ->
                invariantResults.check(Invariant.FAILED_IS_INVISIBLE, !messageHistory.isVisible(), messageHistory);
            default ->
                invariantResults.check(
                        Invariant.UNKNOWN_IS_ALL_OR_NOTHING,
                        messageHistory.booked ? messageHistory.isOver() : !messageHistory.isVisible(),
                        messageHistory);
        }
        if (messageHistory.isOver() && messageHistory.promised != Phase.FAILED) {
            invariantResults.check(
                    Invariant.ENDS_AS_ITS_ACTION_ASKS,
                    (messageHistory.handlerAction.end() == End.DEAD) == (messageHistory.deadLetter != null)
                            && hasCrashedOnceIfAsked(messageHistory),
                    messageHistory);
        }
        RecordedDeadLetter recordedDeadLetter = messageHistory.deadLetter;
        if (recordedDeadLetter != null) {
            invariantResults.check(
                    Invariant.CRASHES_ARE_OF_ENDED_NODES,
                    recordedDeadLetter.crashes() <= messageHistory.shownCrashes(deadNodes),
                    messageHistory);
        }
        if (recordedDeadLetter != null && FAILING.contains(messageHistory.handlerAction)) {
            invariantResults.check(
                    Invariant.DEAD_AFTER_ALL_ATTEMPTS,
                    recordedDeadLetter.attempts() == maxAttempts || recordedDeadLetter.crashes() == maxCrashes,
                    messageHistory);
        }
        if (recordedDeadLetter != null && messageHistory.handlerAction == HandlerAction.HALT) {
            invariantResults.check(
                    Invariant.DEAD_AFTER_ALL_CRASHES,
                    recordedDeadLetter.crashes() == maxCrashes && recordedDeadLetter.attempts() == 0,
                    messageHistory);
        }
    }

    /** What ends its process at the first start can have its effect only where that death was counted. */
    private static boolean hasCrashedOnceIfAsked(MessageHistory messageHistory) {
        return messageHistory.handlerAction != HandlerAction.HALT_ONCE
                || messageHistory.effects.stream()
                        .allMatch(e -> messageHistory.handlerStarts.stream()
                                .anyMatch(s -> s.isOf(e.node(), e.claimNo()) && s.crashes > 0));
    }

    private static boolean isAsMeant(MessageHistory messageHistory) {
        return messageHistory.effects.stream()
                        .allMatch(e -> e.seq() == messageHistory.seq && Objects.equals(e.lane(), messageHistory.lane))
                && (messageHistory.deadLetter == null || messageHistory.deadLetter.asMeant());
    }

    private static void order(InvariantResults invariantResults, Collection<MessageHistory> messageHistories) {
        Map<String, MessageHistory> last = new HashMap<>();
        messageHistories.stream()
                .filter(s -> s.lane != null && s.effects.size() == 1)
                .sorted(Comparator.comparingLong(s -> s.effects.get(0).id()))
                .forEach(messageHistory -> {
                    MessageHistory before = last.put(String.valueOf(messageHistory.lane), messageHistory);
                    boolean holds = before == null || before.seq < messageHistory.seq;
                    invariantResults.check(
                            Invariant.IN_ORDER,
                            holds,
                            holds ? "" : before + "\n    came before\n    " + messageHistory);
                });
    }

    private static void found(InvariantResults invariantResults, Invariant invariant, List<String> guilty) {
        invariantResults.check(invariant, true, "");
        guilty.forEach(each -> invariantResults.check(invariant, false, each));
    }
}
