package io.acidq.store;

import io.acidq.admin.BlockedKeys.BlockedKey;
import io.acidq.admin.DeadLetter;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetterPage;
import io.acidq.admin.DeadLetters.DeadLetterSlice;
import io.acidq.admin.Operator;
import io.acidq.store.QueueStore.QueueRow;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Dead letters. Each method is a short transaction of its own. A change applies to those of the letters given that are still dead letters since the same
 * time, and is recorded in the same transaction; the others count as lost.
 */
public interface DeadLetterStore {

    /** A page of those that match, in order of (diedAt, uid), or in the reverse order. */
    List<DeadLetter> list(QueueRow queue, DeadLetterFilter filter, DeadLetterPage page);

    /** Returns those that match among the letters that follow the beginning of the page; scans at most this many. */
    DeadLetterSlice slice(QueueRow queue, DeadLetterFilter filter, DeadLetterPage page, int scanLimit);

    /** How many match; counts at most this many. */
    int count(QueueRow queue, DeadLetterFilter filter, int limit);

    /** How many match. */
    long count(QueueRow queue, DeadLetterFilter filter);

    /** The next higher number of a queue that has dead letters and a row of its own, with its name. */
    Optional<QueueRow> nextQueueWithDeadLetters(int after);

    /**
     * The causes of a queue with their first and last letters, at most this many, in the order of their digits; the letters are not counted.
     *
     * @param cause the only cause wanted; null for all
     */
    List<Cause> causes(QueueRow queue, @Nullable String cause, int limit);

    /** How many dead letters of the queue have this cause; counts at most this many. */
    int countCause(QueueRow queue, String cause, int limit);

    /** The letters that match now, in order of (diedAt, uid), without their payloads. Locks nothing. */
    List<Letter> pick(QueueRow queue, DeadLetterFilter filter, int limit);

    /** The dead letter of this queue and number, if it is one now. */
    Optional<Letter> find(QueueRow queue, UUID uid);

    /** The ordering keys that a dead letter blocks, in order of their places; each once. */
    List<BlockedKey> blockedKeys(QueueRow queue, int limit);

    /** This ordering key, if a dead letter blocks it, with the first letter that does. */
    Optional<BlockedKey> findBlockedKey(QueueRow queue, String orderingKey);

    /** Releases the ordering key from the letter, which stays a dead letter. */
    ActionResult releaseIfHolding(OperatorAction operatorAction, Letter letter);

    /** Counts the letters that could not be replayed now, because another message holds their key. Locks nothing. */
    int countTakenKeys(List<Letter> letters);

    /**
     * Moves letters back into their lanes, in order of (enqueued at, uid): a letter that holds a place into that place, any other to the tail. Attempts and
     * crashes begin at 0, and the claim number is kept. If another message holds the message key of a letter, the letter stays dead. If no message holds it,
     * the letter takes it again.
     */
    ActionResult replayIfDead(OperatorAction operatorAction, List<Letter> letters);

    /**
     * Moves one letter back into its lane with another payload, as {@link #replayIfDead} does.
     *
     * @param headers the new headers, encoded; null to keep them
     */
    ActionResult editIfDead(OperatorAction operatorAction, Letter letter, byte[] payload, @Nullable String headers);

    /** Records that an operator stops a bulk action: the operator, the reason, and how far the action is. */
    void recordStop(OperatorAction operatorAction, BulkProgress stopped);

    /** Deletes letters, with the places that they hold. */
    ActionResult discardIfDead(OperatorAction operatorAction, List<Letter> letters);

    /**
     * A cause of dead letters of one queue.
     *
     * @param digits the cause as 16 hexadecimal digits
     * @param firstDiedAt when its oldest letter was dead-lettered
     * @param lastDiedAt  when its newest letter was dead-lettered
     * @param error       the first line of the error of the newest letter
     * @param type        the type of the newest letter
     */
    record Cause(String digits, Instant firstDiedAt, Instant lastDiedAt, String error, String type) {}

    /**
     * A dead letter with its full primary key, and what is needed to plan its replay.
     *
     * @param diedAt     when it was dead-lettered
     * @param uid        its unique number
     * @param lane       its lane
     * @param orderingKey   its ordering key, empty when there is none
     * @param enqueuedAt when it was enqueued
     * @param size       the bytes of its payload
     * @param heldId     the place in its lane that a hold marker keeps for it, 0 when none
     */
    record Letter(Instant diedAt, UUID uid, int lane, String orderingKey, Instant enqueuedAt, int size, long heldId) {

        /** Whether it holds up its ordering key. */
        public boolean isHolding() {
            return heldId != 0;
        }
    }

    /**
     * An action of an operator.
     *
     * @param actor  the name of the operator, or of the process if no operator was named
     * @param reason  the reason, empty if no operator was named
     * @param bulk the bulk action that this is a part of, or null
     */
    record OperatorAction(
            String actor, String reason, @Nullable BulkProgress bulk) {

        /** A single action. */
        public static OperatorAction of(Operator operator) {
            return new OperatorAction(operator.actor(), operator.reason(), null);
        }
    }

    /**
     * The progress of a bulk action.
     *
     * @param id       its number in the audit log, 0 until it has changed something
     * @param queue    the queue's number
     * @param filter   which letters it is for
     * @param matched  how many matched
     * @param changed  how many it has changed
     * @param lost     how many were no longer dead letters since the same time
     * @param keyTaken how many have a key that another message holds
     */
    record BulkProgress(long id, int queue, String filter, long matched, int changed, int lost, int keyTaken) {

        public BulkProgress plus(ActionResult actionResult) {
            return new BulkProgress(
                    actionResult.bulk(),
                    queue,
                    filter,
                    matched,
                    changed + actionResult.changed(),
                    lost + actionResult.lost(),
                    keyTaken + actionResult.keyTaken());
        }
    }

    /**
     * The result of one transaction.
     *
     * @param changed  the letters that it changed
     * @param lost     those that were no longer dead letters since the same time
     * @param keyTaken those whose key another message holds
     * @param bulk     the number of the bulk action, 0 when there is none yet
     */
    record ActionResult(int changed, int lost, int keyTaken, long bulk) {}
}
