package io.acidq.mybatis.store;

import io.acidq.DeadHeadPolicy;
import io.acidq.mybatis.session.StoreTransaction;
import io.acidq.mybatis.session.TypeHandlers;
import io.acidq.mybatis.session.TypeHandlers.RowHandler;
import io.acidq.mybatis.store.ClaimMapper.HeadQuery;
import io.acidq.mybatis.store.ClaimMapper.IdList;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimStore.ClaimRequest;
import io.acidq.store.ClaimStore.Claimed;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.ClaimedMessage.TimeLeft;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A claim of one lane. One transaction locks the row of the lane, reads the head of the lane, marks messages as claimed, and parks followers of closed
 * ordering keys. Lock order: lane, then messages.
 */
final class LaneClaim {

    /** Rows that the first pass reads beyond the limit, because claimed heads and their followers come first. */
    private static final int EXTRA_ROWS = 32;

    private static final int GROWTH = 4;
    private static final int MAX_PASSES = 6;

    /** Later passes read many rows and find few, so they do not read payloads. */
    private static final int PASSES_WITH_PAYLOAD = 2;

    private static final int NO_PAYLOAD = -1;

    private final StoreTransaction transaction;
    private final ClaimMapper mapper;
    private final ClaimRequest request;
    private final boolean locksRows;
    private final ParkedMessages parked;

    /** Ordering keys of which nothing more can be claimed now: a message of the key is claimed, waits, or is a dead head. */
    private final Set<String> closed = new HashSet<>();

    /** The closed ordering keys that a dead head blocks. */
    private final Set<String> held = new HashSet<>();

    /** The blocked ordering keys whose messages must be parked, with the ids of their markers. */
    private final Map<String, Long> toPark = new HashMap<>();

    /** Whether a pass was full of rows that cannot be claimed. */
    private boolean crowded;

    /** Whether the last pass has read the lane to its end. */
    private boolean reachedEnd;

    /** Whether unclaimed rows may remain in the lane. */
    private boolean leftover;

    /** Microseconds until the first waiting row is due; null if none was seen. */
    private @Nullable Long nextDue;

    /**
     * Prepares a claim.
     *
     * @param locksRows whether to lock the rows without waiting before they are changed, because another transaction has locked some of them
     */
    LaneClaim(StoreTransaction transaction, ClaimRequest request, boolean locksRows) {
        this.transaction = transaction;
        this.mapper = transaction.mapper(ClaimMapper.class);
        this.request = request;
        this.locksRows = locksRows;
        this.parked = new ParkedMessages(transaction, request);
    }

    Claimed claim() {
        Long claimedTo = mapper.lockLane(request);
        if (claimedTo == null) {
            transaction.setRollbackOnly();
            return Claimed.BUSY;
        }
        List<HeadRow> rows = findRows(claimedTo);
        if (locksRows && !rows.isEmpty()) {
            rows = lockWithoutWaiting(rows);
        }
        if (!rows.isEmpty() && !markClaimed(rows)) {
            transaction.setRollbackOnly();
            return new Claimed(List.of(), true, Microseconds.duration(nextDue), false);
        }
        parkWaiting(rows);
        if (rows.isEmpty() && !parked.hasMoved()) {
            transaction.setRollbackOnly();
        }
        return new Claimed(
                rows.stream().map(r -> r.toClaimedMessage(request)).toList(),
                leftover,
                Microseconds.duration(nextDue),
                false);
    }

    /** Parks followers. Runs after the rows have been marked, so that claimed rows stay in the lane. */
    private void parkWaiting(List<HeadRow> taken) {
        parked.park(toPark);
        if (crowded) {
            boolean alone = taken.isEmpty() && reachedEnd;
            parked.parkCrowd(
                    closed,
                    held,
                    taken.isEmpty() ? Long.MAX_VALUE : taken.get(0).id(),
                    alone);
        }
    }

    /**
     * Reads the head of the lane in passes until one finds messages or reaches the end. Each pass reads from the beginning of the lane in one statement,
     * which is one snapshot: continuing after the last id could claim a message before an earlier one of its key that was committed in between.
     *
     * @param claimedTo the id up to which rows of the lane have ever been claimed
     */
    private List<HeadRow> findRows(long claimedTo) {
        int window = request.budget().messages() + EXTRA_ROWS;
        for (int pass = 1; ; pass++, window *= GROWTH) {
            int inline = pass <= PASSES_WITH_PAYLOAD ? ClaimStore.INLINE_BYTES : NO_PAYLOAD;
            HeadQuery query = new HeadQuery(request.queue(), request.lane(), inline, closed, window);
            List<HeadRow> rows = mapper.head(query);
            HeadScan head = HeadScan.of(rows, request.budget());
            if (refillParked(head)) {
                rows = mapper.head(query);
                head = HeadScan.of(rows, request.budget());
            }
            boolean full = rows.size() == window;
            List<HeadRow> taken = head.taken();
            if (full && !taken.isEmpty()) {
                taken = withoutKeysRunningBeyond(head, rows.get(rows.size() - 1).id(), claimedTo);
            }
            leftover |=
                    full || head.hasLeftover() || taken.size() < head.taken().size();
            nextDue = sooner(nextDue, head.nextDue());
            closed.addAll(head.closed());
            held.addAll(head.held());
            toPark.putAll(head.toPark());
            crowded |= full && taken.isEmpty();
            reachedEnd = !full;
            if (!taken.isEmpty() || !full || pass == MAX_PASSES) {
                return taken;
            }
        }
    }

    /** Moves parked messages back, once per claim. Returns whether to read again because there is nothing else to claim. */
    private boolean refillParked(HeadScan head) {
        if (head.markers().isEmpty() || parked.hasMoved()) {
            return false;
        }
        parked.refill(head.markers());
        leftover = true;
        return head.taken().isEmpty();
    }

    private List<HeadRow> withoutKeysRunningBeyond(HeadScan head, long last, long claimedTo) {
        if (claimedTo <= last || head.taken().stream().noneMatch(HeadRow::hasOrderingKey)) {
            return head.taken();
        }
        Set<String> running = new HashSet<>(mapper.keysRunningBeyond(request.queue(), request.lane(), last, claimedTo));
        closed.addAll(running);
        return head.takenWithout(running);
    }

    /** Omits rows that another transaction has locked, and the later rows of their ordering keys. */
    private List<HeadRow> lockWithoutWaiting(List<HeadRow> rows) {
        Set<Long> locked = new HashSet<>(mapper.lockFree(request.queue(), request.lane(), ids(rows)));
        Set<String> dropped = new HashSet<>();
        List<HeadRow> got = new ArrayList<>();
        for (HeadRow row : rows) {
            if (locked.contains(row.id()) && !dropped.contains(row.orderingKey())) {
                got.add(row);
            } else {
                leftover = true;
                if (row.hasOrderingKey()) {
                    dropped.add(row.orderingKey());
                }
            }
        }
        return got;
    }

    private boolean markClaimed(List<HeadRow> rows) {
        int marked = mapper.claim(request.queue(), request.lane(), request.owner(), request.batch(), ids(rows));
        if (marked != rows.size()) {
            return false;
        }
        mapper.raiseClaimedTo(
                request.queue(), request.lane(), rows.get(rows.size() - 1).id());
        return true;
    }

    private static IdList ids(List<HeadRow> rows) {
        return new IdList(rows.stream().map(HeadRow::id).toList());
    }

    private static @Nullable Long sooner(@Nullable Long a, @Nullable Long b) {
        return a == null || (b != null && b < a) ? b : a;
    }

    /**
     * A row at the head of a lane as it was before the claim.
     *
     * @param orderingKey empty if there is none
     * @param kind        0 for a message, else the kind of a marker that stands for messages of its ordering key
     * @param dueIn       microseconds until it is due by the clock of the database; 0 or less if it is due
     * @param age         microseconds since it was first due or replayed, by the clock of the database
     * @param expiresAt   null if it does not expire
     * @param expiresIn   microseconds until it expires by the clock of the database; 0 if it does not expire
     */
    record HeadRow(
            long id,
            UUID uid,
            @Nullable String key,
            String orderingKey,
            String type,
            String headers,
            byte @Nullable [] payload,
            int owner,
            int claimNo,
            int attempts,
            int crashes,
            int kind,
            Instant enqueuedAt,
            Instant dueAt,
            long dueIn,
            long age,
            @Nullable Instant expiresAt,
            long expiresIn) {

        static final int MESSAGE = 0;
        static final int HOLD = 1;
        static final int REFILL = 2;
        static final int HOLD_AND_PARK = 3;

        /** Returns the kind of row that replaces a message when it becomes a dead letter. */
        static int holdMarker(DeadHeadPolicy policy) {
            return switch (policy) {
                case SKIP -> MESSAGE;
                case BLOCK -> HOLD;
                case PARK -> HOLD_AND_PARK;
            };
        }

        boolean isHold() {
            return kind == HOLD || kind == HOLD_AND_PARK;
        }

        boolean hasOrderingKey() {
            return !orderingKey.isEmpty();
        }

        boolean isFree() {
            return owner == 0 && kind == MESSAGE;
        }

        boolean isSuspect() {
            return crashes > 0;
        }

        /** Returns the message as it is after the claim. */
        ClaimedMessage toClaimedMessage(ClaimRequest by) {
            return new ClaimedMessage(
                    new Claim(by.queue(), by.lane(), id, uid, by.owner(), claimNo + 1),
                    by.batch(),
                    uid,
                    key,
                    hasOrderingKey() ? orderingKey : null,
                    type,
                    headers,
                    payload,
                    attempts + 1,
                    crashes,
                    enqueuedAt,
                    dueAt,
                    Duration.of(age, ChronoUnit.MICROS),
                    expiresAt == null
                            ? null
                            : new TimeLeft(expiresAt, Duration.of(expiresIn, ChronoUnit.MICROS), by.claimNanos()),
                    by.claimNanos() + TimeUnit.MICROSECONDS.toNanos(dueIn));
        }
    }

    /**
     * Reads a row by column numbers, in the order of {@code head} in Claims.xml. The mapping of MyBatis, by names and reflection, caused two fifths of
     * all allocations of the engine.
     */
    static final class HeadRowHandler extends RowHandler<HeadRow> {

        @Override
        public HeadRow getNullableResult(ResultSet row, int first) throws SQLException {
            return new HeadRow(
                    row.getLong(1),
                    Objects.requireNonNull(TypeHandlers.uuid(row, 2)),
                    TypeHandlers.text(row, 3),
                    Objects.requireNonNull(TypeHandlers.text(row, 4)),
                    row.getString(5),
                    Objects.requireNonNull(TypeHandlers.text(row, 6)),
                    row.getBytes(7),
                    row.getInt(8),
                    row.getInt(9),
                    row.getInt(10),
                    row.getInt(11),
                    row.getInt(12),
                    Objects.requireNonNull(TypeHandlers.instant(row, 13)),
                    Objects.requireNonNull(TypeHandlers.instant(row, 14)),
                    row.getLong(15),
                    row.getLong(16),
                    TypeHandlers.instant(row, 17),
                    row.getLong(18));
        }
    }
}
