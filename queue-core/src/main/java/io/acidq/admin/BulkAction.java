package io.acidq.admin;

import io.acidq.Limits;
import io.acidq.QueueMisuseException;

/**
 * How many dead letters are acted on at once, by whom, and why. Immutable; begin with {@link #by}.
 *
 * @param who    the operator's name, for the audit table: 1 to 100 characters
 * @param why    the reason, for the audit table: 1 to 500 characters
 * @param limit  at most this many letters are touched, the oldest that match: 1 to 100,000; 1,000 unless set
 * @param perSecond at most this many letters a second: 1 to 10,000; 0, as long as none is set, for as many as the database takes. Too
 *     many: what made the letters die may be overrun once more; too few: the caller's thread is held for longer
 * @param dryRun whether nothing is changed, and only told what would be
 */
public record BulkAction(String who, String why, int limit, int perSecond, boolean dryRun) {

    static final int WHO_CHARACTERS = 100;
    static final int WHY_CHARACTERS = 500;
    private static final int USUAL_LIMIT = 1_000;
    private static final int MOST = 100_000;
    private static final int FASTEST = 10_000;

    /**
     * Checks what is given.
     *
     * @throws QueueMisuseException when the name or the reason is blank or too long, the limit is not 1 to 100,000, or
     *     the rate is not 0 to 10,000
     */
    public BulkAction {
        Limits.checkText("name of who acts", who, WHO_CHARACTERS);
        Limits.checkText("reason", why, WHY_CHARACTERS);
        Limits.checkLimit("a bulk action", limit, MOST);
        Limits.checkRate(perSecond, FASTEST);
    }

    /** In earnest, on 1,000 letters at most, as fast as the database takes them. */
    public static BulkAction by(String who, String why) {
        return new BulkAction(who, why, USUAL_LIMIT, 0, false);
    }

    public BulkAction withLimit(int value) {
        return new BulkAction(who, why, value, perSecond, dryRun);
    }

    /** Spreads it over time, so many letters a second. The call returns when the last of them is done. */
    public BulkAction withPerSecond(int value) {
        return new BulkAction(who, why, limit, value, dryRun);
    }

    /** The same, but nothing is changed and nothing recorded. */
    public BulkAction asDryRun() {
        return new BulkAction(who, why, limit, perSecond, true);
    }
}
