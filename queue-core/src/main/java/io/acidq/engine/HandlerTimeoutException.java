package io.acidq.engine;

import io.acidq.AcidqException;
import org.jspecify.annotations.Nullable;

/** A call of the handler was stopped at its limit; what it threw then is the cause. */
final class HandlerTimeoutException extends AcidqException {

    private static final long serialVersionUID = 1L;

    HandlerTimeoutException(Listener<?> listener, @Nullable Throwable thrown) {
        super("the handler of queue '" + listener.queue() + "' ran longer than its timeout of "
                + listener.options().timeout() + " and was "
                + (thrown == null ? "given up, deaf to its interrupt" : "stopped"));
        if (thrown != null) {
            initCause(thrown);
        }
    }
}
