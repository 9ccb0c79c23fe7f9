package io.acidq.engine.listener;

import io.acidq.Outcome;

/** Carries an outcome other than done out of the transaction that it rolls back; to the guards it is the failure that a handler reported. */
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
