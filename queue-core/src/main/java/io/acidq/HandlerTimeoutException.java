package io.acidq;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A call of the handler was stopped at its limit; what it threw then is the cause. Retry policies and telemetry see it; it counts as a failed
 * attempt like any other.
 */
public final class HandlerTimeoutException extends AcidqException {

    private static final long serialVersionUID = 1L;

    /**
     * Made by engines.
     *
     * @param limit  the timeout of the listener
     * @param thrown what the handler threw after its interrupt; null when it never came back
     */
    public HandlerTimeoutException(String queue, @Nullable Duration limit, @Nullable Throwable thrown) {
        super("the handler of queue '" + queue + "' ran longer than its timeout of " + limit + " and was "
                + (thrown == null ? "given up, deaf to its interrupt" : "stopped"));
        if (thrown != null) {
            initCause(thrown);
        }
    }
}
