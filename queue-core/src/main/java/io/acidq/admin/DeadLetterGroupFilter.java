package io.acidq.admin;

import io.acidq.InputChecks;
import io.acidq.QueueMisuseException;
import io.acidq.admin.DeadLetters.DeadLetterGroup;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Selects groups of dead letters, and limits what is read for them. Immutable; begin with {@link #of} or {@link #ofAllQueues}.
 *
 * @param queues      the names of the queues; empty for all queues
 * @param cause       a cause as 16 hexadecimal digits; null for all causes
 * @param limit       the maximum number of groups that are returned, 1 to 1,000. Default 50
 * @param maxCounted the letters of each group are counted up to this number, 1 to 10,000. Default 1,000
 */
public record DeadLetterGroupFilter(
        List<String> queues, @Nullable String cause, int limit, int maxCounted) {

    /** The maximum number of groups that are scanned in a queue. Those beyond are left out, and the answer is not complete. */
    public static final int MAX_GROUPS_OF_QUEUE = 500;

    /** The maximum number of groups that are scanned in all queues together. */
    public static final int MAX_GROUPS = 2_000;

    private static final int MAX_LIMIT = 1_000;
    private static final int MAX_COUNTED = 10_000;
    private static final int DEFAULT_LIMIT = 50;
    private static final int DEFAULT_COUNTED = 1_000;

    /**
     * Checks the values.
     *
     * @throws QueueMisuseException when a value is invalid
     */
    public DeadLetterGroupFilter {
        queues = List.copyOf(queues);
        queues.forEach(InputChecks::checkQueue);
        cause = DeadLetterFilter.checkedCause(cause);
        InputChecks.checkLimit("groups", limit, MAX_LIMIT);
        InputChecks.checkLimit("the count of a group", maxCounted, MAX_COUNTED);
    }

    /** Selects the groups of a queue. */
    public static DeadLetterGroupFilter of(String queue) {
        return new DeadLetterGroupFilter(List.of(queue), null, DEFAULT_LIMIT, DEFAULT_COUNTED);
    }

    /** Selects the groups of all queues. */
    public static DeadLetterGroupFilter ofAllQueues() {
        return new DeadLetterGroupFilter(List.of(), null, DEFAULT_LIMIT, DEFAULT_COUNTED);
    }

    /** Selects the groups of these queues only; an empty list stands for all. */
    public DeadLetterGroupFilter withQueues(List<String> values) {
        return new DeadLetterGroupFilter(values, cause, limit, maxCounted);
    }

    /** Selects by cause: a {@link DeadLetterGroup#cause}. */
    public DeadLetterGroupFilter withCause(String value) {
        return new DeadLetterGroupFilter(queues, value, limit, maxCounted);
    }

    /** Sets the maximum number of groups that are returned, 1 to 1,000. */
    public DeadLetterGroupFilter withLimit(int value) {
        return new DeadLetterGroupFilter(queues, cause, value, maxCounted);
    }

    /** Sets up to which number the letters of each group are counted, 1 to 10,000. */
    public DeadLetterGroupFilter withMaxCounted(int value) {
        return new DeadLetterGroupFilter(queues, cause, limit, value);
    }
}
