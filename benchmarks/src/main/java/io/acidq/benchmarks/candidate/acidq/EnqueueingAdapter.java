package io.acidq.benchmarks.candidate.acidq;

import io.acidq.EnqueueOptions;
import io.acidq.MessageQueue;
import io.acidq.NewMessage;
import io.acidq.Priority;
import io.acidq.Published;
import io.acidq.admin.Subscriptions;
import io.acidq.benchmarks.candidate.BenchmarkMessage;
import io.acidq.benchmarks.candidate.BenchmarkTables;
import io.acidq.benchmarks.candidate.CandidateAdapter;
import io.acidq.benchmarks.candidate.OperatorScreens;
import io.acidq.engine.Engine;
import io.acidq.mybatis.MyBatisStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/** Enqueues messages in transactions of the application, and reads AcidQ's tables. */
abstract class EnqueueingAdapter implements CandidateAdapter {
    private static final String UID = "UNHEX(LEFT(SHA2(CONCAT(UUID(), '-', n), 256), 32))";
    private static final String LAST_COLUMNS = "UTC_TIMESTAMP(6), 'string', '', 202, REPEAT('x', 202)";

    /** Payloads are JSON: the text starts after a quote. */
    private static final String ID = "SUBSTRING(payload, 2, 12)";

    private static final String WITHOUT_TABLE_FILL = " WHERE SUBSTRING(payload, 2, 1) <> 'x'";

    private static final String TOPIC = "bench";

    /** All subscriptions but the first one have the same messages again. */
    private static final String COPIES =
            "(SELECT id FROM acidq_queue WHERE name LIKE '" + TOPIC + "/%' AND name <> '" + TOPIC + "/s0')";

    private final BenchmarkApplication application;
    private int subscriptions;

    EnqueueingAdapter(BenchmarkApplication application) {
        this.application = application;
    }

    /** The queue that enqueues. */
    abstract MessageQueue queue();

    abstract Subscriptions subscriptions();

    @Override
    public void publishTo(int count) {
        for (int i = 0; i < count; i++) {
            subscriptions().subscribe(TOPIC, "s" + i);
        }
        subscriptions = count;
    }

    static String name(int queue) {
        return "bench." + queue;
    }

    @Override
    public void send(SendBatch sendBatch) throws Exception {
        application.inTransaction(() -> {
            if (sendBatch.business()) {
                BenchmarkTables.insertBusinessRows(application.connection(), sendBatch.messages());
            }
            enqueue(sendBatch.messages());
        });
    }

    private void enqueue(List<BenchmarkMessage> batch) {
        if (batch.size() == 1) {
            BenchmarkMessage message = batch.get(0);
            if (subscriptions > 0) {
                publish(message);
                return;
            }
            queue().enqueue(name(message.queue()), message.text(), options(message));
            return;
        }
        Map<Integer, List<NewMessage>> byQueue = new LinkedHashMap<>();
        for (BenchmarkMessage message : batch) {
            byQueue.computeIfAbsent(message.queue(), q -> new ArrayList<>())
                    .add(new NewMessage(message.text(), options(message)));
        }
        byQueue.forEach((number, messages) -> queue().enqueueAll(name(number), messages));
    }

    private void publish(BenchmarkMessage message) {
        Published published = queue().publish(TOPIC, message.text(), options(message));
        if (published.subscriptions().size() != subscriptions) {
            throw new IllegalStateException("published to " + published + " instead of " + subscriptions);
        }
    }

    private static EnqueueOptions options(BenchmarkMessage message) {
        EnqueueOptions options = EnqueueOptions.options();
        String key = message.messageKey();
        String orderingKey = message.orderingKey();
        options = key == null ? options : options.key(key);
        if (message.rank() != 0) {
            options = options.priority(message.rank() > 0 ? Priority.HIGH : Priority.LOW);
        }
        return orderingKey == null ? options : options.orderingKey(orderingKey);
    }

    /** Enqueues the scheduled messages, and inserts archived messages and dead letters by SQL. */
    @Override
    public void fillTables(TableFill tableFill) throws Exception {
        NewMessage tomorrow =
                new NewMessage("x".repeat(200), EnqueueOptions.options().delay(Duration.ofDays(1)));
        for (long enqueued = 0; enqueued < tableFill.scheduled(); enqueued += FILL_BATCH) {
            int count = (int) Math.min(FILL_BATCH, tableFill.scheduled() - enqueued);
            application.inTransaction(() -> queue().enqueueAll(name(0), Collections.nCopies(count, tomorrow)));
        }
        String id = "(SELECT id FROM acidq_queue WHERE name = '" + name(0) + "')";
        try (Connection connection = application.pool().getConnection()) {
            BenchmarkTables.insertMany(
                    connection,
                    "INSERT INTO acidq_archive (kept_until, uid, queue, lane, done_at, claim_no, attempts, crashes,"
                            + " enqueued_at, type, headers, size, payload)"
                            + " SELECT UTC_TIMESTAMP(6) + INTERVAL 30 DAY, " + UID + ", " + id
                            + ", n % 64, UTC_TIMESTAMP(6), 1, 1, 0, " + LAST_COLUMNS,
                    tableFill.archived());
            BenchmarkTables.insertMany(
                    connection,
                    "INSERT INTO acidq_dead (died_at, preexec_time, uid, queue, lane, claim_no, attempts, crashes,"
                            + " mark, cause, enqueued_at, type, headers, size, payload) SELECT UTC_TIMESTAMP(6),"
                            + " UTC_TIMESTAMP(6), " + UID + ", " + id
                            + ", n % 64, 5, 5, 0, 'no such customer', UNHEX(LPAD(HEX(n % 10), 16, '0')), "
                            + LAST_COLUMNS,
                    tableFill.dead());
        }
    }

    /** Takes connections from the pool of the application, as a dashboard in an application does. */
    @Override
    public OperatorScreens operatorScreens() {
        return new DashboardScreens(
                Engine.builder(MyBatisStore.over(application.pool())).build(), name(0));
    }

    @Override
    public void forEachRemaining(LongConsumer ids) throws SQLException {
        // Other kinds of rows in acidq_message are markers.
        for (String from : new String[] {
            "acidq_message" + WITHOUT_TABLE_FILL + " AND kind = 0 AND queue NOT IN " + COPIES,
            "acidq_scheduled" + WITHOUT_TABLE_FILL,
            "acidq_dead" + WITHOUT_TABLE_FILL,
            "acidq_parked" + WITHOUT_TABLE_FILL
        }) {
            BenchmarkTables.forEachId(application.pool(), ID, from, ids);
        }
    }

    @Override
    public Map<Integer, Long> claims() throws SQLException {
        Map<Integer, Long> claims = new HashMap<>();
        try (Connection connection = application.pool().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT owner, COUNT(*) FROM acidq_message"
                        + " WHERE owner <> 0 AND kind = 0 GROUP BY owner")) {
            while (rows.next()) {
                claims.put(rows.getInt(1), rows.getLong(2));
            }
        }
        return claims;
    }
}
