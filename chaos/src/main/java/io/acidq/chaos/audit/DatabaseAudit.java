package io.acidq.chaos.audit;

import io.acidq.chaos.audit.MessageHistory.Effect;
import io.acidq.chaos.audit.MessageHistory.RecordedDeadLetter;
import io.acidq.chaos.role.HandlerAction;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the database says, by SQL of our own. */
final class DatabaseAudit {

    private final Connection connection;
    private final List<String> strangers = new ArrayList<>();
    private final DeadNodes deadNodes = new DeadNodes();
    private final List<String> alive = new ArrayList<>();

    DatabaseAudit(Connection connection) {
        this.connection = connection;
    }

    void read(Map<String, MessageHistory> messageHistories) throws SQLException {
        readBusiness(messageHistories);
        forEach(
                "SELECT e.p_key, e.id, e.node, e.claim_no, e.at < b.due_at, e.order_key, e.seq FROM chaos_effect e LEFT JOIN chaos_business b ON b.p_key = e.p_key"
                        + " ORDER BY e.id",
                row -> {
                    MessageHistory messageHistory = history(messageHistories, row);
                    messageHistory.effects.add(
                            new Effect(row.getLong(2), row.getInt(3), row.getInt(4), row.getString(6), row.getLong(7)));
                    messageHistory.early |= row.getBoolean(5);
                });
        forEach(
                "SELECT " + key("d.p_key")
                        + ", d.attempts, d.crashes, d.claim_no, LEFT(d.mark, 2000), HEX(d.uid), d.died_at < b.due_at,"
                        + " CONVERT(d.order_key USING utf8mb4), d.type, d.payload FROM acidq_dead d"
                        + " LEFT JOIN chaos_business b ON b.p_key = CONVERT(d.p_key USING utf8mb4)",
                row -> {
                    MessageHistory messageHistory = history(messageHistories, row);
                    boolean asMeant = messageHistory.isMeant(row.getString(8), row.getString(9), row.getBytes(10));
                    messageHistory.deadLetter = new RecordedDeadLetter(
                            row.getInt(2), row.getInt(3), row.getInt(4), row.getString(5), asMeant);
                    messageHistory.uids.add(row.getString(6));
                    messageHistory.early |= row.getBoolean(7);
                });
        forEach("SELECT " + key("p_key") + ", HEX(uid) FROM acidq_key", row -> {
            MessageHistory messageHistory = history(messageHistories, row);
            messageHistory.keyed = true;
            messageHistory.uids.add(row.getString(2));
        });
        forEach(
                "SELECT " + key("k.p_key") + ", d.node FROM acidq_crash d JOIN acidq_key k ON k.uid = d.uid",
                row -> history(messageHistories, row).crashedNodes.add(row.getInt(2)));
        for (String from : List.of("acidq_message WHERE kind = 0", "acidq_scheduled", "acidq_parked")) {
            forEach(
                    "SELECT " + key("p_key") + " FROM " + from,
                    row -> history(messageHistories, row).places.add(from));
        }
        readNodes();
    }

    /** Due times by the machine's clock: the two clocks are read once, since to read all rows takes long. */
    private void readBusiness(Map<String, MessageHistory> messageHistories) throws SQLException {
        long read = System.nanoTime(); // not after the other: who waits for the answer must see nothing as early
        List<String> now = new ArrayList<>(1);
        forEach("SELECT CAST(UTC_TIMESTAMP(6) AS CHAR)", row -> now.add(row.getString(1)));
        forEach(
                "SELECT p_key, TIMESTAMPDIFF(MICROSECOND, CAST('" + now.get(0)
                        + "' AS DATETIME(6)), due_at) FROM chaos_business",
                row -> {
                    MessageHistory messageHistory = history(messageHistories, row);
                    messageHistory.booked = true;
                    messageHistory.dueAt = read + 1000 * row.getLong(2);
                });
    }

    /** A declaration of death without a date counts as one of long ago. */
    private void readNodes() throws SQLException {
        long read = System.nanoTime();
        forEach(
                "SELECT id, TIMESTAMPDIFF(MICROSECOND, ended_at, UTC_TIMESTAMP(6)) FROM acidq_node WHERE state = 'DEAD'",
                row -> {
                    long micros = row.getLong(2);
                    long at = row.wasNull() ? Long.MIN_VALUE / 2 : read - 1000 * micros;
                    deadNodes.declaredDead(row.getInt(1), at);
                });
        forEach("SELECT id FROM acidq_node WHERE state <> 'ALIVE'", row -> deadNodes.ended(row.getInt(1)));
        forEach(
                "SELECT id, host FROM acidq_node WHERE state = 'ALIVE'",
                row -> alive.add("node " + row.getInt(1) + " of " + row.getString(2)));
    }

    private static String key(String column) {
        return "COALESCE(CONVERT(" + column + " USING utf8mb4), '(no key)')";
    }

    /** Keys that no producer has ever meant. */
    List<String> strangers() {
        return strangers;
    }

    /** The nodes that were declared dead. */
    DeadNodes nodes() {
        return deadNodes;
    }

    /** The nodes that have not ended. */
    List<String> alive() {
        return alive;
    }

    /** The sum that does not come out; empty when it does. */
    List<String> imbalance() throws SQLException {
        long enqueued = count("chaos_business");
        long dead = count("acidq_dead");
        long done = number("SELECT COUNT(DISTINCT p_key) FROM chaos_effect");
        long left = count("acidq_message WHERE kind = 0") + count("acidq_scheduled") + count("acidq_parked");
        return enqueued == done + dead + left
                ? List.of()
                : List.of("enqueued=" + enqueued + " done=" + done + " dead=" + dead + " left=" + left);
    }

    /** Markers that hold a place for nobody, dead letters and parked followers whose place nobody holds. */
    List<String> lostPlaces() throws SQLException {
        List<String> lost = new ArrayList<>();
        lost(
                lost,
                "a hold marker without its dead letter",
                "SELECT m.id FROM acidq_message m WHERE m.kind IN (1, 3) AND NOT EXISTS (SELECT 1 FROM acidq_dead d"
                        + " WHERE d.queue = m.queue AND d.held_id = m.id)");
        lost(
                lost,
                "a dead letter without its hold marker",
                "SELECT d.held_id FROM acidq_dead d WHERE d.held_id <> 0 AND NOT EXISTS (SELECT 1 FROM acidq_message m"
                        + " WHERE m.queue = d.queue AND m.id = d.held_id AND m.kind IN (1, 3))");
        lost(
                lost,
                "a refill marker without parked followers",
                "SELECT m.id FROM acidq_message m WHERE m.kind = 2 AND NOT EXISTS (SELECT 1 FROM acidq_parked p"
                        + " WHERE p.queue = m.queue AND p.order_key = m.order_key)");
        lost(
                lost,
                "a parked follower without a marker",
                "SELECT p.id FROM acidq_parked p WHERE NOT EXISTS (SELECT 1 FROM acidq_message m WHERE m.queue = p.queue"
                        + " AND m.lane = p.lane AND m.order_key = p.order_key AND m.kind IN (2, 3))");
        return lost;
    }

    private void lost(List<String> lost, String what, String sql) throws SQLException {
        forEach(sql, row -> lost.add(what + ", id " + row.getLong(1)));
    }

    private long count(String from) throws SQLException {
        return number("SELECT COUNT(*) FROM " + from);
    }

    private long number(String sql) throws SQLException {
        List<Long> found = new ArrayList<>(1);
        forEach(sql, row -> found.add(row.getLong(1)));
        return found.get(0);
    }

    private MessageHistory history(Map<String, MessageHistory> messageHistories, ResultSet row) throws SQLException {
        String key = row.getString(1);
        MessageHistory known = messageHistories.get(key);
        if (known == null) {
            strangers.add(key);
            return new MessageHistory(key, null, 0, HandlerAction.PLAIN);
        }
        return known;
    }

    private void forEach(String sql, RowReader reader) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(rowByRow());
            try (ResultSet rows = statement.executeQuery(sql)) {
                while (rows.next()) {
                    reader.read(rows);
                }
            }
        }
    }

    /** What makes the driver hand out rows as they come: there may be millions. */
    private int rowByRow() throws SQLException {
        return connection.getMetaData().getDriverName().contains("MariaDB") ? 1000 : Integer.MIN_VALUE;
    }

    /** Takes a row. */
    private interface RowReader {
        void read(ResultSet row) throws SQLException;
    }
}
