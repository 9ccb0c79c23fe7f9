package io.acidq.chaos.audit;

import io.acidq.chaos.role.HandlerAction;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** How often each invariant was looked at and broken, and by what. Confined to the auditor's thread. */
public final class InvariantResults {

    private static final int MAX_LISTED = 20;

    private final Map<Invariant, Long> checked = new EnumMap<>(Invariant.class);
    private final Map<Invariant, List<String>> broken = new EnumMap<>(Invariant.class);
    private final Map<HandlerAction, Integer> handlerActions = new EnumMap<>(HandlerAction.class);

    void check(Invariant invariant, boolean holds, Object history) {
        checked.merge(invariant, 1L, Long::sum);
        if (!holds) {
            broken.computeIfAbsent(invariant, i -> new ArrayList<>()).add(history.toString());
        }
    }

    void addActions(HandlerAction handlerAction, int times) {
        handlerActions.merge(handlerAction, times, Integer::sum);
    }

    /** How often handlers have done this: a start is a deed, but of a deadlock, which must have come too. */
    public int actions(HandlerAction handlerAction) {
        return handlerActions.getOrDefault(handlerAction, 0);
    }

    /** How often handlers have done anything. */
    public long actions() {
        return handlerActions.values().stream().mapToLong(Integer::longValue).sum();
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

    /** For people: a line for each invariant, and the history of what broke it. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Invariant invariant : Invariant.values()) {
            List<String> by = broken(invariant);
            text.append(String.format(
                    "%-27s %10d checked %6d broken  %s%n",
                    invariant, checked(invariant), by.size(), invariant.sentence()));
            by.stream()
                    .limit(MAX_LISTED)
                    .forEach(history -> text.append("    ").append(history).append('\n'));
        }
        return text.toString();
    }
}
