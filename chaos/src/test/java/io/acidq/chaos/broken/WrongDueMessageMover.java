package io.acidq.chaos.broken;

import io.acidq.store.Lane;
import io.acidq.store.MaintenanceStore;
import io.acidq.store.MaintenanceStore.Moved;
import io.acidq.store.Store;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** Moves what is due and not locked, while another does the same. */
final class WrongDueMessageMover {

    private static final String CONTENT =
            "first_due, attempts, crashes, uid, queue, lane, claim_no, enqueued_at, p_key, order_key, type, headers, size, payload";

    private WrongDueMessageMover() {}

    static Store besideOthers(Store store, DataSource dataSource) {
        Sql sql = new Sql(dataSource);
        return PortProxy.withMaintenance(
                store,
                PortProxy.replaceMethod(
                        MaintenanceStore.class,
                        store.maintenance(),
                        "moveDue",
                        args -> sql.inTransaction(WrongDueMessageMover::move)));
    }

    private static Moved move(Connection connection) throws SQLException {
        List<Long> ids = new ArrayList<>();
        Set<Integer> lanes = new TreeSet<>();
        int queue = 0;
        try (PreparedStatement pick = connection.prepareStatement(
                        "SELECT s.id, s.queue, s.lane FROM acidq_scheduled s FORCE INDEX (PRIMARY) WHERE s.preexec_time <= UTC_TIMESTAMP(6)"
                                + " ORDER BY s.preexec_time, s.id LIMIT 500 FOR UPDATE SKIP LOCKED");
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
