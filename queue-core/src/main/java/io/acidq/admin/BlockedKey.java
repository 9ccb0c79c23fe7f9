package io.acidq.admin;

import io.acidq.MessageId;
import java.time.Instant;

/**
 * An ordering key whose messages wait behind a dead letter.
 *
 * @param orderingKey the ordering key
 * @param head        the dead letter that blocks the key
 * @param since       when it became a dead letter, by the database's clock
 * @param cause       the first line of its last error
 * @param waiting     how many messages wait behind it; {@link #MOST_COUNTED} means that many or more
 */
public record BlockedKey(String orderingKey, MessageId head, Instant since, String cause, int waiting) {

    /** The limit up to which waiting messages are counted. */
    public static final int MOST_COUNTED = 1_000;
}
