package io.acidq.dashboard;

import static io.acidq.EnqueueOptions.options;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.DeadHeadPolicy;
import io.acidq.EnqueueOptions;
import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.Priority;
import io.acidq.Recurring;
import io.acidq.Schedule;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetterPage;
import io.acidq.admin.Operator;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.dashboard.access.User.Level;
import io.acidq.dashboard.jdk.DashboardHttpServer;
import io.acidq.engine.Engine;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A database with the queues of a shop, an engine that serves some of them, and the dashboard over HTTP. */
final class ExampleShop implements AutoCloseable {

    static final String HOSTILE_QUEUE = "hostile";

    private static final Map<String, Integer> DEAD_LETTERS_BY_ERROR = Map.of(
            "java.net.SocketTimeoutException: Read timed out after 5000 ms: https://tax.example.com/v2/rates\n"
                    + "\tat com.example.shop.TaxClient.rate(TaxClient.java:81)\n"
                    + "\tat com.example.shop.InvoiceHandler.handle(InvoiceHandler.java:44)",
            14,
            "com.example.shop.UnknownCustomerException: no customer 4711, password=hunter2",
            5,
            "java.lang.NullPointerException: Cannot invoke \"Address.country()\" because \"address\" is null",
            2);

    private final TestDatabase database;
    private final HikariDataSource pool;
    private volatile boolean away;
    private final TestDataSource dataSource = this::connect;
    private final JdbcTransactions transactions = new JdbcTransactions(dataSource);
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Engine engine;
    private final DashboardHttpServer server;

    /** A payload with a value that is masked. */
    record Order(int number, String customer, String currency, long cents, String password) {}

    ExampleShop(ServerKind kind) throws IOException {
        database = TestServers.get(kind).createDatabase();
        pool = TestDataSource.pool(database);
        Schema.create(dataSource);
        engine = Engine.builder(MyBatisStore.over(dataSource, transactions))
                .listen(Listener.on("orders", Order.class, (order, delivery) -> Outcome.done()))
                .listen(Listener.on("images", Order.class, (order, delivery) -> {
                            closing.await(1, TimeUnit.MINUTES);
                            return Outcome.done();
                        })
                        .withConcurrency(2))
                .listen(Listener.onTopic("order.placed", "analytics", Order.class, (order, delivery) -> Outcome.done()))
                .listen(Listener.on("invoices", Order.class, (order, delivery) -> Outcome.done()))
                .build();
        fill();
        engine.start();
        Dashboard dashboard = Dashboard.builder()
                .engine(Dashboard.MAIN, engine)
                .localLevel(Level.ADMIN)
                .environment("staging")
                .build();
        server = DashboardHttpServer.start(
                dashboard, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), "/ops/acidq");
    }

    private Connection connect() throws SQLException {
        if (away) {
            throw new SQLNonTransientConnectionException("no route to the database", "08001");
        }
        return pool.getConnection();
    }

    /** Takes the database away, or brings it back. */
    void away(boolean value) {
        away = value;
    }

    Engine engine() {
        return engine;
    }

    /** The address of the dashboard, with the slash at its end. */
    String url() {
        return "http://localhost:" + server.address().getPort() + "/ops/acidq/";
    }

    /** Writes a value for an address. */
    static String encoded(Object text) {
        return URLEncoder.encode(String.valueOf(text), StandardCharsets.UTF_8);
    }

    List<MessageId> deadLetters(String queue) {
        return engine.deadLetters().list(DeadLetterFilter.of(queue), DeadLetterPage.first(100)).stream()
                .map(letter -> letter.id())
                .toList();
    }

    /** The addresses of the screens, with what they show of the shop. */
    List<String> screens() {
        return List.of(
                "overview",
                "queues",
                "queue?queue=payments",
                "queue?queue=images",
                "messages",
                "messages?queue=mail",
                "message?id=" + encoded(deadLetters(HOSTILE_QUEUE).get(0)),
                "dead",
                "dead?queue=" + HOSTILE_QUEUE,
                "dead?queue=invoices&type=none&key=" + encoded(HostileTexts.ALL.get(0)),
                "messages?queue=mail&state=DONE",
                "messages?queue=" + HOSTILE_QUEUE + "&orderingKey=" + encoded(HostileTexts.ALL.get(0)),
                "scheduled?queue=reports&range=MONTH",
                "audit?actor=ann&action=pause",
                "bulk",
                "scheduled",
                "scheduled?queue=reports",
                "recurring",
                "recurring?name=nightly-report",
                "topics",
                "nodes",
                "blocked",
                "blocked?queue=shipping",
                "audit",
                "doctor");
    }

    MessageId enqueue(String queue, Object payload, EnqueueOptions with) {
        return transactions.call(
                () -> engine.queue().enqueue(queue, payload, with).id());
    }

    private static Order order(int number) {
        return new Order(number, "customer " + number % 7, "EUR", 1999L + number, "hunter2");
    }

    private void fill() {
        for (int i = 0; i < 23; i++) {
            enqueue("mail", order(i), options().key("mail-" + i).header("trace-id", "4bf92f3577b34da6"));
        }
        for (int i = 0; i < 6; i++) {
            enqueue(
                    "payments",
                    order(i),
                    options().key("payment-" + i).priority(i == 0 ? Priority.HIGH : Priority.NORMAL));
        }
        for (int i = 0; i < 4; i++) {
            enqueue("images", order(i), options());
        }
        for (int i = 0; i < 9; i++) {
            enqueue("reports", order(i), options().delay(Duration.ofMinutes(3L + 40 * i)));
        }
        engine.control().pause("payments", new Operator("ann", "INC-4711: the bank is down"));
        DEAD_LETTERS_BY_ERROR.forEach((error, count) -> deadLetter("invoices", error, count));
        dieInOrder();
        for (String text : HostileTexts.ALL) {
            enqueue(
                    HOSTILE_QUEUE,
                    Map.of("text", text),
                    options().key(text).orderingKey(text).header("note", text));
        }
        deadLetter(HOSTILE_QUEUE, HostileTexts.ALL.get(0) + "\n" + HostileTexts.ALL.get(1), 0);
        for (String text : HostileTexts.ALL) {
            enqueue(HOSTILE_QUEUE, text, options().key("waiting " + text));
            engine.control().pause(HOSTILE_QUEUE, new Operator("ann " + text, text));
            engine.control().resume(HOSTILE_QUEUE, new Operator("bob", text));
        }
        transactions.run(() -> {
            engine.recurring()
                    .put(Recurring.message("nightly-report", Schedule.cron("0 30 2 * * *", "Europe/Berlin"), "reports")
                            .withPayload("x"));
            engine.recurring()
                    .put(Recurring.publication("heartbeat", Schedule.every(Duration.ofMinutes(15)), "order.placed")
                            .withPayload("x"));
        });
        engine.subscriptions().subscribe("order.placed", "billing", "region = 'eu'");
    }

    /** Makes a dead letter of a new message. */
    MessageId dieOf(String queue, String error, Object payload) {
        MessageId id = enqueue(queue, payload, options());
        try (Engine worker = Engine.builder(MyBatisStore.over(dataSource))
                .listen(Listener.on(queue, Object.class, (body, delivery) -> Outcome.dead(error)))
                .build()) {
            worker.start();
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> worker.backlog(queue).ready() == 0
                            && worker.backlog(queue).running() == 0);
        }
        return id;
    }

    /** Makes dead letters of messages that are there, and of new ones. */
    private void deadLetter(String queue, String error, int count) {
        long letters =
                engine.knownQueues().contains(queue) ? engine.backlog(queue).dead() : 0;
        for (int i = 0; i < count; i++) {
            enqueue(queue, order(i), options().orderingKey("customer " + i));
        }
        long there = count > 0 ? count : HostileTexts.ALL.size();
        try (Engine worker = Engine.builder(MyBatisStore.over(dataSource))
                .listen(Listener.on(queue, Object.class, (payload, delivery) -> Outcome.dead(error)))
                .build()) {
            worker.start();
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> worker.backlog(queue).dead() == letters + there);
        }
    }

    /** Writes an hour of history for the charts of two queues, with a quarter of an hour in which runs take longer and fail. */
    void fillHistory() {
        try (Connection connection = database.connect();
                PreparedStatement insert = connection.prepareStatement("""
                        INSERT INTO acidq_history (step, queue, at, enqueued, done, retried, dead, run4, run5, run8, lag1, lag3, lag9,
                            ready, waiting, scheduled, dead_now, oldest_micros)
                        SELECT 1, id, DATE_FORMAT(UTC_TIMESTAMP() - INTERVAL ? MINUTE, '%Y-%m-%d %H:%i:00'), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 310, 640, 21, ?
                        FROM acidq_queue WHERE name = ?
                        ON DUPLICATE KEY UPDATE done = VALUES(done)""")) {
            for (String queue : List.of("orders", "invoices")) {
                for (int minute = 1; minute <= 60; minute++) {
                    boolean slow = minute > 15 && minute <= 30;
                    int rate = 900 + (int) (300 * Math.sin(minute / 9.0)) + minute * 37 % 90;
                    int failed = slow ? rate / 6 : rate / 200;
                    int[] values = {
                        minute,
                        rate,
                        rate - failed,
                        failed,
                        slow ? 2 : 0,
                        rate * 6 / 10,
                        rate * 3 / 10,
                        slow ? rate / 3 : rate / 50,
                        rate * 7 / 10,
                        rate * 2 / 10,
                        slow ? rate / 4 : rate / 100,
                        slow ? 2400 - 80 * minute + rate : rate / 40,
                        slow ? 42_000_000 : 300_000
                    };
                    for (int i = 0; i < values.length; i++) {
                        insert.setInt(i + 1, values[i]);
                    }
                    insert.setString(values.length + 1, queue);
                    insert.executeUpdate();
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Lets no one read the archive while an action runs. */
    void whileArchiveIsLocked(Runnable action) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("LOCK TABLES acidq_archive WRITE");
            action.run();
            statement.execute("UNLOCK TABLES");
        }
    }

    /** Waits until the server executes a query with this time limit. */
    void awaitReadWithLimit(int seconds) {
        await().atMost(Duration.ofSeconds(20)).until(() -> {
            try (Connection connection = database.connect();
                    PreparedStatement query = connection.prepareStatement(
                            "SELECT COUNT(*) FROM information_schema.processlist WHERE info LIKE ? OR info LIKE ?")) {
                query.setString(1, "SELECT /*+ MAX_EXECUTION_TIME(" + seconds + "000) */%");
                query.setString(2, "SET STATEMENT max_statement_time = " + seconds + ".000 FOR %");
                try (ResultSet result = query.executeQuery()) {
                    return result.next() && result.getInt(1) > 0;
                }
            }
        });
    }

    /** Makes a dead letter that blocks an ordering key. */
    private void dieInOrder() {
        for (int i = 0; i < 5; i++) {
            enqueue("shipping", order(i), options().orderingKey("warehouse Rotterdam"));
        }
        try (Engine worker = Engine.builder(MyBatisStore.over(dataSource))
                .config(EngineConfig.defaults()
                        .withQueue("shipping", QueueConfig.defaults().withOnDeadHead(DeadHeadPolicy.BLOCK)))
                .listen(Listener.on(
                        "shipping",
                        Order.class,
                        (order, delivery) -> Outcome.dead("com.example.shop.CarrierException: label refused (422)")))
                .build()) {
            worker.start();
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> worker.backlog("shipping").dead() == 1);
        }
    }

    @Override
    public void close() {
        closing.countDown();
        server.close();
        engine.close();
        pool.close();
    }
}
