package io.acidq.chaos.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.acidq.chaos.role.ChaosMessage;
import io.acidq.chaos.role.ChaosSubscription;
import io.acidq.chaos.role.HandlerAction;
import io.acidq.chaos.role.Journal;
import io.acidq.chaos.role.Journal.Phase;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.json.JsonMapper;

/** A run written by hand: lines of journals and rows of tables. Process 0 is the producer, 1 and 2 are workers. */
final class HandwrittenRun implements AutoCloseable {

    /** The time of the journals at which operators get their answers. */
    static final long CANCELLED_AT = 100;

    /** In milliseconds. The messages are due long ago, so they have expired. */
    static final long SECOND = 1000;

    private static final long LONG_AGO = -60_000_000_000L;

    private final Connection connection;
    private final List<Journal> processes = new ArrayList<>();
    private final Map<String, ChaosMessage> intended = new HashMap<>();

    HandwrittenRun(Connection connection, Path folder) {
        this.connection = connection;
        for (int process = 0; process <= 2; process++) {
            processes.add(Journal.open(folder.resolve("process-" + process + ".journal")));
        }
    }

    /**
     * A correct run: single and ordered messages, a failing and a halting one, a published one, transactions without effect, messages that were
     * removed, and a stopped worker.
     */
    void writeCorrectRun() throws SQLException {
        done("plain", null, 1);
        done("first", "k", 2);
        done("second", "k", 3);
        failing("failing", 4);
        halting("halting", 3);
        done("published@first", null, 8);
        done("published@second", null, 8);
        failing("published@failing", 2);
        intent("rolled-back", null, 6, HandlerAction.PLAIN);
        ends(Phase.FAILED, "rolled-back");
        intent("killed", null, 7, HandlerAction.PLAIN);
        ends(Phase.UNKNOWN, "killed");
        answered("lost", "NO");
        tracked("tracked", 8);
        receipt("tracked", "DONE", "1");
        expired("expired", SECOND, "EXPIRED");
        done("in-time", null, 7);
        expiring("in-time", 30 * 86400 * SECOND);
        receipt("in-time", "DONE", "1");
        cancelled("cancelled", "CANCELLED");
        cancelled("asked", "REQUESTED");
        withdrawn("withdrawn");
        line(1, Phase.STOPPED);
        sql(
                "INSERT INTO acidq_recurring (name, destination, to_topic, schedule, zone, misfire, grace_micros, skip_overlap, changed_at,"
                        + " type, headers, size, payload) VALUES ('tick', 'ticks', 0, 'every 1m', '', 'once', 1, 0, UTC_TIMESTAMP(6), '', '', 0, '')");
        ticked(1, "ENQUEUED", 0);
        ranForTick(1);
        ticked(3, "ENQUEUED", 1);
        ranForTick(3);
        ticked(4, "SKIPPED", 0);
    }

    /** A tick at a minute. */
    void ticked(int minute, String result, int missed) throws SQLException {
        sql("INSERT INTO acidq_tick (name, tick_at, result, missed, done_at) VALUES ('tick', '2026-01-01 00:0" + minute
                + ":00', '" + result + "', " + missed + ", '2026-01-01 00:0" + minute + ":01')");
    }

    /** A message of a tick at a minute that ran. */
    void ranForTick(int minute) throws SQLException {
        sql("INSERT INTO chaos_tick (name, tick_at, at) VALUES ('tick', '2026-01-01 00:0" + minute
                + ":00', '2026-01-01 00:0" + minute + ":02')");
    }

    /** A message with a receipt that was sent and is done. */
    void tracked(String key, long seq) throws SQLException {
        done(key, null, seq);
        line(0, Phase.INTENT, key, "null", seq, HandlerAction.PLAIN, true);
        ends(Phase.OK, key);
    }

    void receipt(String key, String state, String result) throws SQLException {
        sql("INSERT INTO acidq_receipt (uid, state, retention_micros, result, ended_at) VALUES (" + uid(key) + ", '"
                + state + "', 1, " + (result == null ? "NULL" : "'" + result + "'") + ", " + at(0) + ")");
    }

    /** A message with a receipt that is gone. */
    void expired(String key, long expiresIn, String state) throws SQLException {
        sent(key, null, 9, HandlerAction.PLAIN);
        expiring(key, expiresIn);
        receipt(key, state, null);
    }

    /** Lets a message that was sent have an expiry and a receipt. */
    void expiring(String key, long expiresIn) throws SQLException {
        ChaosMessage message = Objects.requireNonNull(intended.get(key));
        line(0, Phase.INTENT, key, "null", message.seq(), message.action(), true, expiresIn);
        ends(Phase.OK, key);
        sql("INSERT INTO chaos_expiry (p_key, expires_at) VALUES ('" + key + "', "
                + at(LONG_AGO + 1_000_000 * expiresIn) + ")");
    }

    /** A message that was sent and is gone, and the answer to the operator who cancelled it. */
    void cancelled(String key, String answer) throws SQLException {
        sent(key, null, 9, HandlerAction.PLAIN);
        cancel(key, answer);
    }

    /** A cancel that is in the audit log. */
    void cancel(String key, String answer) throws SQLException {
        cancelWithoutRecord(key, answer);
        sql(
                "INSERT INTO acidq_audit (at, actor, action, queue, lane, uid, reason, detail) VALUES (UTC_TIMESTAMP(6), 'ann', 'cancel', 1, 0, "
                        + uid(key) + ", 'a test', '')");
    }

    void cancelWithoutRecord(String key, String answer) {
        line(0, Phase.CANCELLING, key);
        line(0, Phase.CANCELLED, key, answer, CANCELLED_AT);
    }

    /** A message that was sent and withdrawn. */
    void withdrawn(String key) throws SQLException {
        sent(key, null, 9, HandlerAction.PLAIN);
        sql("DELETE FROM acidq_key WHERE p_key = '" + key + "'");
        sql("INSERT INTO chaos_withdrawn (p_key, uid) VALUES ('" + key + "', " + uid(key) + ")");
    }

    /** A message that may have been sent and was not, and the answer of its receipt. */
    void answered(String key, String answer) {
        intent(key, null, 6, HandlerAction.PLAIN);
        ends(Phase.UNKNOWN, key);
        line(0, Phase.ANSWERED, key, answer);
    }

    /** A message that was sent, run once by node 1, and is done. */
    void done(String key, String lane, long seq) throws SQLException {
        sent(key, lane, seq, HandlerAction.PLAIN);
        ran(1, key, 1, 1, 1, 10 * seq);
        effect(key, lane, seq, 1, 1);
    }

    /** A message that fails at each attempt. */
    void failing(String key, int attempts) throws SQLException {
        sent(key, null, 4, HandlerAction.FAIL);
        for (int attempt = 1; attempt <= attempts; attempt++) {
            ran(1, key, 1, attempt, attempt, 100L * attempt);
            if (attempt < attempts) {
                line(1, Phase.RETRIED, "id-" + key, 100L * attempt + 2);
            }
        }
        dead(key, attempts, 0, attempts);
    }

    /** A message that kills its process at each start. */
    void halting(String key, int crashes) throws SQLException {
        sent(key, null, 5, HandlerAction.HALT);
        for (int crash = 1; crash <= crashes; crash++) {
            line(2, Phase.START, key, 1, crash - 1, crash, 10 + crash, "id-" + key, 1000L * crash);
            node(10 + crash, "DEAD", 1000L * crash + 1);
        }
        dead(key, 0, crashes, crashes, killed(crashes));
    }

    private static String killed(int crashes) {
        return IntStream.rangeClosed(1, crashes)
                .mapToObj(crash -> "\nnode " + (10 + crash) + " (host here, long ago)")
                .collect(Collectors.joining("", "killed " + crashes + " processes", ""));
    }

    void sent(String key, String lane, long seq, HandlerAction action) throws SQLException {
        intent(key, lane, seq, action);
        ends(Phase.OK, key);
        sql("INSERT INTO chaos_business (p_key, due_at) VALUES ('" + key + "', " + at(LONG_AGO) + ")");
        sql("INSERT INTO acidq_key (queue, p_key, uid, lane, kept_until, taken_at) VALUES (1, '" + key + "', "
                + uid(key) + ", 0, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6))");
    }

    void intent(String key, String lane, long seq, HandlerAction action) {
        intended.put(key, new ChaosMessage(key, lane, seq, action, 0, 0));
        line(0, Phase.INTENT, key, String.valueOf(lane), seq, action);
    }

    void ends(Phase end, String key) {
        line(0, end, key);
    }

    /** A start that returned a moment later, as its action requires. */
    void ran(int process, String key, int node, int claim, int attempt, long at) {
        ran(process, key, node, claim, attempt, at, at + 1);
    }

    void ran(int process, String key, int node, int claim, int attempt, long at, long until) {
        line(process, Phase.START, key, attempt, 0, claim, node, "id-" + key, at);
        ChaosMessage message = intended.get(key);
        boolean fails = message != null
                && (message.action() == HandlerAction.FAIL
                        || (message.action() == HandlerAction.FLAKY && attempt == 1));
        line(process, Phase.RETURNED, key, claim, node, until, fails ? Journal.THREW : Journal.DONE);
    }

    void effect(String key, String lane, long seq, int node, int claim) throws SQLException {
        String ordering = lane == null ? "NULL" : "'" + lane + "'";
        sql("INSERT INTO chaos_effect (p_key, order_key, seq, node, claim_no, at) VALUES ('" + key + "', " + ordering
                + ", " + seq + ", " + node + ", " + claim + ", UTC_TIMESTAMP(6))");
    }

    void dead(String key, int attempts, int crashes, int claim) throws SQLException {
        dead(key, attempts, crashes, claim, "an error");
    }

    void dead(String key, int attempts, int crashes, int claim, String mark) throws SQLException {
        ChaosMessage copy = Objects.requireNonNull(intended.get(key));
        ChaosMessage message = new ChaosMessage(
                ChaosSubscription.messageKey(key),
                copy.lane(),
                copy.seq(),
                copy.action(),
                copy.dueIn(),
                copy.expiresIn());
        String lane = message.lane() == null ? "" : message.lane();
        sql("INSERT INTO acidq_dead (died_at, uid, queue, lane, claim_no, attempts, crashes, enqueued_at,"
                + " preexec_time, p_key, order_key, type, headers, size, payload, mark, cause) VALUES"
                + " (UTC_TIMESTAMP(6), " + uid(key) + ", 1, 0, "
                + claim + ", "
                + attempts + ", " + crashes + ", UTC_TIMESTAMP(6), UTC_TIMESTAMP(6), '" + key
                + "', '" + lane + "', 'ChaosMessage', '', 0, '"
                + new JsonMapper().writeValueAsString(message)
                + "', '"
                + mark
                + "', '12345678')");
    }

    /** A row of acidq_message: a message, or a marker of another kind. */
    void waiting(String key, int kind) throws SQLException {
        sql("INSERT INTO acidq_message (queue, lane, uid, kind, enqueued_at, preexec_time, p_key, type, headers,"
                + " size, payload) VALUES (1, 0, "
                + uid(key) + ", " + kind + ", UTC_TIMESTAMP(6), UTC_TIMESTAMP(6), '" + key
                + "', 'message', '', 0, '')");
    }

    /**
     * A node that started long ago.
     *
     * @param endedAt in nanoseconds of the journals' times
     */
    void node(int node, String state, long endedAt) throws SQLException {
        sql("REPLACE INTO acidq_node (id, state, workers, host, version, started_at, ended_at) VALUES (" + node + ", '"
                + state
                + "', '', 'here', '1', UTC_TIMESTAMP(6), "
                + (state.equals("ALIVE") ? "NULL" : at(endedAt)) + ")");
    }

    /** SQL for a time of the journals. */
    static String at(long nanos) {
        return "UTC_TIMESTAMP(6) - INTERVAL " + (System.nanoTime() - nanos) / 1000 + " MICROSECOND";
    }

    void counted(String key, int deadNode) throws SQLException {
        counted(key, deadNode, "here");
    }

    /** A crash that is counted against a message. The host of a node is that of its row when its claims are freed. */
    void counted(String key, int deadNode, String host) throws SQLException {
        sql("INSERT INTO acidq_crash (uid, counted_at, node, host, queue, lane) VALUES (" + uid(key)
                + ", UTC_TIMESTAMP(6), " + deadNode + ", '" + host + "', 1, 0)");
    }

    private static String uid(String key) {
        return "UNHEX(LEFT(SHA2('" + key + "', 256), 32))";
    }

    /** Writes a line. A word that starts with {@code id-} is replaced by a message id. */
    void line(int process, Phase phase, Object... words) {
        processes
                .get(process)
                .write(
                        phase,
                        Arrays.stream(words).map(HandwrittenRun::messageId).toArray());
    }

    private static Object messageId(Object word) {
        if (!(word instanceof String id) || !id.startsWith("id-")) {
            return word;
        }
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(id.substring(3).getBytes(UTF_8));
            return "chaos~0~" + HexFormat.of().formatHex(hash, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    void sql(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() {
        processes.forEach(Journal::close);
    }
}
