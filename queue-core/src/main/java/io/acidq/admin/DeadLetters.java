package io.acidq.admin;

import io.acidq.DeadHeadPolicy;
import io.acidq.MessageId;
import io.acidq.MessageRejectedException;
import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

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

    /** The limit of the dead letters that {@link #slice} scans. */
    int MAX_SCANNED = 10_000;

    /**
     * Groups the dead letters of a queue by cause, the cause of the newest dead letter first. Counts at most 1,000 letters of each group.
     *
     * @param limit the maximum number of groups, 1 to 1,000
     * @throws QueueMisuseException when the queue does not exist, or the limit is outside its bounds
     */
    default List<DeadLetterGroup> groups(String queue, int limit) {
        return groups(DeadLetterGroupFilter.of(queue).withLimit(limit)).groups();
    }

    /**
     * Groups dead letters by queue and cause, the group of the newest dead letter first. Reads two index entries for each group that it scans, and of the groups
     * that it returns as many as it counts; so its cost does not depend on the number of dead letters.
     *
     * @throws QueueMisuseException when a queue does not exist
     */
    DeadLetterGroups groups(DeadLetterGroupFilter filter);

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
     * Lists a page of the dead letters that match, oldest or newest first as the page says. Over all pages no letter appears twice, and no letter that exists all the
     * time is missing. A letter that is added meanwhile may be missing.
     *
     * @throws QueueMisuseException when the queue does not exist
     */
    List<DeadLetter> list(DeadLetterFilter filter, DeadLetterPage page);

    /**
     * Lists a page as {@link #list(DeadLetterFilter, DeadLetterPage)} does, but scans {@link #MAX_SCANNED} dead letters at most, since those that match may be few.
     *
     * @throws QueueMisuseException when the queue does not exist
     */
    DeadLetterSlice slice(DeadLetterFilter filter, DeadLetterPage page);

    /**
     * Counts the dead letters that match, up to a limit.
     *
     * @param limit the limit, 1 to 100,000
     * @throws QueueMisuseException when the queue does not exist, or the limit is outside its bounds
     */
    int count(DeadLetterFilter filter, int limit);

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
    default BulkResult replay(DeadLetterFilter filter, BulkAction action) {
        return replay(filter, action, status -> true);
    }

    /**
     * Replays dead letters as without the callback. The callback is told the progress and can stop the action. The letters replayed so far stay
     * replayed. A dry run does not call it.
     */
    BulkResult replay(DeadLetterFilter filter, BulkAction action, BulkCallback callback);

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
     * Replays a dead letter with another payload and other headers. It keeps its message key, its ordering key and its type. The audit log records
     * the SHA-256 of both payloads and, if they differ, of both encoded headers.
     *
     * @param seen     the letter as it was listed. Nothing is done when it has been replayed since and has become a dead letter again
     * @param payload  the new payload, encoded as the codec encodes it, of the same type
     * @param headers  all headers that it shall have
     * @param operator who does it, and why
     * @return whether this call replayed it
     * @throws MessageRejectedException when the payload or the headers are too large, or a header is invalid
     * @throws QueueMisuseException     when another message holds its message key
     */
    boolean editAndReplay(DeadLetter seen, byte[] payload, Map<String, String> headers, Operator operator);

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
    default BulkResult discard(DeadLetterFilter filter, BulkAction action) {
        return discard(filter, action, status -> true);
    }

    /**
     * Discards dead letters as without the callback. The callback is told the progress and can stop the action. The letters deleted so far stay
     * deleted. A dry run does not call it.
     */
    BulkResult discard(DeadLetterFilter filter, BulkAction action, BulkCallback callback);

    /**
     * The dead letters of one queue that have the same cause. Two causes are the same when the first lines of their errors are equal without their digits,
     * because digits are mostly ids and times.
     *
     * @param queue       the name of the queue
     * @param cause       the cause as 16 hexadecimal digits, for {@link DeadLetterFilter#withCause}
     * @param letters     the number of dead letters, counted up to {@link DeadLetterGroupFilter#maxCounted}
     * @param complete    whether all letters were counted; if not, there may be more
     * @param firstDiedAt when the oldest of them became a dead letter, by the database's clock
     * @param lastDiedAt  when the newest of them became a dead letter
     * @param error       the first line of the last error of the newest letter, at most 1,000 characters
     * @param type        the logical name of the payload type of the newest letter
     */
    record DeadLetterGroup(
            String queue,
            String cause,
            long letters,
            boolean complete,
            Instant firstDiedAt,
            Instant lastDiedAt,
            String error,
            String type) {}

    /**
     * Groups of dead letters.
     *
     * @param groups   the groups, that of the newest dead letter first
     * @param complete whether there are no others that match; false when a limit of {@link DeadLetterGroupFilter} was reached
     */
    record DeadLetterGroups(List<DeadLetterGroup> groups, boolean complete) {

        public DeadLetterGroups {
            groups = List.copyOf(groups);
        }
    }

    /**
     * A part of a list of dead letters.
     *
     * @param letters  the letters
     * @param next     the page that follows; empty at the end of the list
     * @param scanned  how many letters were scanned, if that was the reason to stop; empty otherwise
     */
    record DeadLetterSlice(List<DeadLetter> letters, Optional<DeadLetterPage> next, OptionalInt scanned) {

        public DeadLetterSlice {
            letters = List.copyOf(letters);
        }
    }

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
