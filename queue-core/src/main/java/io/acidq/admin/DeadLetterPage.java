package io.acidq.admin;

import io.acidq.InputChecks;
import io.acidq.QueueMisuseException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list of dead letters, oldest or newest first. A page begins after a given letter and not at an offset: every page costs the same, and letters that
 * are added, replayed or discarded meanwhile do not move the others. Immutable.
 *
 * @param limit       the maximum number of letters, 1 to 10,000. Their payloads are read too: use a low limit where payloads are large
 * @param afterDiedAt when the last letter of the previous page became a dead letter; null for the first page
 * @param afterUid    the unique number of that letter; null for the first page
 * @param newestFirst whether the newest letters come first
 */
public record DeadLetterPage(
        int limit, @Nullable Instant afterDiedAt, @Nullable UUID afterUid, boolean newestFirst) {

    private static final int MAX_LIMIT = 10_000;

    /**
     * Checks the values.
     *
     * @throws QueueMisuseException when the limit is not 1 to 10,000, or only one of the last two values is null
     */
    public DeadLetterPage {
        InputChecks.checkLimit("a list", limit, MAX_LIMIT);
        if ((afterDiedAt == null) != (afterUid == null)) {
            throw new QueueMisuseException("a page that follows a dead letter needs both its time and its number:"
                    + " use DeadLetterPage.first(limit) and after(last)");
        }
    }

    /** The first page of a list with the oldest letters first. */
    public static DeadLetterPage first(int limit) {
        return new DeadLetterPage(limit, null, null, false);
    }

    /** The first page of a list with the newest letters first. */
    public static DeadLetterPage newestFirst(int limit) {
        return new DeadLetterPage(limit, null, null, true);
    }

    /** The page that follows the one that ends with this letter. */
    public DeadLetterPage after(DeadLetter last) {
        return new DeadLetterPage(limit, last.diedAt(), last.id().uid(), newestFirst);
    }
}
