package io.acidq.engine.intercept;

import io.acidq.Outcome;

/** What becomes of a call whose handler has thrown, while its interceptors still stand around it. */
@FunctionalInterface
public interface Recovery {

    /** Rethrows what the handler threw. */
    Recovery NONE = thrown -> {
        throw thrown;
    };

    /** The outcome of the call in place of what was thrown, or that again. */
    Outcome after(Exception thrown) throws Exception;

    /** Has the last word on a call. */
    default Outcome over(Attempt call) throws Exception {
        try {
            return call.run();
        } catch (Exception e) {
            return after(e);
        }
    }

    /** A call of a handler. */
    @FunctionalInterface
    interface Attempt {
        Outcome run() throws Exception;
    }
}
