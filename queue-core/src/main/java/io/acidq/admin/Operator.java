package io.acidq.admin;

import io.acidq.InputChecks;
import io.acidq.QueueMisuseException;

/**
 * Who makes a change, and why. The audit log records both. Immutable.
 *
 * @param actor  the name of the operator, 1 to 100 characters
 * @param reason the reason, 1 to 500 characters
 */
public record Operator(String actor, String reason) {

    private static final int ACTOR_CHARACTERS = 100;
    private static final int REASON_CHARACTERS = 500;

    /**
     * Checks the values.
     *
     * @throws QueueMisuseException when the name or the reason is blank or too long
     */
    public Operator {
        InputChecks.checkText("actor", actor, ACTOR_CHARACTERS);
        InputChecks.checkText("reason", reason, REASON_CHARACTERS);
    }
}
