package io.acidq.engine.listener;

import io.acidq.Priority;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is: shares turns among the priorities that have work by their {@linkplain Priority#weight weights}. A priority gets no credit for the
 * time in which it has no work. When it has work again, at most one turn of each lower priority comes first. Not thread-safe.
 */
final class PriorityTurns {

    private static final Priority[] PRIORITIES = Priority.values();

    /** The least common multiple of the weights. */
    private static final int CYCLE = 16;

    /** The virtual time of each priority's next turn. A turn takes the longer, the smaller the weight is. */
    private final Map<Priority, Long> nextTurn = new EnumMap<>(Priority.class);

    /** The virtual time of the last turn. */
    private long now;

    /** Returns the priority whose turn is next; null when none has work. Does not take the turn. */
    @Nullable
    Priority next(Predicate<Priority> hasWork) {
        Priority first = null;
        for (Priority priority : PRIORITIES) { // the higher one first, when two have the same time
            if (hasWork.test(priority) && (first == null || turnOf(priority) < turnOf(first))) {
                first = priority;
            }
        }
        return first;
    }

    /** Takes a turn. */
    void take(Priority priority) {
        now = turnOf(priority);
        nextTurn.put(priority, now + CYCLE / priority.weight());
    }

    private long turnOf(Priority priority) {
        return Math.max(now, nextTurn.getOrDefault(priority, 0L));
    }
}
