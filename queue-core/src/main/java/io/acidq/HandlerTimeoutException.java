package io.acidq;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A handler ran longer than its timeout, or past the expiry of its message if that is its deadline, and was interrupted. The cause is the exception
 * that the handler threw after the interrupt, if it threw one. The failure counts as an attempt, like any other; retry policies and telemetry see
 * this exception.
 */
public final class HandlerTimeoutException extends AcidqException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception; called by the engine.
     *
     * @param limit  the timeout of the listener; null when the expiry of the message has ended the run
     * @param thrown what the handler threw after the interrupt; null when it did not return
     */
    public HandlerTimeoutException(String queue, @Nullable Duration limit, @Nullable Throwable thrown) {
        super(
                "the handler of queue '" + queue + "' ran "
                        + (limit == null ? "past the expiry of its message" : "longer than its timeout of " + limit)
                        + " and was "
                        + (thrown == null ? "given up, because it did not react to the interrupt" : "stopped"),
                thrown);
    }
}
