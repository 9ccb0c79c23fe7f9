package io.acidq.admin;

import io.acidq.DeadHeadPolicy;
import io.acidq.MessageId;
import io.acidq.MessageRejectedException;
import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import java.time.Instant;
import java.util.List;

/**
 * Lists, replays and discards the dead letters of a database. Thread-safe.
 *
 * <p><b>Changes.</b> Each change is a short transaction of its own at READ COMMITTED, independent of a transaction of the caller. It is a compare-and-set
 * on the letter and the time when it became a dead letter: of two operators exactly one succeeds, and the call of the other returns false. The same
 * transaction records the change in the {@link AuditLog}, so that no change is without its record and no record without its change. All methods throw
 * {@link TransientQueueException} when the database could not do it now.
 *
 * <p><b>Replay.</b> A replayed message is due at once, at the end of its lane, or in the place that its queue kept for it ({@link DeadHeadPolicy}). Its
 * attempts and crashes are counted from 0; its claim number continues to increase. It keeps its message key. If it no longer holds the key and another
 * message does, it is not replayed.
 */
public interface DeadLetters {

    /**
     * Groups the dead letters of a queue by cause, the most frequent cause first. Reads one index entry for each dead letter of the queue.
     *
     * @param limit the maximum number of groups, 1 to 1,000
     * @throws QueueMisuseException when the queue does not exist, or the limit is outside its bounds
     */
    List<DeadLetterGroup> groups(String queue, int limit);

    /**
     * Counts the dead letters that match.
     *
     * @throws QueueMisuseException when the queue does not exist
     */
    long count(DeadLetterFilter filter);

    /**
     * Lists the oldest dead letters of a queue.
     *
     * @param limit the maximum number of letters, 1 to 10,000
     * @throws QueueMisuseException when the queue does not exist, or the limit is outside its bounds
     */
    default List<DeadLetter> list(String queue, int limit) {
        return list(DeadLetterFilter.of(queue), DeadLetterPage.first(limit));
    }

    /**
     * Lists a page of the dead letters that match, oldest first. Over all pages no letter appears twice, and no letter that exists all the time is
     * missing. A letter that is added while the last page is read may be missing.
     *
     * @throws QueueMisuseException when the queue does not exist
     */
    List<DeadLetter> list(DeadLetterFilter filter, DeadLetterPage page);

    /**
     * Replays a dead letter. The audit log records this process as the actor.
     *
     * @return whether this call replayed it; false when the message is not (or no longer) a dead letter
     * @throws QueueMisuseException when another message holds its message key
     */
    boolean replay(MessageId id);

    /**
     * Replays a dead letter.
     *
     * @param operator who does it, and why
     * @return whether this call replayed it; false when the message is not (or no longer) a dead letter
     * @throws QueueMisuseException when another message holds its message key
     */
    boolean replay(MessageId id, Operator operator);

    /**
     * Replays the dead letters that match, oldest first; those of one ordering key in the order in which they were enqueued.
     *
     * <p>The letters are picked once, at the beginning: letters that are added later, also replayed ones that fail again, are not touched. They are
     * replayed in transactions of at most 100 letters, at the rate of the action. At the end the workers of this process are woken up; other processes
     * find the messages when they poll.
     *
     * @throws QueueMisuseException    when the queue does not exist
     * @throws TransientQueueException when the database failed before the end. The letters replayed so far stay replayed and are recorded; the same
     *     call replays the rest
     */
    BulkResult replay(DeadLetterFilter filter, BulkAction action);

    /**
     * Replays a dead letter with another payload. The audit log records the SHA-256 of both payloads.
     *
     * @param seen     the letter as it was listed. Nothing is done when it has been replayed since and has become a dead letter again
     * @param payload  the new payload, encoded as the codec encodes it, of the same type
     * @param operator who does it, and why
     * @return whether this call replayed it
     * @throws MessageRejectedException when the payload is too large
     * @throws QueueMisuseException     when another message holds its message key
     */
    boolean editAndReplay(DeadLetter seen, byte[] payload, Operator operator);

    /**
     * Deletes a dead letter permanently. The audit log records this process as the actor.
     *
     * @return whether this call deleted it; false when the message is not (or no longer) a dead letter
     */
    boolean discard(MessageId id);

    /**
     * Deletes a dead letter permanently.
     *
     * @param operator who does it, and why
     * @return whether this call deleted it; false when the message is not (or no longer) a dead letter
     */
    boolean discard(MessageId id, Operator operator);

    /**
     * Deletes the dead letters that match permanently, oldest first, in transactions of at most 100 letters. The letters are picked once, at the
     * beginning.
     *
     * @throws QueueMisuseException    when the queue does not exist
     * @throws TransientQueueException when the database failed before the end. The letters deleted so far stay deleted and are recorded; the same call
     *     deletes the rest
     */
    BulkResult discard(DeadLetterFilter filter, BulkAction action);

    /**
     * The dead letters of one queue that have the same cause. Two causes are the same when the first lines of their errors are equal without their digits,
     * because digits are mostly ids and times.
     *
     * @param fingerprint identifies the cause, in 16 hexadecimal digits, for {@link DeadLetterFilter#withCause}
     * @param letters     the number of dead letters
     * @param firstDiedAt when the oldest of them became a dead letter, by the database's clock
     * @param lastDiedAt  when the newest of them became a dead letter
     * @param error       the first line of the last error of the newest letter, at most 1,000 characters
     * @param type        the logical name of the payload type of the newest letter
     */
    record DeadLetterGroup(
            String fingerprint, long letters, Instant firstDiedAt, Instant lastDiedAt, String error, String type) {}

    /**
     * The result of a bulk action.
     *
     * @param dryRun   whether nothing was changed; the counts then say what the action would have done
     * @param matched  how many dead letters matched the filter when the action began
     * @param changed  how many of them this action replayed or discarded
     * @param lost     how many of them another operator replayed or discarded after this action had picked them; 0 in a dry run
     * @param keyTaken how many of them were not replayed, because another message now holds their message key; they stay dead letters
     */
    record BulkResult(boolean dryRun, long matched, int changed, int lost, int keyTaken) {

        /** How many dead letters were not processed because of the action's limit. */
        public long beyondLimit() {
            return matched - changed - lost - keyTaken;
        }
    }
}
