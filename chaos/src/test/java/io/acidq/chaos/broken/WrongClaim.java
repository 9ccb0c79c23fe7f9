package io.acidq.chaos.broken;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.acidq.store.Claim;
import io.acidq.store.ClaimStore.ClaimRequest;
import io.acidq.store.ClaimStore.Claimed;
import io.acidq.store.ClaimedMessage;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** A claim with its own SQL that is correct except for one flaw. */
final class WrongClaim {

    private static final String READ =
            "SELECT id, uid, p_key, order_key, type, headers, payload, owner, claim_no, attempts, crashes,"
                    + " preexec_time <= UTC_TIMESTAMP(6) AS due FROM acidq_message FORCE INDEX (PRIMARY) WHERE queue = ?"
                    + " AND lane = ? AND id > ?%s ORDER BY id LIMIT 500%s";

    private static final String MARK =
            "UPDATE acidq_message SET owner = ?, claim_no = ?, attempts = ?, batch = ? WHERE queue = ? AND lane = ?"
                    + " AND id = ?%s";

    private final Fault fault;
    private final AtomicLong remembered = new AtomicLong();

    WrongClaim(Fault fault) {
        this.fault = fault;
    }

    /** The flaw. */
    enum Fault {
        /** Reads free rows and marks them without a lock. */
        NO_LOCK,
        /** Locks free rows of any ordering key. */
        BLIND_TO_KEYS,
        /** Continues after the last id that it has claimed. */
        BEHIND_THE_LAST,
        /** Starts at the lowest id that it saw the last time, and reads lower ids only if it finds nothing. */
        FROM_THE_LOW_WATER
    }

    Claimed claim(Sql sql, ClaimRequest request) {
        return sql.inTransaction(connection -> claim(connection, request));
    }

    private Claimed claim(Connection connection, ClaimRequest request) throws SQLException {
        if (fault != Fault.NO_LOCK && fault != Fault.BLIND_TO_KEYS) {
            lockLane(connection, request);
        }
        List<Row> rows = read(connection, request, from());
        if (rows.isEmpty() && fault == Fault.FROM_THE_LOW_WATER) {
            rows = read(connection, request, 0);
        }
        List<Row> taken = choose(rows, request.budget().messages());
        List<ClaimedMessage> messages = new ArrayList<>();
        for (Row row : taken) {
            mark(connection, request, row);
            messages.add(row.claimedBy(request));
        }
        remember(rows, taken);
        return new Claimed(messages, taken.size() < rows.size(), null, false);
    }

    private static void lockLane(Connection connection, ClaimRequest request) throws SQLException {
        try (PreparedStatement lock = connection.prepareStatement(
                "SELECT claimed_to FROM acidq_lane WHERE queue = ? AND lane = ? FOR UPDATE")) {
            Sql.bind(lock, request.queue(), request.lane());
            lock.executeQuery().close();
        }
    }

    private long from() {
        return switch (fault) {
            case BEHIND_THE_LAST -> remembered.get();
            case FROM_THE_LOW_WATER -> remembered.get() - 1;
            default -> 0;
        };
    }

    private void remember(List<Row> rows, List<Row> taken) {
        if (fault == Fault.BEHIND_THE_LAST && !taken.isEmpty()) {
            remembered.set(taken.get(taken.size() - 1).id);
        }
        if (fault == Fault.FROM_THE_LOW_WATER && !rows.isEmpty()) {
            remembered.set(rows.get(0).id);
        }
    }

    private List<Row> read(Connection connection, ClaimRequest request, long after) throws SQLException {
        boolean locks = fault == Fault.BLIND_TO_KEYS;
        String sql = String.format(READ, locks ? " AND owner = 0" : "", locks ? " FOR UPDATE SKIP LOCKED" : "");
        List<Row> rows = new ArrayList<>();
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            Sql.bind(select, request.queue(), request.lane(), after);
            try (ResultSet found = select.executeQuery()) {
                while (found.next()) {
                    rows.add(Row.of(found));
                }
            }
        }
        return rows;
    }

    private List<Row> choose(List<Row> rows, int most) {
        Set<String> closed = new HashSet<>();
        List<Row> taken = new ArrayList<>();
        for (Row row : rows) {
            boolean free = row.owner == 0 && row.due;
            if (free && !closed.contains(row.orderingKey) && taken.size() < most) {
                taken.add(row);
            } else if (!row.orderingKey.isEmpty() && fault != Fault.BLIND_TO_KEYS) {
                closed.add(row.orderingKey);
            }
        }
        return taken;
    }

    private void mark(Connection connection, ClaimRequest request, Row row) throws SQLException {
        Sql.update(
                connection,
                String.format(MARK, fault == Fault.NO_LOCK ? "" : " AND owner = 0"),
                request.owner(),
                row.claimNo + 1,
                row.attempts + 1,
                request.batch(),
                request.queue(),
                request.lane(),
                row.id);
        Sql.update(
                connection,
                "UPDATE acidq_lane SET claimed_to = GREATEST(claimed_to, ?) WHERE queue = ? AND lane = ?",
                row.id,
                request.queue(),
                request.lane());
    }

    private record Row(
            long id,
            UUID uid,
            String key,
            String orderingKey,
            String type,
            String headers,
            byte[] payload,
            int owner,
            int claimNo,
            int attempts,
            int crashes,
            boolean due) {

        static Row of(ResultSet row) throws SQLException {
            ByteBuffer uid = ByteBuffer.wrap(row.getBytes("uid"));
            return new Row(
                    row.getLong("id"),
                    new UUID(uid.getLong(), uid.getLong()),
                    new String(row.getBytes("p_key"), UTF_8),
                    new String(row.getBytes("order_key"), UTF_8),
                    row.getString("type"),
                    new String(row.getBytes("headers"), UTF_8),
                    row.getBytes("payload"),
                    row.getInt("owner"),
                    row.getInt("claim_no"),
                    row.getInt("attempts"),
                    row.getInt("crashes"),
                    row.getBoolean("due"));
        }

        ClaimedMessage claimedBy(ClaimRequest by) {
            return new ClaimedMessage(
                    new Claim(by.queue(), by.lane(), id, uid, by.owner(), claimNo + 1),
                    by.batch(),
                    uid,
                    key,
                    orderingKey.isEmpty() ? null : orderingKey,
                    type,
                    headers,
                    payload,
                    attempts + 1,
                    crashes,
                    Instant.EPOCH,
                    Instant.EPOCH,
                    Duration.ZERO,
                    null,
                    by.claimNanos());
        }
    }
}
