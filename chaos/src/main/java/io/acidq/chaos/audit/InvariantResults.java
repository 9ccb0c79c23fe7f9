package io.acidq.chaos.audit;

import io.acidq.chaos.role.ChaosSubscription;
import io.acidq.chaos.role.HandlerAction;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts how often each invariant was checked and broken, with the histories that broke it. Confined to the auditor's thread. */
public final class InvariantResults {

    private static final int MAX_LISTED = 20;

    private final Map<Invariant, Long> checked = new EnumMap<>(Invariant.class);
    private final Map<Invariant, List<String>> broken = new EnumMap<>(Invariant.class);
    private final Map<ChaosSubscription, SubscriptionCounts> subscriptions = new EnumMap<>(ChaosSubscription.class);
    private final Map<String, Long> cancelAnswers = new TreeMap<>();
    private final Map<Removal, Long> removals = new EnumMap<>(Removal.class);
    private final Map<HandlerAction, Integer> handlerActions = new EnumMap<>(HandlerAction.class);

    void check(Invariant invariant, boolean holds, Object history) {
        checked.merge(invariant, 1L, Long::sum);
        if (!holds) {
            broken.computeIfAbsent(invariant, i -> new ArrayList<>()).add(history.toString());
        }
    }

    void addRemoval(Removal removal) {
        removals.merge(removal, 1L, Long::sum);
    }

    /** How many messages were removed for this reason. */
    public long removed(Removal removal) {
        return removals.getOrDefault(removal, 0L);
    }

    /** How many messages were removed, by reason. */
    public Map<Removal, Long> removed() {
        return removals;
    }

    void addAnswer(String answer) {
        cancelAnswers.merge(answer, 1L, Long::sum);
    }

    /** The answers to cancels, each with its number. */
    public Map<String, Long> cancelAnswers() {
        return cancelAnswers;
    }

    /** Why a message is gone without an effect and without a dead letter. */
    public enum Removal {
        /** Its receipt says that it was not started before its expiry. */
        EXPIRED,
        /** An operator has cancelled it. */
        CANCELLED,
        /** Its producer has withdrawn it. */
        WITHDRAWN
    }

    void addActions(HandlerAction action, int times) {
        handlerActions.merge(action, times, Integer::sum);
    }

    /** How often handlers performed an action. A start counts, except for a deadlock, which must have happened. */
    public int actions(HandlerAction action) {
        return handlerActions.getOrDefault(action, 0);
    }

    /** How often handlers performed any action. */
    public long actions() {
        return handlerActions.values().stream().mapToLong(Integer::longValue).sum();
    }

    /** Counts a copy of a published message whose transaction has committed. */
    void addCopy(MessageHistory history) {
        if (history.subscription != null && history.booked) {
            subscriptions.merge(
                    history.subscription,
                    new SubscriptionCounts(1, history.effects.size(), history.deadLetter == null ? 0 : 1),
                    SubscriptionCounts::plus);
        }
    }

    /** Returns the counts of the messages of each subscription, by their ends. */
    public Map<ChaosSubscription, SubscriptionCounts> subscriptions() {
        return subscriptions;
    }

    /**
     * The messages of a subscription.
     *
     * @param published   by committed transactions
     * @param effects     of handlers
     * @param deadLetters left
     */
    public record SubscriptionCounts(long published, long effects, long deadLetters) {

        private SubscriptionCounts plus(SubscriptionCounts other) {
            return new SubscriptionCounts(
                    published + other.published, effects + other.effects, deadLetters + other.deadLetters);
        }
    }

    public long checked(Invariant invariant) {
        return checked.getOrDefault(invariant, 0L);
    }

    public List<String> broken(Invariant invariant) {
        return broken.getOrDefault(invariant, List.of());
    }

    public boolean holds() {
        return broken.isEmpty();
    }

    /** A line for each invariant, with the histories that broke it, one for each subscription, and two about the messages that were removed. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Invariant invariant : Invariant.values()) {
            List<String> histories = broken(invariant);
            text.append(String.format(
                    "%-27s %10d checked %6d broken  %s%n",
                    invariant, checked(invariant), histories.size(), invariant.sentence()));
            histories.stream()
                    .limit(MAX_LISTED)
                    .forEach(history -> text.append("    ").append(history).append('\n'));
        }
        subscriptions.forEach((subscription, counts) -> text.append(String.format(
                "subscription %-8s published=%d effects=%d dead_letters=%d%n",
                subscription.subscription(), counts.published(), counts.effects(), counts.deadLetters())));
        text.append("answers to cancels ").append(cancelAnswers).append('\n');
        text.append("messages removed ").append(removals).append('\n');
        return text.toString();
    }
}
