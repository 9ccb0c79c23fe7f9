package io.acidq.chaos.audit;

import io.acidq.Schedule;
import io.acidq.chaos.audit.MessageHistory.Effect;
import io.acidq.chaos.audit.MessageHistory.RecordedDeadLetter;
import io.acidq.chaos.audit.MessageHistory.RecordedReceipt;
import io.acidq.chaos.role.ChaosSubscription;
import io.acidq.chaos.role.HandlerAction;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Reads and checks the database with plain SQL, independent of the engine. */
final class DatabaseAudit {

    /** The server needs a moment to notice that a client has gone, and a black hole of the proxy ends after some seconds. */
    static final Duration PATIENCE = Duration.ofSeconds(12);

    /** The messages of ticks have an audit of their own. */
    private static final String NO_TICK = "d.type <> 'Tick'";

    private static final Duration BETWEEN_CHECKS = Duration.ofMillis(50);
    /** All tables whose locks would stop the queue. */
    private static final List<String> LOCKABLE_TABLES = List.of(
            "acidq_queue",
            "acidq_lane",
            "acidq_node",
            "acidq_message",
            "acidq_scheduled",
            "acidq_parked",
            "acidq_dead",
            "acidq_key",
            "acidq_cancel",
            "acidq_recurring",
            "acidq_receipt");

    private final Connection connection;
    private final List<String> unknownKeys = new ArrayList<>();
    private final DeadNodes deadNodes = new DeadNodes();
    private final List<String> alive = new ArrayList<>();

    /** The time of the database when the machine's monotonic clock was {@link #clockRead}. */
    private String clock = "";

    private long clockRead;

    DatabaseAudit(Connection connection) {
        this.connection = connection;
    }

    void read(Map<String, MessageHistory> histories) throws SQLException {
        readTimes(histories);
        forEach(
                "SELECT e.p_key, e.id, e.node, e.claim_no, e.at < b.due_at, e.order_key, e.seq FROM chaos_effect e"
                        + " LEFT JOIN chaos_business b ON b.p_key = e.p_key ORDER BY e.id",
                row -> {
                    MessageHistory history = history(histories, row);
                    history.effects.add(
                            new Effect(row.getLong(2), row.getInt(3), row.getInt(4), row.getString(6), row.getLong(7)));
                    history.early |= row.getBoolean(5);
                });
        forEach(
                "SELECT " + key("d")
                        + ", d.attempts, d.crashes, d.claim_no, LEFT(d.mark, 2000), HEX(d.uid), d.died_at < b.due_at,"
                        + " CONVERT(d.order_key USING utf8mb4), d.type, d.payload, " + at("d.died_at")
                        + " FROM acidq_dead d" + queue("d")
                        + " LEFT JOIN chaos_business b ON b.p_key = " + key("d") + " WHERE " + NO_TICK,
                row -> {
                    MessageHistory history = history(histories, row);
                    boolean asMeant = history.isMeant(row.getString(8), row.getString(9), row.getBytes(10));
                    history.deadLetter = new RecordedDeadLetter(
                            row.getInt(2), row.getInt(3), row.getInt(4), row.getString(5), moment(row, 11), asMeant);
                    history.uids.add(row.getString(6));
                    history.early |= row.getBoolean(7);
                });
        forEach("SELECT " + key("k") + ", HEX(k.uid) FROM acidq_key k" + queue("k"), row -> {
            MessageHistory history = history(histories, row);
            history.keyed = true;
            history.uids.add(row.getString(2));
        });
        // A server that lost commits gives the number of a lost node again. The crash of the earlier node of that
        // number has another host.
        String receipt =
                ", r.state, CONVERT(r.result USING utf8mb4), " + at("r.ended_at") + " FROM acidq_receipt r JOIN ";
        for (String receipts : List.of(
                "SELECT " + key("k") + receipt + "acidq_key k ON k.uid = r.uid" + queue("k"),
                "SELECT w.p_key" + receipt + "chaos_withdrawn w ON w.uid = r.uid")) {
            forEach(
                    receipts,
                    row -> history(histories, row).receipt =
                            new RecordedReceipt(row.getString(2), row.getString(3), moment(row, 4)));
        }
        forEach("SELECT p_key FROM chaos_withdrawn", row -> history(histories, row).withdrawn = true);
        forEach(
                "SELECT " + key("k") + " FROM acidq_audit a JOIN acidq_key k ON k.uid = a.uid" + queue("k")
                        + " WHERE a.action = 'cancel'",
                row -> history(histories, row).cancelRecorded = true);
        forEach(
                "SELECT " + key("k") + ", d.node FROM acidq_crash d JOIN acidq_key k ON k.uid = d.uid" + queue("k")
                        + " LEFT JOIN acidq_node n ON n.id = d.node WHERE n.host IS NULL OR n.host = d.host",
                row -> history(histories, row).crashedNodes.add(row.getInt(2)));
        for (String table : List.of("acidq_message", "acidq_scheduled", "acidq_parked")) {
            String where = table.equals("acidq_message") ? " WHERE m.kind = 0" : "";
            forEach(
                    "SELECT " + key("m") + " FROM " + table + " m" + queue("m") + where,
                    row -> history(histories, row).places.add(table));
        }
        readNodes();
    }

    /** Converts due times and expiries to the machine's clock. It reads both clocks once, because reading all rows takes long. */
    private void readTimes(Map<String, MessageHistory> histories) throws SQLException {
        clockRead = System.nanoTime(); // before the other clock, so that the delay makes nothing look early
        forEach("SELECT CAST(UTC_TIMESTAMP(6) AS CHAR)", row -> clock = row.getString(1));
        forEach("SELECT p_key, " + at("due_at") + " FROM chaos_business", row -> {
            MessageHistory history = history(histories, row);
            history.booked = true;
            history.dueAt = moment(row, 2);
        });
        forEach(
                "SELECT p_key, " + at("expires_at") + " FROM chaos_expiry",
                row -> history(histories, row).expiresAt = moment(row, 2));
    }

    /** SQL for a time, which {@link #moment} converts. */
    private String at(String time) {
        return "TIMESTAMPDIFF(MICROSECOND, CAST('" + clock + "' AS DATETIME(6)), " + time + ")";
    }

    private long moment(ResultSet row, int column) throws SQLException {
        return clockRead + 1000 * row.getLong(column);
    }

    /** A dead node without an end time counts as declared dead long ago. */
    private void readNodes() throws SQLException {
        long read = System.nanoTime();
        forEach(
                "SELECT id, TIMESTAMPDIFF(MICROSECOND, ended_at, UTC_TIMESTAMP(6)) FROM acidq_node WHERE state ="
                        + " 'DEAD'",
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

    /** The key of a row, by which the journals name its message. */
    static String key(String table) {
        return ChaosSubscription.keySql(table + ".p_key", table + "_q.name");
    }

    /** The join that {@link #key} needs. */
    static String queue(String table) {
        return " LEFT JOIN acidq_queue " + table + "_q ON " + table + "_q.id = " + table + ".queue";
    }

    /** Keys that no producer has sent. */
    List<String> unknownKeys() {
        return unknownKeys;
    }

    /** The nodes that were declared dead or have ended. */
    DeadNodes nodes() {
        return deadNodes;
    }

    /** The nodes that have not ended. */
    List<String> alive() {
        return alive;
    }

    /**
     * The numbers that do not add up; empty if they do.
     *
     * @param removed the number of messages that are rightly gone without an effect and without a dead letter
     */
    List<String> imbalance(long removed) throws SQLException {
        long enqueued = count("chaos_business");
        long dead = count("acidq_dead d WHERE " + NO_TICK);
        long done = number("SELECT COUNT(DISTINCT p_key) FROM chaos_effect");
        long left = count("acidq_message WHERE kind = 0") + count("acidq_scheduled") + count("acidq_parked");
        return enqueued == done + dead + removed + left
                ? List.of()
                : List.of("enqueued=" + enqueued + " done=" + done + " dead=" + dead + " removed=" + removed + " left="
                        + left);
    }

    /** Ticks that have no message, or several, and those that are missing in a series. */
    List<String> wrongTicks() throws SQLException {
        List<String> wrong = new ArrayList<>();
        Map<String, Long> last = new HashMap<>();
        forEach(
                "SELECT t.name, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', t.tick_at), t.missed, t.result, r.schedule,"
                        + " (SELECT COUNT(*) FROM chaos_tick e WHERE e.name = t.name AND e.tick_at = t.tick_at)"
                        + " + (SELECT COUNT(*) FROM acidq_dead d WHERE d.uid = t.uid) FROM acidq_tick t"
                        + " JOIN acidq_recurring r ON r.name = t.name ORDER BY t.name, t.tick_at",
                row -> {
                    String name = row.getString(1);
                    long tick = row.getLong(2);
                    long period =
                            Schedule.parse(row.getString(5), null).period().toNanos() / 1000;
                    Long before = last.put(name, tick);
                    if (before != null && tick - before != period * (1 + row.getLong(3))) {
                        wrong.add(name + ": " + tick + " follows " + before);
                    }
                    if (row.getLong(6) != (row.getString(4).equals("ENQUEUED") ? 1 : 0)) {
                        wrong.add(name + ": " + row.getString(4) + " at " + tick + " has " + row.getLong(6) + " ends");
                    }
                });
        forEach(
                "SELECT e.name, e.tick_at FROM chaos_tick e LEFT JOIN acidq_tick t ON t.name = e.name"
                        + " AND t.tick_at = e.tick_at WHERE t.name IS NULL",
                row -> wrong.add(row.getString(1) + ": a message ran for " + row.getString(2) + ", which is no tick"));
        return wrong;
    }

    /** Ticks that were enqueued, and messages of ticks that ran, before their time. */
    List<String> earlyTicks() throws SQLException {
        List<String> early = new ArrayList<>();
        forEach(
                "SELECT name, tick_at FROM acidq_tick WHERE done_at < tick_at"
                        + " UNION ALL SELECT name, tick_at FROM chaos_tick WHERE at < tick_at",
                row -> early.add(row.getString(1) + " at " + row.getString(2)));
        return early;
    }

    /**
     * Returns the numbers of the history that are above the truth. The history may count too little: a process that is killed does not write its last
     * minute.
     */
    List<String> historyAboveTheTruth() throws SQLException {
        List<String> above = new ArrayList<>();
        for (int step : new int[] {1, 10, 60}) {
            compare(above, step, "done", count("chaos_effect") + count("chaos_tick"));
            compare(above, step, "enqueued", count("chaos_business") + count("acidq_tick WHERE result = 'ENQUEUED'"));
        }
        return above;
    }

    private void compare(List<String> above, int step, String column, long truth) throws SQLException {
        long counted = number("SELECT COALESCE(SUM(" + column + "), 0) FROM acidq_history WHERE step = " + step);
        if (counted > truth) {
            above.add(column + " in steps of " + step + " minutes: " + counted + ", and there were " + truth);
        }
    }

    /** Markers without a dead letter or parked followers, and dead letters and parked followers without a marker. */
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
                "SELECT p.id FROM acidq_parked p WHERE NOT EXISTS (SELECT 1 FROM acidq_message m WHERE m.queue ="
                        + " p.queue AND m.lane = p.lane AND m.order_key = p.order_key AND m.kind IN (2, 3))");
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

    private MessageHistory history(Map<String, MessageHistory> histories, ResultSet row) throws SQLException {
        String key = row.getString(1);
        MessageHistory known = histories.get(key);
        if (known == null) {
            unknownKeys.add(key);
            return new MessageHistory(key, null, 0, HandlerAction.PLAIN);
        }
        return known;
    }

    private void forEach(String sql, RowReader reader) throws SQLException {
        forEach(connection, sql, reader);
    }

    /** Reads row by row, because there may be millions. */
    static void forEach(Connection connection, String sql, RowReader reader) throws SQLException {
        boolean isMariaDb = connection.getMetaData().getDriverName().contains("MariaDB");
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(isMariaDb ? 1000 : Integer.MIN_VALUE);
            try (ResultSet rows = statement.executeQuery(sql)) {
                while (rows.next()) {
                    reader.read(rows);
                }
            }
        }
    }

    /** Reads a row. */
    interface RowReader {
        void read(ResultSet row) throws SQLException;
    }

    /** Other connections to this database that are still open after the timeout. */
    List<String> connections(Duration timeout) throws SQLException {
        long start = System.nanoTime();
        List<String> others = otherConnections();
        while (!others.isEmpty() && System.nanoTime() - start < timeout.toNanos()) {
            LockSupport.parkNanos(BETWEEN_CHECKS.toNanos());
            others = otherConnections();
        }
        return others;
    }

    private List<String> otherConnections() throws SQLException {
        List<String> others = new ArrayList<>();
        forEach(
                "SELECT id, host, command, time, LEFT(info, 200) FROM information_schema.processlist"
                        + " WHERE db = DATABASE() AND id <> CONNECTION_ID()",
                row -> others.add("connection " + row.getLong(1) + " from " + row.getString(2) + ", " + row.getString(3)
                        + " for " + row.getLong(4) + " s: " + row.getString(5)));
        return others;
    }

    /** The tables with a locked row. The check takes every lock for a moment, so it needs no privileges on server tables. */
    List<String> locks() throws SQLException {
        List<String> locked = new ArrayList<>();
        for (String table : LOCKABLE_TABLES) {
            try (Statement statement = connection.createStatement()) {
                statement
                        .executeQuery("SELECT 1 FROM " + table + " FORCE INDEX (PRIMARY) FOR UPDATE NOWAIT")
                        .close();
            } catch (SQLException e) {
                if (!isLocked(e)) {
                    throw e;
                }
                locked.add("a row of " + table + " is locked");
            }
        }
        return locked;
    }

    private static boolean isLocked(SQLException e) {
        return e.getErrorCode() == 3572 || e.getErrorCode() == 1205; // MySQL, MariaDB
    }

    /** The nodes that have ended, and when nodes were declared dead by the machine's monotonic clock. Confined to the auditor's thread. */
    static final class DeadNodes {

        /** The audit compares the clocks of the database and the machine, which drift apart during a long run. */
        private static final long TOLERANCE = TimeUnit.MILLISECONDS.toNanos(100);

        private final Map<Integer, Long> declaredDead = new HashMap<>();
        private final Set<Integer> ended = new HashSet<>();

        /** Adds a node that has ended for any reason. */
        void ended(int node) {
            ended.add(node);
        }

        boolean hasEnded(int node) {
            return ended.contains(node);
        }

        /** Adds a node that was declared dead at this time. */
        void declaredDead(int node, long at) {
            declaredDead.put(node, at);
        }

        /** Whether a node had been declared dead by then, so that other nodes could take its messages. */
        boolean wasDeclaredDead(int node, long at) {
            Long moment = declaredDead.get(node);
            return moment != null && moment - TOLERANCE <= at;
        }
    }
}
