package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.admin.DeadLetter;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetterPage;
import io.acidq.mybatis.session.RawStatement;
import io.acidq.mybatis.store.EnqueueMapper.InsertRow;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore.Budget;
import io.acidq.store.ClaimStore.ClaimRequest;
import io.acidq.store.ClaimStore.Claimed;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.DeadLetterStore.Letter;
import io.acidq.store.DeadLetterStore.OperatorAction;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.KeyClaim;
import io.acidq.store.EnqueueStore.KeyHolder;
import io.acidq.store.EnqueueStore.MessageRow;
import io.acidq.store.EnqueueStore.Window;
import io.acidq.store.NodeStore;
import io.acidq.store.NodeStore.NodeRow;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.store.Store;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A queue and a node for one test, with the operations that tests share. */
final class QueueFixture {

    /** Of all nodes of the tests. */
    static final UUID REGISTRATION = UUID.randomUUID();

    static final Duration HOUR = Duration.ofHours(1);
    static final OperatorAction ANN = new OperatorAction("ann", "test", null);

    final StoreDatabase database;
    final Store store;
    final QueueRow queue;
    final int queueId;
    final int node;
    private long batch;

    QueueFixture(StoreDatabase home) {
        this.database = home;
        this.store = home.store();
        this.queue = store.queues().openQueue("q-" + UUID.randomUUID());
        this.queueId = queue.id();
        this.node = newNode();
    }

    int newNode() {
        return store.nodes().register(new NodeRow(REGISTRATION, Map.of(queueId, 2), "host", "test"));
    }

    /** Declares a node dead, so that its claims can be rescued. */
    void declareDead(int node) {
        NodeStore nodes = store.nodes();
        nodes.livingNodes().stream().filter(b -> b.node() == node).forEach(nodes::declareDeadIfSilent);
    }

    MessageRow message(int lane, @Nullable String orderingKey, String text) {
        return message(lane, orderingKey, text, Due.NOW);
    }

    MessageRow message(int lane, @Nullable String orderingKey, String text, Due due) {
        return new MessageRow(
                queueId,
                lane,
                UUID.randomUUID(),
                null,
                orderingKey,
                "type",
                "headers",
                text.getBytes(StandardCharsets.UTF_8),
                due);
    }

    MessageRow message(byte[] payload) {
        return new MessageRow(queueId, 0, UUID.randomUUID(), null, null, "type", "headers", payload, Due.NOW);
    }

    /** Enqueues and commits. */
    void enqueue(MessageRow... messages) {
        database.transactions().run(() -> store.enqueue().insert(Arrays.asList(messages)));
    }

    /** Enqueues messages of one lane and ordering key in one transaction, and commits. */
    void enqueueAll(int lane, @Nullable String orderingKey, String... texts) {
        enqueue(Stream.of(texts).map(text -> message(lane, orderingKey, text)).toArray(MessageRow[]::new));
    }

    /** Enqueues as many messages as wanted in one transaction, and commits. */
    void enqueue(int count, IntFunction<MessageRow> message) {
        enqueue(IntStream.range(0, count).mapToObj(message).toArray(MessageRow[]::new));
    }

    /** Enqueues one message due at once, and commits. */
    UUID enqueue(int lane, @Nullable String orderingKey, String text) {
        MessageRow row = message(lane, orderingKey, text);
        enqueue(row);
        return row.uid();
    }

    Optional<KeyHolder> takeKey(String key, UUID uid, Duration window) {
        return store.enqueue().takeKey(new KeyClaim(queueId, key, uid, 0, Due.NOW, new Window(window, true)));
    }

    ClaimRequest request(int lane, int limit) {
        return new ClaimRequest(queueId, lane, node, ++batch, new Budget(limit, limit, false), ClaimStrategy.LANES);
    }

    Claimed claim(int lane, int limit) {
        return claimAs(node, lane, limit);
    }

    Claimed claimAs(int owner, int lane, int limit) {
        return claim(owner, lane, new Budget(limit, limit, false));
    }

    Claimed claimSuspects(int lane, int limit) {
        return claim(node, lane, new Budget(limit, limit, true));
    }

    ClaimedMessage claimSuspectAs(int owner, int lane) {
        return claim(owner, lane, new Budget(1, 1, true)).messages().get(0);
    }

    private Claimed claim(int owner, int lane, Budget budget) {
        return store.claims().claimDue(new ClaimRequest(queueId, lane, owner, ++batch, budget, ClaimStrategy.LANES));
    }

    /** Claims up to a limit and returns the payloads. */
    List<String> claimTexts(int lane, int limit) {
        return texts(claim(lane, limit));
    }

    /** Claims the only message of the lane that can be claimed. */
    ClaimedMessage claimOne(int lane) {
        Claimed claimed = claim(lane, 1);
        if (claimed.messages().size() != 1) {
            throw new AssertionError("expected one message, claimed " + claimed);
        }
        return claimed.messages().get(0);
    }

    /** Claims and acknowledges the messages of lane 0, until two claims in a row are empty; returns their payloads. */
    List<String> runAll() throws Exception {
        List<String> done = new ArrayList<>();
        for (int idle = 0; idle < 2; ) {
            Claimed claimed = claimSuspects(0, 100);
            for (Claim claim : claims(claimed)) {
                assertThat(ack(claim)).isTrue();
            }
            done.addAll(texts(claimed));
            idle = claimed.messages().isEmpty() ? idle + 1 : 0;
        }
        return done;
    }

    /** The oldest dead letters of the queue. */
    List<DeadLetter> deadLetters(int limit) {
        return store.dead().list(queue, DeadLetterFilter.of(queue.name()), DeadLetterPage.first(limit));
    }

    ClaimedMessage deadLetter(String text) {
        return deadLetter(text, null, "k", "mark of " + text);
    }

    /** Enqueues a message in lane 0, with an empty window of its key, claims it and dead-letters it. */
    ClaimedMessage deadLetter(String text, @Nullable String key, @Nullable String orderingKey, String mark) {
        MessageRow row = new MessageRow(
                queueId,
                0,
                UUID.randomUUID(),
                key,
                orderingKey,
                "type",
                "headers",
                text.getBytes(StandardCharsets.UTF_8),
                Due.NOW);
        database.transactions().run(() -> {
            if (key != null) {
                takeKey(key, row.uid(), Duration.ZERO);
            }
            store.enqueue().insert(List.of(row));
        });
        ClaimedMessage message = claimOne(0);
        store.claims().deadLetterIfClaimed(message.claim(), mark, List.of());
        return message;
    }

    /** The dead letters of the queue as operators pick them. */
    List<Letter> letters() {
        return store.dead().pick(queue, DeadLetterFilter.of(queue.name()), 1000);
    }

    boolean ack(Claim claim) throws Exception {
        return database.transactions().inNew(() -> store.claims().ackIfClaimed(claim));
    }

    static List<String> texts(Claimed claimed) {
        return claimed.messages().stream()
                .map(m -> m.payload() == null ? "(large)" : new String(m.payload(), StandardCharsets.UTF_8))
                .toList();
    }

    static List<Claim> claims(Claimed claimed) {
        return claimed.messages().stream().map(ClaimedMessage::claim).toList();
    }

    /** Moves due times of this queue two hours into the past. */
    void passTwoHours() {
        for (String table : List.of("acidq_message", "acidq_scheduled")) {
            execute(
                    "UPDATE " + table + " SET preexec_time = TIMESTAMPADD(HOUR, -2, preexec_time) WHERE queue = ?",
                    queueId);
        }
        execute(
                "UPDATE acidq_key SET kept_until = TIMESTAMPADD(HOUR, -2, kept_until), taken_at = TIMESTAMPADD(HOUR, -2, taken_at),"
                        + " due = TIMESTAMPADD(HOUR, -2, due) WHERE queue = ?",
                queueId);
    }

    long count(String table) {
        return number("SELECT COUNT(*) FROM " + table + " WHERE queue = ?", queueId);
    }

    long number(String sql, Object... parameters) {
        return ((Number) rows(sql, parameters).get(0).get(0)).longValue();
    }

    /** All rows of a query, on a connection of its own. */
    List<List<Object>> rows(String sql, Object... parameters) {
        try (Connection connection = database.admin().getConnection()) {
            List<List<Object>> rows = rows(connection, sql, parameters);
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
            return rows;
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    static List<List<Object>> rows(Connection connection, String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            List<List<Object>> rows = new ArrayList<>();
            try (ResultSet set = statement.executeQuery()) {
                while (set.next()) {
                    List<Object> row = new ArrayList<>();
                    for (int i = 1; i <= set.getMetaData().getColumnCount(); i++) {
                        row.add(set.getObject(i));
                    }
                    rows.add(row);
                }
            }
            return rows;
        }
    }

    /** Converts an id for its column. */
    static byte[] bytes(UUID uid) {
        return ByteBuffer.allocate(16)
                .putLong(uid.getMostSignificantBits())
                .putLong(uid.getLeastSignificantBits())
                .array();
    }

    int execute(String sql, Object... parameters) {
        try (Connection connection = database.admin().getConnection()) {
            int changed = execute(connection, sql, parameters);
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
            return changed;
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    /** A connection with an open transaction, for what another process does at the same time. */
    Connection begin() throws SQLException {
        Connection connection = database.dataSource().getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    static Object connectionId(DataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return connectionId(connection);
        }
    }

    static Object connectionId(Connection connection) throws SQLException {
        return rows(connection, "SELECT CONNECTION_ID()").get(0).get(0);
    }

    /** The number of statements that a connection of MySQL has executed. */
    long statements(Object connectionId) {
        return Long.parseLong(String.valueOf(rows(
                        "SELECT s.variable_value FROM performance_schema.status_by_thread s JOIN performance_schema.threads t"
                                + " USING (thread_id) WHERE t.processlist_id = ? AND s.variable_name = 'Questions'",
                        connectionId)
                .get(0)
                .get(0)));
    }

    static int execute(Connection connection, String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            return statement.executeUpdate();
        }
    }

    /** Runs the work on another thread; {@link #join} waits for it. */
    static <T> CompletableFuture<T> runAsync(Callable<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        result.complete(work.call());
                    } catch (Throwable e) {
                        result.completeExceptionally(e);
                    }
                },
                "aside");
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    static <T> T join(CompletableFuture<T> future) {
        try {
            return future.orTimeout(60, TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException r ? r : e;
        }
    }

    static void await(CountDownLatch latch) {
        try {
            if (!latch.await(60, TimeUnit.SECONDS)) {
                throw new AssertionError("waited a minute in vain");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Waits until a session of the server waits for a row lock: MySQL and MariaDB only. */
    void awaitLockWait() {
        String waits =
                database.isMariaDb() ? "information_schema.innodb_lock_waits" : "performance_schema.data_lock_waits";
        Awaitility.await().atMost(30, TimeUnit.SECONDS).until(() -> number("SELECT COUNT(*) FROM " + waits) > 0);
    }

    /** Inserts messages in the transaction of another connection. */
    void insertBy(Connection connection, MessageRow... rows) {
        new RawStatement(database.sessions(), "test", EnqueueMapper.class.getName() + ".insertDue")
                .update(connection, Stream.of(rows).map(InsertRow::of).toList());
    }
}
