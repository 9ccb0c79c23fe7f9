package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.Delivery;
import io.acidq.EnqueueOptions;
import io.acidq.Enqueued;
import io.acidq.Handler;
import io.acidq.MessageQueue;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.TransientQueueException;
import io.acidq.admin.DeadLetters;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.engine.enqueue.LaneAssignment;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Role;
import io.acidq.mybatis.Schema;
import io.acidq.resilience.RetryPolicy;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.store.Store;
import io.acidq.testservers.LimitedAccount;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;

/**
 * Tests of engines on a real server: a database that no other test uses at the same time, engines over it, and a table {@code effect} without a unique
 * key, in which a message that ran twice shows. {@link FreshEngineTests} opens a database for each test, {@link SharedEngineTests} one for all
 * tests of a class; other subclasses call {@link #open} themselves.
 */
abstract class EngineTests {

    /** A node is declared dead within about a second. */
    static final EngineConfig QUICK = EngineConfig.defaults()
            .withHeartbeat(Duration.ofMillis(200), 4)
            .withPolling(Duration.ofMillis(2), Duration.ofMillis(50));

    static final RetryPolicy ONE_ATTEMPT = RetryPolicy.defaults().withMaxAttempts(1);

    /** Longer than anything takes that works, on a busy machine too. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The pool that the engines use. */
    HikariDataSource pool;

    JdbcTransactions transactions;
    Store store;
    private final List<Engine> engines = new ArrayList<>();
    private Engine sender;
    private TestDatabase database;
    private boolean isReusable;

    /**
     * The pool of the test's own statements: the same as that of the engines, unless those have {@linkplain LimitedAccount least privileges}. They
     * do not have them where a test gives them an account of its own, which it locks, for example.
     */
    private HikariDataSource admin;

    static {
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(Duration.ofMillis(20));
    }

    /** The n-th message of a key. */
    record Step(String k, long seq) {}

    void open(ServerKind kind) {
        open(kind, config -> {}, pool -> pool);
    }

    /** Opens a database with another pool, and with something between the pool and the engines. */
    void open(ServerKind kind, Consumer<HikariConfig> tuning, UnaryOperator<DataSource> between) {
        open(ReusableDatabases.get(kind), tuning, between);
        isReusable = true;
    }

    void open(TestDatabase with, Consumer<HikariConfig> tuning, UnaryOperator<DataSource> between) {
        database = with;
        isReusable = false;
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(with.jdbcUrl());
        config.setUsername(with.username());
        config.setPassword(with.password());
        config.setMaximumPoolSize(100);
        config.setMinimumIdle(0);
        tuning.accept(config);
        admin = new HikariDataSource(config);
        boolean hasOwnAccount = !config.getUsername().equals(with.username());
        if (hasOwnAccount || !LimitedAccount.wanted()) {
            Schema.create(admin);
            pool = admin;
        } else {
            try (LimitedAccount migrator = granted(with, Role.MIGRATOR);
                    HikariDataSource migrating = pool(config, migrator)) {
                Schema.create(migrating);
            }
            pool = pool(
                    config,
                    granted(with, Role.ENQUEUER, Role.WORKER, Role.OPERATOR)
                            .mayUse("effect", "counter", "guarded", "pair"));
        }
        DataSource reached = between.apply(pool);
        transactions = new JdbcTransactions(reached);
        store = MyBatisStore.over(reached, transactions);
        sql("CREATE TABLE IF NOT EXISTS effect (id BIGINT AUTO_INCREMENT PRIMARY KEY, k VARCHAR(100), seq BIGINT,"
                + " tag INT) ENGINE=InnoDB");
        sender = Engine.builder(store).build();
    }

    void closeDatabase() {
        closeEngines();
        sender.close();
        pool.close();
        admin.close();
        if (isReusable) {
            ReusableDatabases.returnDatabase(database);
        }
    }

    void closeEngines() {
        engines.forEach(Engine::close);
        engines.clear();
    }

    /** Keeps the database from other tests, because the tables of AcidQ are changed. */
    void discardDatabase() {
        isReusable = false;
    }

    /** Creates an account with the privileges of these roles. */
    static LimitedAccount granted(TestDatabase database, Role... roles) {
        LimitedAccount account = LimitedAccount.on(database);
        for (Role role : roles) {
            account.granted((name, user) -> Schema.grants(role, name, user));
        }
        return account;
    }

    private static HikariDataSource pool(HikariConfig like, LimitedAccount account) {
        HikariConfig config = new HikariConfig();
        like.copyStateTo(config);
        config.setUsername(account.user());
        config.setPassword(account.password());
        return new HikariDataSource(config);
    }

    // ---- engines and handlers

    /** Starts an engine that is closed at the end of the test. */
    Engine engine(UnaryOperator<EngineBuilder> with) {
        Engine engine = with.apply(Engine.builder(store).config(QUICK)).build();
        engines.add(engine);
        engine.start();
        return engine;
    }

    Engine listen(Listener<?>... listeners) {
        return engine(e -> {
            List.of(listeners).forEach(e::listen);
            return e;
        });
    }

    Engine listen(String queue, Handler<Step> handler) {
        return listen(on(queue, handler));
    }

    static Listener<Step> on(String queue, Handler<Step> handler) {
        return Listener.on(queue, Step.class, handler);
    }

    /** A handler whose effect is one row, with the node as its tag, in the transaction of the acknowledgement. */
    Outcome effect(Step step, Delivery delivery) throws SQLException {
        insertEffect(step, delivery.node());
        return Outcome.done();
    }

    /** A handler whose effect is one row, with the attempt as its tag. */
    Outcome effectOfAttempt(Step step, Delivery delivery) throws SQLException {
        insertEffect(step, delivery.attempt());
        return Outcome.done();
    }

    /**
     * Inserts an effect.
     *
     * @param tag a number that the test looks at: the node or the attempt of the run
     */
    void insertEffect(Step step, int tag) throws SQLException {
        insertEffect(transactions.connection(), step, tag);
    }

    static void insertEffect(Connection connection, Step step, int tag) throws SQLException {
        try (var insert = connection.prepareStatement("INSERT INTO effect (k, seq, tag) VALUES (?, ?, ?)")) {
            insert.setString(1, step.k());
            insert.setLong(2, step.seq());
            insert.setInt(3, tag);
            insert.executeUpdate();
        }
    }

    /** Executes one statement in the current transaction. */
    void execute(String sql) throws SQLException {
        try (Statement statement = transactions.connection().createStatement()) {
            statement.execute(sql);
        }
    }

    // ---- an engine without listeners, for callers and operators

    Engine sender() {
        return sender;
    }

    MessageQueue queue() {
        return sender.queue();
    }

    DeadLetters deadLetters() {
        return sender.deadLetters();
    }

    /** Enqueues in a transaction. */
    Enqueued enqueue(String queue, Object payload, EnqueueOptions options) {
        return transactions.call(() -> queue().enqueue(queue, payload, options));
    }

    Enqueued enqueue(String queue, Object payload) {
        return enqueue(queue, payload, options());
    }

    Enqueued enqueueOrdered(String queue, String key, long seq) {
        return enqueue(queue, new Step(key, seq), options().orderingKey(key));
    }

    List<Enqueued> enqueueAll(String queue, List<NewMessage> messages) {
        return transactions.call(() -> queue().enqueueAll(queue, messages));
    }

    /** Enqueues steps without an ordering key, all in one transaction. */
    List<Enqueued> place(String queue, long first, long last) {
        return enqueueAll(queue, steps("m", first, last, options()));
    }

    /** Enqueues the steps 1 to {@code last} of an ordering key, all in one transaction. */
    List<Enqueued> placeOrdered(String queue, String key, long last) {
        return enqueueAll(queue, steps(key, 1, last, options().orderingKey(key)));
    }

    /** Enqueues the steps 1 to {@code last}, each named after its ordering key, all in one transaction. */
    List<Enqueued> place(String queue, long last, LongFunction<EnqueueOptions> options) {
        return enqueueAll(
                queue,
                LongStream.rangeClosed(1, last)
                        .mapToObj(seq -> new NewMessage(
                                new Step(String.valueOf(options.apply(seq).orderingKey()), seq), options.apply(seq)))
                        .toList());
    }

    /** Returns ordering keys whose messages are in the same lane. */
    List<String> keysOfOneLane(String queue, int count) {
        QueueRow row = store.queues().openQueue(queue);
        return IntStream.range(0, 100_000)
                .mapToObj(i -> "key" + i)
                .filter(key -> LaneAssignment.ofKey(row, key) == 5)
                .limit(count)
                .toList();
    }

    static List<NewMessage> steps(String k, long first, long last, EnqueueOptions options) {
        return LongStream.rangeClosed(first, last)
                .mapToObj(seq -> new NewMessage(new Step(k, seq), options))
                .toList();
    }

    /** Enqueues like a caller that does not know the outcome of its COMMIT: with the same message key, until a call returns. */
    void enqueueUntilItSucceeds(String queue, Object payload, String key) {
        long start = System.nanoTime();
        for (; ; ) {
            try {
                enqueue(queue, payload, options().key(key));
                return;
            } catch (TransientQueueException e) {
                if (System.nanoTime() - start > PATIENCE.toNanos()) {
                    throw e;
                }
            }
        }
    }

    // ---- what the database shows

    long count(String query) {
        return strings(query).stream().mapToLong(Long::parseLong).findFirst().orElseThrow();
    }

    /** Counts the rows of a table, or those that its condition selects: {@code "acidq_message WHERE owner <> 0"}. */
    long rows(String tableAndCondition) {
        return count("SELECT COUNT(*) FROM " + tableAndCondition);
    }

    long effects() {
        return rows("effect");
    }

    /** The numbers of the steps of a key in the order of their effects. */
    List<String> seqsOf(String key) {
        return strings("SELECT seq FROM effect WHERE k = '" + key + "' ORDER BY id");
    }

    List<String> strings(String query) {
        try (Connection connection = admin.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            List<String> all = new ArrayList<>();
            while (rows.next()) {
                all.add(rows.getString(1));
            }
            return all;
        } catch (SQLException e) {
            throw new IllegalStateException(query, e);
        }
    }

    int sql(String text) {
        if (text.startsWith("ALTER TABLE acidq_") || text.startsWith("CREATE TRIGGER")) {
            discardDatabase();
        }
        try (Connection connection = admin.getConnection();
                Statement statement = connection.createStatement()) {
            return statement.executeUpdate(text);
        } catch (SQLException e) {
            throw new IllegalStateException(text, e);
        }
    }

    void declareDead(Engine engine) {
        sql("UPDATE acidq_node SET state = 'DEAD' WHERE id = " + engine.node());
    }

    // ---- awaiting and asserting

    static void awaitUntil(Callable<Boolean> condition) {
        await().atMost(PATIENCE).until(condition);
    }

    void awaitRows(String tableAndCondition, long expected) {
        await(tableAndCondition).atMost(PATIENCE).until(() -> rows(tableAndCondition) == expected);
    }

    /** Waits until no message is left to run. One statement counts both tables: a message may move from one to the other. */
    void awaitDrained() {
        await().atMost(Duration.ofMinutes(2))
                .until(() ->
                        count("SELECT (SELECT COUNT(*) FROM acidq_message) + (SELECT COUNT(*) FROM acidq_scheduled)")
                                == 0);
    }

    /** Waits until the busiest node has written so many more heartbeats. */
    void awaitHeartbeats(int heartbeats) {
        String written = "SELECT MAX(heartbeats) FROM acidq_node";
        long before = count(written);
        awaitUntil(() -> count(written) >= before + heartbeats);
    }

    void assertInOrder(String key, long last) {
        assertThat(seqsOf(key))
                .as(key)
                .isEqualTo(
                        LongStream.rangeClosed(1, last).mapToObj(Long::toString).toList());
    }

    void assertEachEffectOnce(long messages) {
        assertThat(strings("SELECT CONCAT(k, ' ', seq) FROM effect"))
                .as("each effect once")
                .hasSize((int) messages)
                .doesNotHaveDuplicates();
    }

    /** Of effects whose tag is the attempt. */
    void assertNoAttemptUsedUp() {
        assertThat(strings("SELECT DISTINCT tag FROM effect"))
                .as("attempts of the effects")
                .containsExactly("1");
    }
}
