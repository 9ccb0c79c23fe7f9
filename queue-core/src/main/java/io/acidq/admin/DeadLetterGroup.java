package io.acidq.admin;

import java.time.Instant;

/**
 * The dead letters of one queue that have the same cause. Two causes are the same when the first lines of their errors are equal without their digits,
 * because digits are mostly ids and times.
 *
 * @param fingerprint identifies the cause, in 16 hexadecimal digits, for {@link DeadLetterFilter#withCause}
 * @param letters     the number of dead letters
 * @param firstDiedAt when the oldest of them became a dead letter, by the database's clock
 * @param lastDiedAt  when the newest of them became a dead letter
 * @param cause       the first line of the last error of the newest letter, at most 1,000 characters
 * @param type        the logical name of the payload type of the newest letter
 */
public record DeadLetterGroup(
        String fingerprint, long letters, Instant firstDiedAt, Instant lastDiedAt, String cause, String type) {}
