package io.acidq.admin;

import io.acidq.Limits;
import io.acidq.QueueMisuseException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list of dead letters, the oldest first. It names the letter that it comes after, not a number of letters to leave out: a
 * page costs the same wherever it lies, and letters that are replayed, discarded or die meanwhile move nothing. Immutable.
 *
 * @param limit       at most this many letters, 1 to 10,000. Their payloads come along: ask for few where payloads are large
 * @param afterDiedAt when the last letter of the page before died; null for the first page
 * @param afterUid    the unique number of that letter; null for the first page
 */
public record DeadLetterPage(
        int limit, @Nullable Instant afterDiedAt, @Nullable UUID afterUid) {

    private static final int MOST = 10_000;

    /**
     * Checks what is given.
     *
     * @throws QueueMisuseException when the limit is not 1 to 10,000, or only one half of the place is given
     */
    public DeadLetterPage {
        Limits.checkLimit("a list", limit, MOST);
        if ((afterDiedAt == null) != (afterUid == null)) {
            throw new QueueMisuseException(
                    "a page comes after a letter, named by both its time of death and its number");
        }
    }

    public static DeadLetterPage first(int limit) {
        return new DeadLetterPage(limit, null, null);
    }

    /** The page after the one that ends with this letter. */
    public DeadLetterPage after(DeadLetter last) {
        return new DeadLetterPage(limit, last.diedAt(), last.id().uid());
    }
}
