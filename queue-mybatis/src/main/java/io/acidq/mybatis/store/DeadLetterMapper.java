package io.acidq.mybatis.store;

import io.acidq.MessageId;
import io.acidq.admin.DeadLetter;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetterPage;
import io.acidq.codec.Headers;
import io.acidq.store.DeadLetterStore.BulkProgress;
import io.acidq.store.DeadLetterStore.Letter;
import io.acidq.store.DeadLetterStore.OperatorAction;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements on dead letters and the audit log of their changes. */
interface DeadLetterMapper {

    List<DeadRow> list(DeadQuery query);

    @Nullable
    LetterPosition scanEnd(DeadQuery query);

    long count(DeadQuery query);

    int countUpTo(DeadQuery query);

    @Nullable
    DeadQueueRow nextQueue(@Param("after") int after);

    @Nullable
    FirstOfCause firstOfCause(
            @Param("queue") int queue,
            @Param("cause") byte @Nullable [] cause,
            @Param("after") byte @Nullable [] after);

    @Nullable
    LastOfCause lastOfCause(
            @Param("queue") int queue, @Param("cause") byte[] cause, @Param("errorChars") int errorChars);

    int countCause(@Param("queue") int queue, @Param("cause") byte[] cause, @Param("limit") int limit);

    List<Letter> pick(DeadQuery query);

    @Nullable
    Letter find(@Param("queue") int queue, @Param("uid") UUID uid);

    List<Letter> lockIfDead(@Param("letters") List<Letter> letters);

    List<StrayKey> strayKeys(@Param("letters") List<Letter> letters);

    Content content(Letter letter);

    int edit(
            @Param("letter") Letter letter,
            @Param("payload") byte[] payload,
            @Param("size") int size,
            @Param("headers") @Nullable String headers);

    int copyToLane(@Param("letters") List<Letter> letters);

    List<HeldRow> held(
            @Param("queue") int queue,
            @Param("orderingKey") @Nullable String orderingKey,
            @Param("limit") int limit,
            @Param("errorChars") int errorChars);

    List<UUID> lockMarkers(@Param("letters") List<Letter> letters);

    int swapBack(@Param("letters") List<Letter> letters);

    int deleteMarkers(@Param("letters") List<Letter> letters);

    int forgetPlace(Letter letter);

    int deleteDead(@Param("letters") List<Letter> letters);

    int insertBulk(NewBulk bulk);

    int updateBulk(@Param("id") long id, @Param("detail") String detail);

    int insertLetters(NewLetters entry);

    /**
     * A filter and a page as parameters of statements.
     *
     * @param after  the last letter of the previous page; null for the first page
     * @param end    the last letter that is scanned; null for no limit
     * @param offset how many letters precede the last one that is scanned
     */
    record DeadQuery(
            int queue,
            Conditions filter,
            @Nullable LetterPosition after,
            boolean newestFirst,
            @Nullable LetterPosition end,
            int offset,
            int limit) {

        static DeadQuery of(int queue, DeadLetterFilter filter, DeadLetterPage page) {
            Instant afterDiedAt = page.afterDiedAt();
            UUID afterUid = page.afterUid();
            LetterPosition after =
                    afterDiedAt == null || afterUid == null ? null : new LetterPosition(afterDiedAt, afterUid);
            return new DeadQuery(queue, Conditions.of(filter), after, page.newestFirst(), null, 0, page.limit());
        }

        /** Creates a query without a page, from the oldest letter on. */
        static DeadQuery of(int queue, DeadLetterFilter filter, int limit) {
            return new DeadQuery(queue, Conditions.of(filter), null, false, null, 0, limit);
        }

        DeadQuery withOffset(int value) {
            return new DeadQuery(queue, filter, after, newestFirst, null, value, limit);
        }

        /** The same query up to the last letter that is scanned. */
        DeadQuery until(LetterPosition last) {
            return new DeadQuery(queue, filter, after, newestFirst, last, offset, limit);
        }
    }

    /** A filter; null matches everything. */
    record Conditions(
            @Nullable UUID uid,
            byte @Nullable [] cause,
            @Nullable String type,
            @Nullable String key,
            @Nullable String orderingKey,
            @Nullable Instant since,
            @Nullable Instant until) {

        static Conditions of(DeadLetterFilter filter) {
            MessageId id = filter.id();
            String cause = filter.cause();
            return new Conditions(
                    id == null ? null : id.uid(),
                    cause == null ? null : HexFormat.of().parseHex(cause),
                    filter.type(),
                    filter.key(),
                    filter.orderingKey(),
                    notBefore(filter.since()),
                    notBefore(filter.until()));
        }

        /** Rounds up to microseconds. The column has microseconds, so that the comparison has the same result. */
        private static @Nullable Instant notBefore(@Nullable Instant time) {
            return time == null ? null : Microseconds.notBefore(time);
        }
    }

    /** The place of a letter in an index. */
    record LetterPosition(Instant diedAt, UUID uid) {}

    /** A dead letter that blocks its ordering key. */
    record HeldRow(UUID uid, int lane, String orderingKey, long heldId, Instant diedAt, String mark) {}

    /** The content of a dead letter that an operator may change. */
    record Content(byte[] payload, String headers) {}

    /**
     * A letter whose message key belongs to another message or to none.
     *
     * @param holder  the message that holds the key, or null
     * @param expired whether the window of that message has ended, 1 or 0
     */
    record StrayKey(
            Instant diedAt,
            UUID uid,
            int queue,
            int lane,
            String key,
            @Nullable UUID holder,
            @Nullable Integer holderLane,
            int expired) {}

    /** A queue with dead letters; without a name when it has no row of its own. */
    record DeadQueueRow(int id, @Nullable String name, int lanes) {}

    /** The oldest letter of a cause. */
    record FirstOfCause(byte[] cause, Instant diedAt) {}

    /** The newest letter of a cause. */
    record LastOfCause(Instant diedAt, String type, String mark) {}

    /** A row of the table of dead letters. */
    record DeadRow(
            UUID uid,
            int lane,
            @Nullable String key,
            String orderingKey,
            String type,
            byte[] payload,
            String headers,
            int attempts,
            int crashes,
            String mark,
            byte[] cause,
            Instant diedAt,
            @Nullable Instant expiresAt) {

        DeadLetter toDeadLetter(String queue) {
            return new DeadLetter(
                    new MessageId(queue, lane, uid),
                    Optional.ofNullable(key),
                    orderingKey.isEmpty() ? Optional.empty() : Optional.of(orderingKey),
                    type,
                    payload,
                    Headers.readable(headers),
                    attempts,
                    crashes,
                    mark,
                    ErrorText.hex(cause),
                    diedAt,
                    Optional.ofNullable(expiresAt));
        }
    }

    /**
     * An operator's action on letters, to be recorded in the audit log.
     *
     * @param more text to add to the detail of each entry
     */
    record NewLetters(String actor, String action, String reason, long bulk, List<Letter> letters, String more) {}

    /** A bulk action to be inserted. MyBatis sets the generated id. */
    final class NewBulk {

        final String actor;
        final String action;
        final int queue;
        final String filter;
        final String reason;
        final String detail;
        long id;

        NewBulk(OperatorAction operatorAction, String action, BulkProgress bulkProgress, String detail) {
            this.actor = operatorAction.actor();
            this.action = action;
            this.queue = bulkProgress.queue();
            this.filter = bulkProgress.filter();
            this.reason = operatorAction.reason();
            this.detail = detail;
        }
    }
}
