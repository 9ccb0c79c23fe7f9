package io.acidq.mybatis.store;

import io.acidq.MessageId;
import io.acidq.admin.DeadLetter;
import io.acidq.admin.DeadLetterGroup;
import io.acidq.codec.Headers;
import io.acidq.store.DeadLetterStore.Letter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements over dead letters. */
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

    int copyToHot(@Param("letters") List<Letter> letters);

    List<HeldRow> held(@Param("queue") int queue, @Param("limit") int limit, @Param("causeChars") int causeChars);

    List<UUID> lockMarkers(@Param("letters") List<Letter> letters);

    int swapBack(@Param("letters") List<Letter> letters);

    int deleteMarkers(@Param("letters") List<Letter> letters);

    int forgetPlace(Letter letter);

    int deleteDead(@Param("letters") List<Letter> letters);

    /** A dead letter that holds the place of its ordering key. */
    record HeldRow(UUID uid, int lane, String orderKey, long heldId, Instant diedAt, String mark) {}

    /** A payload; a record, because a byte array as a result would be taken for a list of rows. */
    record Payload(byte[] payload) {}

    /**
     * A letter with a message key that is not its own.
     *
     * @param holder  the message that holds the key, or null
     * @param expired 1 when that one's window has ended
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

    /** Dead letters of one cause. */
    record GroupRow(
            byte[] fingerprint, long letters, Instant firstDiedAt, Instant lastDiedAt, String type, String mark) {

        DeadLetterGroup toGroup() {
            return new DeadLetterGroup(
                    ErrorText.hex(fingerprint), letters, firstDiedAt, lastDiedAt, ErrorText.firstLine(mark), type);
        }
    }

    /** A dead letter as its row holds it. */
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
            Instant diedAt) {

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
                    diedAt);
        }
    }
}
