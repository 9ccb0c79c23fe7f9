package io.acidq.admin;

import io.acidq.InputChecks;
import io.acidq.QueueMisuseException;

/**
 * Who makes a change, and why. The audit log records both. Immutable.
 *
 * @param who the name of the operator, 1 to 100 characters
 * @param why the reason, 1 to 500 characters
 */
public record Operator(String who, String why) {

    private static final int WHO_CHARACTERS = 100;
    private static final int WHY_CHARACTERS = 500;

    /**
     * Checks the values.
     *
     * @throws QueueMisuseException when the name or the reason is blank or too long
     */
    public Operator {
        InputChecks.checkText("name of who acts", who, WHO_CHARACTERS);
        InputChecks.checkText("reason", why, WHY_CHARACTERS);
    }
}
