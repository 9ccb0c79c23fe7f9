package io.acidq.admin;

import java.time.Instant;

/**
 * Dead letters of one queue that have died of the same cause. Causes are the same when the first lines of their errors are, digits
 * left out, for those are mostly ids and times.
 *
 * @param fingerprint the cause in 16 hexadecimal digits, for {@link DeadLetterFilter#withCause}
 * @param letters     how many there are
 * @param firstDiedAt when the oldest of them became a dead letter, by the database's clock
 * @param lastDiedAt  when the newest of them did
 * @param cause       the first line of the newest one's error, at most 1,000 characters
 * @param type        the logical name of the type of the newest one's payload
 */
public record DeadLetterGroup(
        String fingerprint, long letters, Instant firstDiedAt, Instant lastDiedAt, String cause, String type) {}
