package io.acidq.chaos.broken;

import io.acidq.store.Claim;
import io.acidq.store.ClaimStore;
import io.acidq.store.Lane;
import io.acidq.store.MaintenanceStore;
import io.acidq.store.MaintenanceStore.Moved;
import io.acidq.store.NodeStore;
import io.acidq.store.Store;
import io.acidq.store.Transactions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** Stores with a wrong acknowledgement, rescue or move of due messages. */
final class WrongStores {
    private static final String BY_ID = "DELETE FROM acidq_message WHERE queue = ? AND lane = ? AND id = ?";
    private static final String BY_NUMBER = BY_ID + " AND claim_no = ?";
    private static final String BY_ALL = BY_NUMBER + " AND owner = ?";
    private static final String CONTENT =
            "first_due, attempts, crashes, uid, queue, lane, claim_no, enqueued_at, p_key, order_key, type, headers,"
                    + " size, payload";
    private static final String COUNT =
            "UPDATE acidq_message SET attempts = attempts + ? WHERE queue = ? AND lane = ? AND id = ? AND claim_no = ?";

    private WrongStores() {}

    static Store acknowledgingByIdAlone(Store store, DataSource dataSource) {
        return acking(store, claim -> inHandlers(store, BY_ID, claim.queue(), claim.lane(), claim.id()));
    }

    static Store byNumberWithoutOwner(Store store, DataSource dataSource) {
        return acking(
                store, claim -> inHandlers(store, BY_NUMBER, claim.queue(), claim.lane(), claim.id(), claim.claimNo()));
    }

    /** Reports success, and deletes the message after the handler's transaction has committed. */
    static Store inASecondTransaction(Store store, DataSource dataSource) {
        Sql later = new Sql(dataSource);
        return acking(store, claim -> {
            store.transactions()
                    .afterCommit(() -> later.inTransaction(c -> Sql.update(
                            c, BY_ALL, claim.queue(), claim.lane(), claim.id(), claim.claimNo(), claim.owner())));
            return true;
        });
    }

    /** Counts the attempt in the handler's transaction, which a failed handler rolls back. */
    static Store countingInTheHandlersTransaction(Store store, DataSource dataSource) {
        Sql own = new Sql(dataSource);
        ClaimStore claims = PortProxy.intercept(ClaimStore.class, store.claims(), (method, args, originalCall) -> {
            if (method.equals("ackIfClaimed")) {
                Claim claim = (Claim) args[0];
                inHandlers(store, COUNT, 1, claim.queue(), claim.lane(), claim.id(), claim.claimNo());
            }
            Object result = originalCall.call();
            if (result instanceof ClaimStore.Claimed claimed) {
                claimed.messages()
                        .forEach(m -> own.inTransaction(c -> Sql.update(
                                c,
                                COUNT,
                                -1,
                                m.claim().queue(),
                                m.claim().lane(),
                                m.claim().id(),
                                m.claim().claimNo())));
            }
            return result;
        });
        return PortProxy.withClaims(store, claims);
    }

    private static Store acking(Store store, Ack ack) {
        return PortProxy.withClaims(
                store,
                PortProxy.replaceMethod(
                        ClaimStore.class, store.claims(), "ackIfClaimed", args -> ack.acknowledges((Claim) args[0])));
    }

    private static boolean inHandlers(Store store, String sql, Object... values) throws SQLException {
        Transactions handlers = store.transactions();
        Connection connection = Objects.requireNonNull(handlers.current());
        return Sql.update(connection, sql, values) == 1;
    }

    /** An acknowledgement. */
    private interface Ack {
        boolean acknowledges(Claim claim) throws SQLException;
    }

    static Store rescuingById(Store store, DataSource dataSource) {
        Sql sql = new Sql(dataSource);
        return PortProxy.withNodes(store, PortProxy.replaceMethod(NodeStore.class, store.nodes(), "rescue", args -> {
            sql.inTransaction(connection -> rescue(connection, (int) args[0]));
            return List.of();
        }));
    }

    private static int rescue(Connection connection, int dead) throws SQLException {
        int freed = 0;
        for (long id : claimsOf(connection, dead)) {
            freed += Sql.update(
                    connection,
                    "UPDATE acidq_message SET owner = 0, attempts = attempts - 1, crashes = crashes + 1 WHERE id = ?",
                    id);
        }
        return freed;
    }

    private static List<Long> claimsOf(Connection connection, int dead) throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (PreparedStatement select =
                connection.prepareStatement("SELECT m.id FROM acidq_message m WHERE m.owner = ?")) {
            Sql.bind(select, dead);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    ids.add(rows.getLong(1));
                }
            }
        }
        return ids;
    }

    static Store movingBesideOthers(Store store, DataSource dataSource) {
        Sql sql = new Sql(dataSource);
        return PortProxy.withMaintenance(
                store,
                PortProxy.replaceMethod(
                        MaintenanceStore.class,
                        store.maintenance(),
                        "moveDue",
                        args -> sql.inTransaction(WrongStores::move)));
    }

    private static Moved move(Connection connection) throws SQLException {
        List<Long> ids = new ArrayList<>();
        Set<Integer> lanes = new TreeSet<>();
        int queue = 0;
        try (PreparedStatement pick = connection.prepareStatement(
                        "SELECT s.id, s.queue, s.lane FROM acidq_scheduled s FORCE INDEX (PRIMARY) WHERE"
                                + " s.preexec_time <= UTC_TIMESTAMP(6) ORDER BY s.preexec_time, s.id LIMIT 500 FOR UPDATE"
                                + " SKIP LOCKED");
                ResultSet rows = pick.executeQuery()) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
                queue = rows.getInt(2);
                lanes.add(rows.getInt(3));
            }
        }
        if (!ids.isEmpty()) {
            String these = ids.stream().map(String::valueOf).collect(Collectors.joining(",", "(", ")"));
            Sql.update(
                    connection,
                    "INSERT INTO acidq_message (preexec_time, " + CONTENT + ") SELECT preexec_time, " + CONTENT
                            + " FROM acidq_scheduled s FORCE INDEX (by_id) WHERE s.id IN " + these
                            + " ORDER BY s.preexec_time, s.id");
            for (long id : ids) {
                Sql.update(connection, "DELETE FROM acidq_scheduled WHERE id = ?", id);
            }
        }
        int ofQueue = queue;
        return new Moved(lanes.stream().map(lane -> new Lane(ofQueue, lane)).toList(), null);
    }
}
