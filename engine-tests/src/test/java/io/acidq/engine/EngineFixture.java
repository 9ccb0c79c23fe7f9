package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.EnqueueOptions;
import io.acidq.Enqueued;
import io.acidq.TransientQueueException;
import io.acidq.config.EngineConfig;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Role;
import io.acidq.mybatis.Schema;
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
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** A database that no other test has meanwhile, with engines over it and a table of effects without a unique key. */
final class EngineFixture implements AutoCloseable {

    /** Quick liveness, so that tests of death take seconds. */
    static final EngineConfig QUICK = EngineConfig.defaults()
            .withHeartbeat(Duration.ofMillis(200), 4)
            .withPolling(Duration.ofMillis(2), Duration.ofMillis(50));

    /** What the engines work with. */
    final HikariDataSource pool;

    /**
     * What tests do beside them goes here: the same, unless the engines have {@linkplain LimitedAccount least privileges}. They have not where a
     * test has an account of its own, which it locks, say.
     */
    private final HikariDataSource admin;

    final JdbcTransactions transactions;
    final Store store;
    private final List<Engine> engines = new ArrayList<>();
    private final Engine sender;
    private final TestDatabase database;
    private volatile boolean isToBeUsedAgain;

    EngineFixture(ServerKind kind) {
        this(kind, config -> {}, pool -> pool);
    }

    /** With another pool, and something between it and all who work. */
    EngineFixture(ServerKind kind, Consumer<HikariConfig> tuning, UnaryOperator<DataSource> between) {
        this(ReusableDatabases.get(kind), tuning, between, true);
    }

    /** On a database that may break, with another pool. */
    EngineFixture(TestDatabase database, Consumer<HikariConfig> tuning) {
        this(database, tuning, pool -> pool);
    }

    /** With something between the pool and all who work. */
    EngineFixture(TestDatabase database, Consumer<HikariConfig> tuning, UnaryOperator<DataSource> between) {
        this(database, tuning, between, false);
    }

    private EngineFixture(
            TestDatabase database,
            Consumer<HikariConfig> tuning,
            UnaryOperator<DataSource> between,
            boolean isToBeUsedAgain) {
        this.database = database;
        this.isToBeUsedAgain = isToBeUsedAgain;
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(database.username());
        config.setPassword(database.password());
        config.setMaximumPoolSize(100);
        config.setMinimumIdle(0);
        tuning.accept(config);
        admin = new HikariDataSource(config);
        boolean hasItsOwnAccount = !config.getUsername().equals(database.username());
        if (hasItsOwnAccount || !LimitedAccount.wanted()) {
            Schema.create(admin);
            pool = admin;
        } else {
            try (LimitedAccount migrator = granted(database, Role.MIGRATOR);
                    HikariDataSource migrating = pool(config, migrator)) {
                Schema.create(migrating);
            }
            pool = pool(
                    config,
                    granted(database, Role.ENQUEUER, Role.WORKER, Role.OPERATOR)
                            .mayUse("effect", "counter", "guarded", "pair"));
        }
        DataSource reached = between.apply(pool);
        transactions = new JdbcTransactions(reached);
        store = MyBatisStore.over(reached, transactions);
        sql(
                "CREATE TABLE IF NOT EXISTS effect (id BIGINT AUTO_INCREMENT PRIMARY KEY, k VARCHAR(100), seq BIGINT, node INT) ENGINE=InnoDB");
        sender = Engine.builder(store).build();
    }

    /** An account with the privileges of these roles. */
    static LimitedAccount granted(TestDatabase database, Role... roles) {
        LimitedAccount account = LimitedAccount.on(database);
        for (Role role : roles) {
            account.granted((name, who) -> Schema.grants(role, name, who));
        }
        return account;
    }

    /** A pool like that, of this account. */
    private static HikariDataSource pool(HikariConfig like, LimitedAccount account) {
        HikariConfig config = new HikariConfig();
        like.copyStateTo(config);
        config.setUsername(account.user());
        config.setPassword(account.password());
        return new HikariDataSource(config);
    }

    /** A payload: the n-th message of a key. */
    record Step(String k, long seq) {}

    Engine engine(UnaryOperator<EngineBuilder> with) {
        Engine engine = with.apply(Engine.builder(store).config(QUICK)).build();
        engines.add(engine);
        engine.start();
        return engine;
    }

    /** The handler that every effect goes through: one row in the transaction of the acknowledgement. */
    void effect(Step step, int node) throws SQLException {
        try (var insert =
                transactions.connection().prepareStatement("INSERT INTO effect (k, seq, node) VALUES (?, ?, ?)")) {
            insert.setString(1, step.k());
            insert.setLong(2, step.seq());
            insert.setInt(3, node);
            insert.executeUpdate();
        }
    }

    Enqueued enqueue(String queue, Object payload, EnqueueOptions options) throws Exception {
        return transactions.call(() -> sender.queue().enqueue(queue, payload, options));
    }

    /** As a caller does who can not know whether his COMMIT came through: the same message key again, for a minute. */
    void enqueueAsOften(String queue, Object payload, String key) throws Exception {
        long began = System.nanoTime();
        for (; ; ) {
            try {
                enqueue(queue, payload, options().key(key));
                return;
            } catch (TransientQueueException e) {
                if (System.nanoTime() - began > Duration.ofMinutes(1).toNanos()) {
                    throw e;
                }
            }
        }
    }

    Engine sender() {
        return sender;
    }

    long count(String query) {
        return strings(query).stream().mapToLong(Long::parseLong).findFirst().orElseThrow();
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

    /** The tables of AcidQ are others than they were, so that no other test may have this database. */
    void discardDatabase() {
        isToBeUsedAgain = false;
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

    /** Waits until nothing is left to do. */
    void drained() {
        await().atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(20))
                .until(() ->
                        count("SELECT (SELECT COUNT(*) FROM acidq_message) + (SELECT COUNT(*) FROM acidq_scheduled)")
                                == 0);
    }

    @Override
    public void close() {
        engines.forEach(Engine::close);
        pool.close();
        admin.close();
        if (isToBeUsedAgain) {
            ReusableDatabases.returnDatabase(database);
        }
    }
}
