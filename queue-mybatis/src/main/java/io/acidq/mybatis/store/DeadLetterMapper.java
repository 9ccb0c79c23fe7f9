package io.acidq.mybatis.store;

import io.acidq.MessageId;
import io.acidq.admin.DeadLetter;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetterPage;
import io.acidq.admin.DeadLetters.DeadLetterGroup;
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

    long count(DeadQuery query);

    List<GroupRow> groups(@Param("queue") int queue, @Param("limit") int limit, @Param("causeChars") int causeChars);

    List<Letter> pick(DeadQuery query);

    @Nullable
    Letter find(@Param("queue") int queue, @Param("uid") UUID uid);

    List<Letter> lockIfDead(@Param("letters") List<Letter> letters);

    List<StrayKey> strayKeys(@Param("letters") List<Letter> letters);

    Payload payload(Letter letter);

    int edit(@Param("letter") Letter letter, @Param("payload") byte[] payload, @Param("size") int size);

    int copyToLane(@Param("letters") List<Letter> letters);

    List<HeldRow> held(
            @Param("queue") int queue,
            @Param("orderingKey") @Nullable String orderingKey,
            @Param("limit") int limit,
            @Param("causeChars") int causeChars);

    List<UUID> lockMarkers(@Param("letters") List<Letter> letters);

    int swapBack(@Param("letters") List<Letter> letters);

    int deleteMarkers(@Param("letters") List<Letter> letters);

    int forgetPlace(Letter letter);

    int deleteDead(@Param("letters") List<Letter> letters);

    int insertBulk(NewBulk bulk);

    int updateBulk(@Param("id") long id, @Param("detail") String detail);

    int insertLetters(NewLetters entry);

    /** A filter and a page as parameters of statements; null matches everything. */
    record DeadQuery(
            int queue,
            @Nullable UUID uid,
            byte @Nullable [] fingerprint,
            @Nullable String type,
            @Nullable String key,
            @Nullable String orderingKey,
            @Nullable Instant from,
            @Nullable Instant until,
            @Nullable Instant afterDiedAt,
            @Nullable UUID afterUid,
            int limit) {

        static DeadQuery of(int queue, DeadLetterFilter filter, DeadLetterPage page) {
            MessageId id = filter.id();
            return new DeadQuery(
                    queue,
                    id == null ? null : id.uid(),
                    filter.fingerprint() == null ? null : HexFormat.of().parseHex(filter.fingerprint()),
                    filter.type(),
                    filter.key(),
                    filter.orderingKey(),
                    notBefore(filter.from()),
                    notBefore(filter.until()),
                    page.afterDiedAt(),
                    page.afterUid(),
                    page.limit());
        }

        /** Creates a query without a page, from the oldest letter on. */
        static DeadQuery of(int queue, DeadLetterFilter filter, int limit) {
            DeadQuery page = of(queue, filter, DeadLetterPage.first(1));
            return new DeadQuery(
                    queue,
                    page.uid,
                    page.fingerprint,
                    page.type,
                    page.key,
                    page.orderingKey,
                    page.from,
                    page.until,
                    null,
                    null,
                    limit);
        }

        /** Rounds up to microseconds. The column has microseconds, so that the comparison has the same result. */
        private static @Nullable Instant notBefore(@Nullable Instant time) {
            return time == null ? null : Microseconds.notBefore(time);
        }
    }

    /** A dead letter that blocks its ordering key. */
    record HeldRow(UUID uid, int lane, String orderKey, long heldId, Instant diedAt, String mark) {}

    /** A payload. A record, because MyBatis treats a byte array as a list of rows. */
    record Payload(byte[] payload) {}

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

    /** A group of dead letters with the same cause. */
    record GroupRow(
            byte[] fingerprint, long letters, Instant firstDiedAt, Instant lastDiedAt, String type, String mark) {

        DeadLetterGroup toGroup() {
            return new DeadLetterGroup(
                    ErrorText.hex(fingerprint), letters, firstDiedAt, lastDiedAt, ErrorText.firstLine(mark), type);
        }
    }

    /** A row of the table of dead letters. */
    record DeadRow(
            UUID uid,
            int lane,
            @Nullable String key,
            String orderKey,
            String type,
            byte[] payload,
            String headers,
            int attempts,
            int crashes,
            String mark,
            byte[] fingerprint,
            Instant diedAt,
            @Nullable Instant expiresAt) {

        DeadLetter toDeadLetter(String queue) {
            return new DeadLetter(
                    new MessageId(queue, lane, uid),
                    Optional.ofNullable(key),
                    orderKey.isEmpty() ? Optional.empty() : Optional.of(orderKey),
                    type,
                    payload,
                    Headers.readable(headers),
                    attempts,
                    crashes,
                    mark,
                    ErrorText.hex(fingerprint),
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
            this.actor = operatorAction.who();
            this.action = action;
            this.queue = bulkProgress.queue();
            this.filter = bulkProgress.filter();
            this.reason = operatorAction.why();
            this.detail = detail;
        }
    }
}
