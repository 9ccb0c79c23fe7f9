package io.acidq.config;

import io.acidq.QueueMisuseException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the messages of a listener are run. Immutable; checked at once.
 *
 * @param mode            in one transaction with the acknowledgement, or without one. Default transactional
 * @param transactionSize how many messages one transaction may hold, none of them with the same ordering key. Each is guarded by a
 *                        savepoint of its own; after a deadlock they are run again one by one. Too low: a COMMIT for each message; too
 *                        high: locks are held for longer, more is done again after a deadlock, and more are suspects when the process
 *                        dies. 1 to 1000. Default 1
 * @param timeout       how long one call of the handler may take; null for ever. Then its thread is interrupted, a grace later its
 *                        connection is broken, another grace later it is given up and its worker replaced; the attempt counts. Too short:
 *                        slow but honest runs are cut off and repeated; too long: a hanging one occupies its worker. Default none
 * @param grace           see {@code timeout}. Too short: a handler that reacts to the interrupt is cut off while it tidies up. Default 2 s
 */
public record HandlerOptions(
        HandlerMode mode, int transactionSize, @Nullable Duration timeout, Duration grace) {

    private static final HandlerOptions DEFAULTS =
            new HandlerOptions(HandlerMode.TRANSACTIONAL, 1, null, Duration.ofSeconds(2));

    public HandlerOptions {
        require(transactionSize >= 1 && transactionSize <= 1000, "transactionSize must be 1 to 1000", transactionSize);
        require(
                mode == HandlerMode.TRANSACTIONAL || transactionSize == 1,
                "transactionSize must be 1 in external mode, where no transaction holds several messages together",
                transactionSize);
        require(timeout == null || timeout.toMillis() >= 1, "timeout must be at least 1 ms", timeout);
        require(
                timeout == null || timeout.compareTo(Duration.ofDays(365)) <= 0,
                "timeout must be at most 365 days",
                timeout);
        require(grace.toMillis() >= 1 && grace.toDays() < 1, "grace must be 1 ms to 1 day", grace);
    }

    public static HandlerOptions defaults() {
        return DEFAULTS;
    }

    public HandlerOptions withMode(HandlerMode value) {
        return new HandlerOptions(value, transactionSize, timeout, grace);
    }

    public HandlerOptions withTransactionSize(int value) {
        return new HandlerOptions(mode, value, timeout, grace);
    }

    /** Sets how long one call of the handler may take, and the grace after the interrupt. */
    public HandlerOptions withTimeout(@Nullable Duration limit, Duration afterwards) {
        return new HandlerOptions(mode, transactionSize, limit, afterwards);
    }

    private static void require(boolean holds, String rule, @Nullable Object value) {
        if (!holds) {
            throw new QueueMisuseException(rule + ", was " + value);
        }
    }
}
