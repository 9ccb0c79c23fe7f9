package io.acidq.engine.listener;

import io.acidq.Outcome;

/** The exception that rolls back the handler's transaction and carries an outcome other than done out of it. */
final class RollbackSignal extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient Outcome outcome;

    RollbackSignal(Outcome outcome) {
        super("rolled back: " + outcome, null, false, false);
        this.outcome = outcome;
    }

    Outcome outcome() {
        return outcome;
    }
}
