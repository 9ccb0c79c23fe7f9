package io.acidq.engine.work;

import io.acidq.Outcome;

/** Carries an outcome out of the transaction that it rolls back; to the guards it stands for the failure that a handler told of. */
final class RolledBack extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient Outcome outcome;

    RolledBack(Outcome outcome) {
        super("rolled back: " + outcome, null, false, false);
        this.outcome = outcome;
    }

    Outcome outcome() {
        return outcome;
    }
}
