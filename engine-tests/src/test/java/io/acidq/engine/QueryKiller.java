package io.acidq.engine;

import static org.awaitility.Awaitility.await;

import io.acidq.testservers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.UnaryOperator;

/**
 * Kills each statement of some threads the first time that it is sent, while it waits for a lock that another session holds, as
 * for a backup. A read lock of all tables blocks statements that write or lock rows, and COMMIT. A lock of one table blocks plain reads of it, unless
 * the transaction has used that table before.
 */
final class QueryKiller implements SqlHook.SqlListener {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String TABLE = "acidq_message";

    private final TestDatabase database;
    private final UnaryOperator<String> roleOf;
    private final Set<String> killed = ConcurrentHashMap.newKeySet();
    private final Map<String, CompletableFuture<Void>> kills = new ConcurrentHashMap<>();

    /** One lock at a time: two would wait for each other through the transactions that they block. */
    private final Semaphore operator = new Semaphore(1);

    /**
     * @param roleOf returns the role of a thread with this name, or an empty text if its statements are not killed
     */
    QueryKiller(TestDatabase database, UnaryOperator<String> roleOf) {
        this.database = database;
        this.roleOf = roleOf;
    }

    /** The statements that were killed: role, verb and table. */
    List<String> killed() {
        kills.values().forEach(CompletableFuture::join);
        return killed.stream()
                .map(text -> text.replaceFirst("(: [A-Z]+) .*?(acidq_\\w+|effect)\\b.*", "$1 $2"))
                .toList();
    }

    @Override
    public void before(Connection raw, String sql, List<String> earlier) throws SQLException {
        String role = roleOf.apply(Thread.currentThread().getName());
        if (role.isEmpty()) {
            return;
        }
        if (kills.containsKey(role)) {
            // otherwise the next statement could wait for the same lock, and be taken for the killed one
            kills.get(role).join();
        }
        String text = role + ": " + shapeOf(sql);
        if (canWait(sql, earlier) && !killed.contains(text) && operator.tryAcquire()) {
            CompletableFuture<Void> locked = new CompletableFuture<>();
            long connection = idOf(raw);
            CompletableFuture<Void> strike = CompletableFuture.runAsync(() -> kill(connection, sql, locked))
                    .thenRun(() -> killed.add(text))
                    .whenComplete((done, e) -> operator.release());
            kills.put(role, strike);
            CompletableFuture.anyOf(locked, strike).join();
        }
    }

    /** Replaces literal values, so that equal statements have equal texts. */
    private static String shapeOf(String sql) {
        return sql.strip()
                .replaceAll("\\s+", " ")
                .replaceAll("(_binary|_utf8mb4 ?)?x?'[^']*'", "…")
                .replaceAll("\\b[0-9]+\\b", "…")
                .replaceAll("IN \\([…, ]+\\)", "IN (…)");
    }

    private static boolean canWait(String sql, List<String> earlier) {
        if (sql.equals("COMMIT")) {
            return earlier.stream().anyMatch(QueryKiller::writes);
        }
        return readsPlainly(sql)
                ? sql.contains(TABLE) && earlier.stream().noneMatch(e -> e.contains(TABLE))
                : writes(sql) || sql.contains("FOR UPDATE");
    }

    private static boolean writes(String sql) {
        return sql.strip().matches("(?s)(INSERT|UPDATE|DELETE).*");
    }

    private static boolean readsPlainly(String sql) {
        return sql.strip().startsWith("SELECT") && !sql.contains("FOR UPDATE");
    }

    private static long idOf(Connection raw) throws SQLException {
        try (Statement statement = raw.createStatement();
                var row = statement.executeQuery("SELECT CONNECTION_ID()")) {
            row.next();
            return row.getLong(1);
        }
    }

    private void kill(long connection, String sql, CompletableFuture<Void> locked) {
        try (Connection one = database.connect();
                Statement lock = one.createStatement();
                Connection other = database.connect();
                Statement kill = other.createStatement()) {
            lock.execute("SET lock_wait_timeout = " + LONG.toSeconds());
            lock.execute(readsPlainly(sql) ? "LOCK TABLES " + TABLE + " WRITE" : "FLUSH TABLES WITH READ LOCK");
            try {
                locked.complete(null);
                until(true, connection, sql, kill);
                kill.execute("KILL QUERY " + connection);
                until(false, connection, sql, kill);
            } finally {
                lock.execute("UNLOCK TABLES");
            }
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private static void until(boolean waits, long connection, String sql, Statement statement) {
        await(sql).atMost(LONG).pollInterval(Duration.ofMillis(5)).until(() -> {
            try (var row = statement.executeQuery("SELECT COUNT(*) FROM information_schema.processlist WHERE id = "
                    + connection + " AND command = 'Query' AND state LIKE 'Waiting for %'")) {
                row.next();
                return row.getInt(1) == (waits ? 1 : 0);
            }
        });
    }
}
