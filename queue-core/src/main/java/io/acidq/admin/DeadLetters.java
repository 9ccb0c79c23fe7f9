package io.acidq.admin;

import io.acidq.DeadHeadPolicy;
import io.acidq.MessageId;
import io.acidq.MessageRejectedException;
import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import java.util.List;

/**
 * The dead letters of a database: found, replayed and discarded by operators. Thread-safe.
 *
 * <p>Every change is a short transaction of its own at READ COMMITTED, apart from any of the caller's. It is a compare-and-set on the
 * letter and the time of its death: of two operators exactly one wins, and the other is told. It is recorded in the audit table (see
 * {@link AuditLog}) by the same transaction, so that there is no change without its record and no record without its change. What the
 * database could not do now comes as {@link TransientQueueException}.
 *
 * <p>A replayed message is ordinary again: at the tail of its lane, or in the place that its queue kept for it ({@link DeadHeadPolicy}), due at once, with no attempts and no crashes counted; its claim number goes
 * on rising. It keeps its message key; when it holds that no more and another message does, it is not replayed.
 */
public interface DeadLetters {

    /**
     * The dead letters of a queue grouped by cause, the most frequent cause first. Reads an entry of an index for each letter of the queue.
     *
     * @param limit at most this many groups, 1 to 1,000
     * @throws QueueMisuseException when there is no such queue, or the limit is out of bounds
     */
    List<DeadLetterGroup> groups(String queue, int limit);

    /**
     * How many dead letters match.
     *
     * @throws QueueMisuseException when there is no such queue
     */
    long count(DeadLetterFilter filter);

    /**
     * The oldest dead letters of a queue, at most {@code limit} of them.
     *
     * @throws QueueMisuseException when there is no such queue, or the limit is not 1 to 10,000
     */
    default List<DeadLetter> list(String queue, int limit) {
        return list(DeadLetterFilter.of(queue), DeadLetterPage.first(limit));
    }

    /**
     * A page of the dead letters that match, the oldest first. From page to page no letter is shown twice, and none that was there before
     * and still is, is left out; one that dies while the last page is read may be missing from it.
     *
     * @throws QueueMisuseException when there is no such queue
     */
    List<DeadLetter> list(DeadLetterFilter filter, DeadLetterPage page);

    /**
     * Makes a dead letter an ordinary message again, recorded as done by this process.
     *
     * @return whether this call did it; false when it is no dead letter (any more)
     * @throws QueueMisuseException when another message holds its message key
     */
    boolean replay(MessageId id);

    /**
     * Makes a dead letter an ordinary message again.
     *
     * @param who the operator's name, 1 to 100 characters
     * @param why the reason, 1 to 500 characters
     * @return whether this call did it; false when it is no dead letter (any more)
     * @throws QueueMisuseException when another message holds its message key
     */
    boolean replay(MessageId id, String who, String why);

    /**
     * Replays the dead letters that match, the oldest death first, those of one ordering key in the order in which they were enqueued. They
     * are picked once, at the beginning: what dies after that, a replayed letter that fails again included, is not touched. Then
     * they are replayed in transactions of at most 100, at the action's rate if it has one, and workers of this process are woken at the
     * end; those of others find them as they find any message.
     *
     * @throws QueueMisuseException    when there is no such queue
     * @throws TransientQueueException when the database failed under way: what was replayed before that stays so, and is recorded; the
     *     same call again does the rest
     */
    BulkResult replay(DeadLetterFilter filter, BulkAction action);

    /**
     * Replays a dead letter with another payload in place of its own; the audit table gets the SHA-256 of both.
     *
     * @param seen    the letter as it was listed: when it has been replayed since and has died again, nothing is done
     * @param payload the new payload as the codec encodes it, of the same type
     * @param who     the operator's name, 1 to 100 characters
     * @param why     the reason, 1 to 500 characters
     * @return whether this call did it; false when it is not that dead letter any more
     * @throws MessageRejectedException when the payload is too large
     * @throws QueueMisuseException     when another message holds its message key
     */
    boolean editAndReplay(DeadLetter seen, byte[] payload, String who, String why);

    /**
     * Deletes a dead letter for good, recorded as done by this process.
     *
     * @return whether this call did it; false when it is no dead letter (any more)
     */
    boolean discard(MessageId id);

    /**
     * Deletes a dead letter for good.
     *
     * @param who the operator's name, 1 to 100 characters
     * @param why the reason, 1 to 500 characters
     * @return whether this call did it; false when it is no dead letter (any more)
     */
    boolean discard(MessageId id, String who, String why);

    /**
     * Deletes the dead letters that match for good, the oldest death first, in transactions of at most 100. They are picked once, at the
     * beginning.
     *
     * @throws QueueMisuseException    when there is no such queue
     * @throws TransientQueueException when the database failed under way: what was discarded before that stays so, and is recorded; the
     *     same call again does the rest
     */
    BulkResult discard(DeadLetterFilter filter, BulkAction action);
}
