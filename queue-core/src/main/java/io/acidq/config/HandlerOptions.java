package io.acidq.config;

import static io.acidq.InputChecks.require;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a listener calls its handler. Immutable. Values are checked when they are set.
 *
 * @param mode            whether the handler runs in one transaction with the acknowledgement. Default transactional
 * @param transactionSize how many messages one transaction may process; no two of them have the same ordering key. Each has a savepoint of its
 *                        own; after a deadlock each runs again in its own transaction. Too low: a COMMIT for each message; too high: locks are
 *                        held longer, more messages run again after a deadlock, and more are suspects after a crash. 1 to 1000. Default 1
 * @param timeout         how long one call of the handler may take; null for no limit. At the timeout the thread is interrupted; after the grace
 *                        period its connection is aborted; after another grace period the run is given up and the worker replaced. The attempt
 *                        counts. Too short: slow runs are aborted and repeated; too long: a hanging run occupies its worker. 1 ms to 365 days.
 *                        Default none
 * @param grace           the grace period after the timeout. Too short: a handler that reacts to the interrupt is aborted while it cleans up.
 *                        1 ms to 1 day. Default 2 s
 * @param deadline        whether the expiry of a message also ends its run, as a timeout does that comes to the time left when the handler is called.
 *                        Default false: a run that began before the expiry goes on
 * @param interruptOnCancel whether the thread of a run is interrupted when an operator asks to cancel its message; not in a call for several messages.
 *                        Default false: the handler asks {@link io.acidq.Delivery#isCancelRequested}
 */
public record HandlerOptions(
        HandlerMode mode,
        int transactionSize,
        @Nullable Duration timeout,
        Duration grace,
        boolean deadline,
        boolean interruptOnCancel) {

    private static final HandlerOptions DEFAULTS =
            new HandlerOptions(HandlerMode.TRANSACTIONAL, 1, null, Duration.ofSeconds(2), false, false);

    public HandlerOptions {
        require(
                transactionSize >= 1 && transactionSize <= 1000,
                "transactionSize must be 1 to 1000, was " + transactionSize);
        require(
                mode == HandlerMode.TRANSACTIONAL || transactionSize == 1,
                "transactionSize must be 1 in external mode, where no transaction holds several messages together, was "
                        + transactionSize);
        require(timeout == null || timeout.toMillis() >= 1, "timeout must be at least 1 ms, was " + timeout);
        require(
                timeout == null || timeout.compareTo(Duration.ofDays(365)) <= 0,
                "timeout must be at most 365 days, was " + timeout);
        require(grace.toMillis() >= 1 && grace.toDays() < 1, "grace must be 1 ms to 1 day, was " + grace);
    }

    public static HandlerOptions defaults() {
        return DEFAULTS;
    }

    public HandlerOptions withMode(HandlerMode value) {
        return new HandlerOptions(value, transactionSize, timeout, grace, deadline, interruptOnCancel);
    }

    public HandlerOptions withTransactionSize(int value) {
        return new HandlerOptions(mode, value, timeout, grace, deadline, interruptOnCancel);
    }

    /** Sets how long one call of the handler may take, and the grace period. */
    public HandlerOptions withTimeout(@Nullable Duration limit, Duration afterwards) {
        return new HandlerOptions(mode, transactionSize, limit, afterwards, deadline, interruptOnCancel);
    }

    /** Sets whether the expiry of a message also ends its run. */
    public HandlerOptions withDeadline(boolean value) {
        return new HandlerOptions(mode, transactionSize, timeout, grace, value, interruptOnCancel);
    }

    /** Sets whether the thread of a run is interrupted when an operator asks to cancel its message. */
    public HandlerOptions withInterruptOnCancel(boolean value) {
        return new HandlerOptions(mode, transactionSize, timeout, grace, deadline, value);
    }
}
