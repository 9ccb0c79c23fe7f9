package io.acidq;

import org.jspecify.annotations.Nullable;

/**
 * How soon a message starts compared with other messages of its queue. While a queue has work of all three, an engine starts 16 HIGH, 4 NORMAL and 1
 * LOW message in turn, so that none of them starves; a priority without work leaves its share to the others. Only messages without an ordering key
 * have a priority other than NORMAL.
 *
 * <p>HIGH and LOW messages lie in lanes of their own. The lane is part of the {@link MessageId}, so a message keeps its priority over retries,
 * delays, rescues and replays.
 */
public enum Priority {
    HIGH(1000, 16),
    NORMAL(0, 4),
    LOW(2000, 1);

    /** The number of lanes of HIGH, and of LOW. A queue gets them with its first message that is not NORMAL. */
    public static final int LANES = 8;

    private final int firstLane;
    private final int weight;

    Priority(int firstLane, int weight) {
        this.firstLane = firstLane;
        this.weight = weight;
    }

    /** The number of its first lane, the same in every queue. */
    public int firstLane() {
        return firstLane;
    }

    /** How many of its messages start while the priorities with work start the sum of their weights. */
    public int weight() {
        return weight;
    }

    /** Returns the priority of the messages in a lane. */
    public static Priority ofLane(int lane) {
        if (lane < HIGH.firstLane) {
            return NORMAL;
        }
        return lane < LOW.firstLane ? HIGH : LOW;
    }

    /**
     * Checks that a message with this ordering key may have this priority.
     *
     * @param whose names the source of the priority in the message of the exception
     * @throws MessageRejectedException when it has an ordering key and is not NORMAL
     */
    public static void check(@Nullable Priority priority, @Nullable String orderingKey, String whose) {
        if (orderingKey != null && priority != null && priority != NORMAL) {
            throw new MessageRejectedException(
                    whose + " is " + priority + ", and the message has the ordering key '"
                            + orderingKey
                            + "' (with replace and debounce, the message key is the ordering key): the messages of an"
                            + " ordering key run in order, so none overtakes another. Set priority NORMAL, or omit the ordering key");
        }
    }
}
