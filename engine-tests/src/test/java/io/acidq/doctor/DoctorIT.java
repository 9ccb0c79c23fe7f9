package io.acidq.doctor;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.EnqueueOptions;
import io.acidq.Outcome;
import io.acidq.Recurring;
import io.acidq.Schedule;
import io.acidq.admin.Operator;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.doctor.Report.Finding;
import io.acidq.doctor.Report.Finding.Level;
import io.acidq.engine.Engine;
import io.acidq.engine.EngineBuilder;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Role;
import io.acidq.mybatis.Schema;
import io.acidq.store.NodeStore.NodeRow;
import io.acidq.store.QueueStore;
import io.acidq.store.Store;
import io.acidq.testservers.LimitedAccount;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Each check of the doctor on a real server. */
@ParameterizedClass
@EnumSource(ServerKind.class)
@TestInstance(Lifecycle.PER_CLASS)
class DoctorIT {

    private static final Logger LOG = LoggerFactory.getLogger(DoctorIT.class);
    private static final DoctorOptions OPTIONS =
            DoctorOptions.of(Clock.systemUTC()).withWatchTime(Duration.ofMillis(600));
    private static final String PASS_TWO_DAYS =
            "UPDATE acidq_scheduled SET preexec_time = TIMESTAMPADD(DAY, -2, preexec_time)";

    @Parameter
    private ServerKind kind;

    private TestDatabase database;
    private HikariDataSource pool;
    private Store store;

    @BeforeParameterizedClassInvocation
    void open() {
        database = TestServers.get(kind).createDatabase();
        pool = pool(database, "", 10);
        Schema.create(pool);
        store = MyBatisStore.over(pool);
    }

    private static HikariDataSource pool(TestDatabase of, String options, int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(of.jdbcUrl() + options);
        config.setUsername(of.username());
        config.setPassword(of.password());
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        return new HikariDataSource(config);
    }

    @BeforeEach
    void beginWithoutMessagesAndNodes() throws Exception {
        execute(
                "DELETE FROM acidq_message",
                "DELETE FROM acidq_scheduled",
                "DELETE FROM acidq_node",
                "UPDATE acidq_queue SET paused = 0");
    }

    @AfterParameterizedClassInvocation
    void close() {
        pool.close();
    }

    private void execute(String... sql) throws Exception {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (String each : sql) {
                statement.execute(each);
            }
        }
    }

    private Report examine(DoctorOptions options) {
        // snippet:doctor
        Report report = new Doctor(store, options).examine();
        report.at(Level.PROBLEM).forEach(f -> LOG.error("{}: {} -> {}", f.check(), f.found(), f.advice()));
        // /snippet
        return report;
    }

    private static Finding first(Report report, Check check) {
        return report.of(check).get(0);
    }

    private void enqueue(String queue) {
        enqueue(queue, options());
    }

    private void enqueue(String queue, EnqueueOptions options) {
        JdbcTransactions transactions = new JdbcTransactions(pool);
        Engine producer = Engine.builder(MyBatisStore.over(pool, transactions)).build();
        transactions.run(() -> producer.queue().enqueue(queue, "text", options));
    }

    private Engine listening(String... queues) {
        return listening(4, queues);
    }

    private Engine listening(int workers, String... queues) {
        EngineBuilder builder = Engine.builder(MyBatisStore.over(pool))
                .config(EngineConfig.defaults().withHeartbeat(Duration.ofMillis(50), 200));
        for (String queue : queues) {
            builder.listen(Listener.on(queue, String.class, (text, delivery) -> Outcome.done())
                    .withConcurrency(workers));
        }
        Engine engine = builder.build();
        engine.start();
        return engine;
    }

    @Test
    void reportsOkForAHealthyDatabase() {
        Report report = examine(OPTIONS);
        assertThat(Stream.of(
                        Check.CONNECTION,
                        Check.SCHEMA,
                        Check.ISOLATION,
                        Check.LOCKS,
                        Check.CLOCK,
                        Check.NODES,
                        Check.LISTENERS,
                        Check.POOL))
                .allSatisfy(check -> assertThat(report.of(check))
                        .as(report.toString())
                        .singleElement()
                        .satisfies(f -> assertThat(f.level()).isEqualTo(Level.OK)));
        assertThat(report.findings().stream().map(Finding::check).distinct()).containsExactly(Check.values());
    }

    @Test
    void reportsMissingTablesAndMakesTheOtherChecks() {
        TestDatabase empty = database.server().createDatabase();
        try (HikariDataSource there = pool(empty, "", 3)) {
            Report report = new Doctor(MyBatisStore.over(there), OPTIONS).examine();
            assertThat(first(report, Check.SCHEMA).level()).isEqualTo(Level.PROBLEM);
            assertThat(first(report, Check.SCHEMA).found()).contains("table acidq_message is missing");
            assertThat(first(report, Check.SCHEMA).advice()).contains("Schema.create");
            assertThat(first(report, Check.ISOLATION).level()).isEqualTo(Level.OK);
            assertThat(first(report, Check.LISTENERS).found()).contains("could not be checked");
            assertThat(first(report, Check.LOCKS).advice()).startsWith("repair the tables first");
            assertThat(report.of(Check.POOL)).isNotEmpty();
        }
    }

    @Test
    void advisesToUseTheVersionThatFitsNewerTables() throws Exception {
        TestDatabase upgraded = database.server().createDatabase();
        try (HikariDataSource there = pool(upgraded, "", 3);
                Connection connection = there.getConnection();
                Statement statement = connection.createStatement()) {
            Schema.create(there);
            statement.execute("UPDATE acidq_schema SET version = version + 1");
            Report report = new Doctor(MyBatisStore.over(there), OPTIONS).examine();
            assertThat(first(report, Check.SCHEMA).found()).endsWith("was upgraded by a newer AcidQ");
            assertThat(first(report, Check.SCHEMA).advice()).startsWith("use AcidQ with schema version");
        }
    }

    @Test
    void findsAQueueWithMessagesAndNoListener() {
        enqueue("lonely");
        Finding finding = first(examine(OPTIONS), Check.LISTENERS);
        assertThat(finding.level()).isEqualTo(Level.PROBLEM);
        assertThat(finding.found()).contains("queue 'lonely'");

        try (Engine engine = listening("lonely")) {
            await().until(() -> engine.backlog("lonely").ready() == 0);
            assertThat(first(examine(OPTIONS), Check.LISTENERS).level()).isEqualTo(Level.OK);
        }
    }

    /** Nobody had moved the messages into their lanes, where the doctor looked for them. */
    @Test
    void findsDueMessagesThatAreStillScheduledWhenNoNodeIsAlive() throws Exception {
        enqueue("tomorrow", options().delay(Duration.ofDays(1)));
        assertThat(first(examine(OPTIONS), Check.LISTENERS).level()).isEqualTo(Level.OK);

        execute(PASS_TWO_DAYS);
        Finding finding = first(examine(OPTIONS), Check.LISTENERS);
        assertThat(finding.level()).isEqualTo(Level.PROBLEM);
        assertThat(finding.found()).isEqualTo("queue 'tomorrow' has due messages, and no node is alive");
    }

    @Test
    void namesTheQueueWhoseListenerIsStoppedWhileOthersAreServed() {
        try (Engine engine = listening("stopped", "served")) {
            engine.listener("stopped").stop();
            enqueue("stopped");
            await().untilAsserted(() -> assertThat(examine(OPTIONS).of(Check.LISTENERS))
                    .singleElement()
                    .satisfies(f -> assertThat(f.level()).isEqualTo(Level.PROBLEM))
                    .satisfies(f -> assertThat(f.found())
                            .isEqualTo("queue 'stopped' has due messages, and no living node has a listener for it")));
        }
    }

    @Test
    void callsAPausedQueuePausedAndNoProblemOfListeners() {
        enqueue("paused");
        Engine.builder(store).build().control().pause("paused", new Operator("ann", "stocktaking"));
        assertThat(examine(OPTIONS).of(Check.LISTENERS))
                .singleElement()
                .satisfies(f -> assertThat(f.level()).isEqualTo(Level.WARNING))
                .satisfies(f -> assertThat(f.found())
                        .isEqualTo("queue 'paused' is paused: it has due messages, which wait; no living node has a"
                                + " listener for it either"));
    }

    @Test
    void findsScheduledMessagesThatALivingNodeDoesNotMove() throws Exception {
        enqueue("unmoved", options().delay(Duration.ofDays(1)));
        try (Engine engine = listening("unmoved");
                Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("SELECT id FROM acidq_queue WHERE name = 'unmoved' FOR UPDATE"); // the mover skips it
            execute(PASS_TWO_DAYS);
            Finding finding = first(examine(OPTIONS), Check.LISTENERS);
            assertThat(finding.level()).isEqualTo(Level.PROBLEM);
            assertThat(finding.found()).startsWith("queue 'unmoved' has a scheduled message that has been due for");
            assertThat(finding.advice()).contains("due-message-mover", "acidq_queue");

            connection.rollback();
            await().untilAsserted(() ->
                    assertThat(first(examine(OPTIONS), Check.LISTENERS).level()).isEqualTo(Level.OK));
            assertThat(engine.node()).isPositive();
        }
    }

    @Test
    void findsATickThatNobodyEnqueues() throws Exception {
        JdbcTransactions transactions = new JdbcTransactions(pool);
        Engine application =
                Engine.builder(MyBatisStore.over(pool, transactions)).build();
        transactions.run(() -> application
                .recurring()
                .put(Recurring.message("reports", Schedule.every(Duration.ofHours(1)), "reports")));
        assertThat(first(examine(OPTIONS), Check.RECURRING).level()).isEqualTo(Level.OK);

        execute("UPDATE acidq_recurring SET next_at = TIMESTAMPADD(HOUR, -2, next_at)");
        Finding finding = first(examine(OPTIONS), Check.RECURRING);
        assertThat(finding.level()).isEqualTo(Level.PROBLEM);
        assertThat(finding.found()).contains("s ago", "'reports'");
        execute("DELETE FROM acidq_recurring");
    }

    @Test
    void countsASingleNodeInTheSingular() {
        try (Engine engine = listening("single")) {
            assertThat(engine.node()).isPositive();
            assertThat(first(examine(OPTIONS), Check.NODES).found()).startsWith("1 node is alive, the last one");
        }
    }

    /** The tables were emptied, and a process that had used the queue before enqueued to it. */
    @Test
    void findsMessagesOfAQueueThatHasNoRow() throws Exception {
        enqueue("lost");
        execute("DELETE FROM acidq_queue WHERE name = 'lost'");
        assertThat(examine(OPTIONS).of(Check.LISTENERS))
                .anySatisfy(f -> assertThat(f.found()).contains("number " + QueueStore.numberOf("lost")))
                .allSatisfy(f -> assertThat(f.level()).isEqualTo(Level.PROBLEM));
    }

    /** All nodes died at once. No node was left to declare them dead, so their rows still showed that the queue had listeners. */
    @Test
    void findsALivingNodeWithoutHeartbeats() {
        enqueue("orphaned");
        int queue = store.queues().findQueue("orphaned").orElseThrow().id();
        int silent = store.nodes().register(new NodeRow(Map.of(queue, 4), "gone@shop-1", "test"));

        Report alone = examine(OPTIONS);
        assertThat(first(alone, Check.NODES).level()).isEqualTo(Level.PROBLEM);
        assertThat(first(alone, Check.NODES).found()).contains("node " + silent, "gone@shop-1");
        assertThat(first(alone, Check.LISTENERS).found()).contains("queue 'orphaned'");

        try (Engine engine = listening("other")) {
            assertThat(engine.node()).isNotEqualTo(silent);
            assertThat(first(examine(OPTIONS), Check.NODES).level()).isEqualTo(Level.WARNING);
        }
    }

    @Test
    void findsClaimsOfDeadNodesThatAreNotFreed() throws Exception {
        enqueue("claimed");
        execute("UPDATE acidq_message SET owner = 987654", "UPDATE acidq_lane SET claimed_to = 1000000");
        Finding finding = first(examine(OPTIONS), Check.NODES);
        assertThat(finding.level()).isEqualTo(Level.PROBLEM);
        assertThat(finding.found()).contains("node 987654");
    }

    @Test
    void findsALongTransaction() throws Exception {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("UPDATE acidq_queue SET lanes = lanes");
            ResultSet number = statement.executeQuery("SELECT CONNECTION_ID()");
            number.next();
            String found = "connection " + number.getLong(1) + " has a transaction open";
            DoctorOptions options =
                    OPTIONS.withLongTransaction(Duration.ofSeconds(1)).withWatchTime(Duration.ZERO);
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(examine(options).of(Check.TRANSACTIONS))
                            .anySatisfy(f -> assertThat(f.found()).startsWith(found))
                            .allSatisfy(f -> assertThat(f.level()).isEqualTo(Level.WARNING)));
            connection.rollback();
        }
    }

    @Test
    void findsRiskyDriverOptionsInTheUrl() {
        try (HikariDataSource careless = pool(database, "&autoReconnect=true", 3);
                HikariDataSource careful = pool(database, "&socketTimeout=60000&connectTimeout=5000", 3)) {
            Report report = new Doctor(MyBatisStore.over(careless), OPTIONS).examine();
            assertThat(report.of(Check.DRIVER))
                    .anySatisfy(f -> assertThat(f.found()).startsWith("autoReconnect=true"))
                    .anySatisfy(f -> assertThat(f.found()).startsWith("socketTimeout is not set"));
            assertThat(report.worst()).isEqualTo(Level.PROBLEM);
            assertThat(first(new Doctor(MyBatisStore.over(careful), OPTIONS).examine(), Check.DRIVER)
                            .level())
                    .isEqualTo(Level.OK);
        }
    }

    @Test
    void comparesThePoolSizeWithTheNeedOfTheWorkers() {
        try (Engine engine = listening("pooled")) {
            DoctorOptions here = OPTIONS.withNode(engine.node());
            assertThat(first(examine(here.withPoolSize(4)), Check.POOL).level()).isEqualTo(Level.PROBLEM);
            Finding small = first(examine(here.withPoolSize(8)), Check.POOL);
            assertThat(small.level()).isEqualTo(Level.WARNING);
            assertThat(small.advice())
                    .contains("enlarge it to 9 (4 for workers, 1 for pollers, and 4 for the heartbeat");
            assertThat(first(examine(here.withPoolSize(9)), Check.POOL).level()).isEqualTo(Level.OK);
            assertThat(first(examine(OPTIONS.withPoolSize(4)), Check.POOL).level())
                    .isEqualTo(Level.PROBLEM);
        }
        try (Engine engine = listening("pooled", "pooled-too")) { // 4 workers each
            DoctorOptions here = OPTIONS.withNode(engine.node());
            assertThat(first(examine(here.withPoolSize(6)), Check.POOL).level()).isEqualTo(Level.WARNING);
        }
        try (Engine engine = listening(8, "pooled")) {
            DoctorOptions here = OPTIONS.withNode(engine.node());
            Finding finding = first(examine(here.withPoolSize(8)), Check.POOL);
            assertThat(finding.level()).isEqualTo(Level.PROBLEM);
            assertThat(finding.found()).contains("has 8 workers", "can never all work");
        }
    }

    /** A check borrowed a second connection while it held the first, and waited forever on a pool of one. */
    @Test
    void doesNotHangOnAPoolOfOne() {
        try (HikariDataSource one = pool(database, "", 1)) {
            long began = System.nanoTime();
            Report report = new Doctor(MyBatisStore.over(one), OPTIONS.withPoolSize(1)).examine();
            assertThat(first(report, Check.LOCKS).found()).contains("the pool has one");
            assertThat(report.findings().stream().map(Finding::check).distinct())
                    .containsExactly(Check.values());
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
        }
    }

    @Test
    void findsAPoolThatKeepsAnotherIsolationLevel() {
        Report report = new Doctor(MyBatisStore.over(stubborn()), OPTIONS).examine();
        assertThat(first(report, Check.ISOLATION).level()).isEqualTo(Level.PROBLEM);
        assertThat(first(report, Check.ISOLATION).found()).contains("REPEATABLE READ");
        assertThat(first(report, Check.LOCKS).level()).isEqualTo(Level.PROBLEM);
    }

    /** Connections that ignore changes of their isolation level. */
    private DataSource stubborn() {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (p, method, arguments) -> {
                    Connection real = database.connect();
                    return Proxy.newProxyInstance(
                            getClass().getClassLoader(), new Class<?>[] {Connection.class}, (c, called, given) -> {
                                if (called.getName().equals("setTransactionIsolation")) {
                                    return null;
                                }
                                try {
                                    return called.invoke(real, given);
                                } catch (InvocationTargetException e) {
                                    throw e.getCause();
                                }
                            });
                });
    }

    @Test
    void findsAWrongClockAndATooSmallPacket() {
        DoctorOptions options = OPTIONS.withMaxPayloadBytes(Integer.MAX_VALUE);
        Report report = examine(new DoctorOptions(
                Clock.offset(Clock.systemUTC(), Duration.ofMinutes(10)),
                options.poolSize(),
                options.node(),
                options.maxPayloadBytes(),
                options.longTransaction(),
                options.watchTime()));
        assertThat(first(report, Check.CLOCK).level()).isEqualTo(Level.WARNING);
        assertThat(report.of(Check.SERVER))
                .anySatisfy(f -> assertThat(f.found()).startsWith("max_allowed_packet is"));
    }

    @Test
    void namesThePrivilegeThatAnOperatorLacksAndMakesTheOtherChecks() {
        HikariConfig config = new HikariConfig();
        pool.copyStateTo(config);
        try (LimitedAccount operator =
                LimitedAccount.on(database).granted((name, who) -> Schema.grants(Role.OPERATOR, name, who))) {
            config.setUsername(operator.user());
            config.setPassword(operator.password());
            try (HikariDataSource limited = new HikariDataSource(config)) {
                Report report = new Doctor(MyBatisStore.over(limited), OPTIONS).examine();
                assertThat(first(report, Check.TRANSACTIONS).level()).isEqualTo(Level.WARNING);
                assertThat(first(report, Check.TRANSACTIONS).advice()).contains("GRANT PROCESS ON *.*");
                assertThat(Stream.of(
                                Check.SCHEMA, Check.LOCKS, Check.ISOLATION, Check.CLOCK, Check.NODES, Check.LISTENERS))
                        .allSatisfy(check ->
                                assertThat(first(report, check).level()).isEqualTo(Level.OK));
            }
        }
    }

    @Test
    void reportsOnlyTheConnectionWhenTheDatabaseDoesNotAnswer() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl().replaceFirst("//[^/]+/", "//127.0.0.1:1/"));
        config.setConnectionTimeout(300);
        config.setInitializationFailTimeout(-1);
        try (HikariDataSource away = new HikariDataSource(config)) {
            assertThat(new Doctor(MyBatisStore.over(away), OPTIONS).examine().findings())
                    .singleElement()
                    .satisfies(f -> assertThat(f.check()).isEqualTo(Check.CONNECTION))
                    .satisfies(f -> assertThat(f.level()).isEqualTo(Level.PROBLEM));
        }
    }
}
