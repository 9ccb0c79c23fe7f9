package io.acidq.chaos.proxy;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.Delivery;
import io.acidq.Enqueued;
import io.acidq.Handler;
import io.acidq.MessageId;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.TransientQueueException;
import io.acidq.chaos.proxy.ConnectionBreak.BreakMode;
import io.acidq.chaos.proxy.ConnectionBreak.BreakPoint;
import io.acidq.chaos.role.DatabaseLogin;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.engine.Engine;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.resilience.RetryPolicy;
import io.acidq.store.Store;
import io.acidq.telemetry.Telemetry;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServer;
import io.acidq.testservers.TestServers;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections between AcidQ and a real server break at exact points of a message's processing. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class ConnectionBreakIT {

    private static final String Q = "cut";
    private static final EngineConfig QUICK = EngineConfig.defaults()
            .withHeartbeat(Duration.ofMillis(200), 10)
            .withPolling(Duration.ofMillis(2), Duration.ofMillis(50));
    private static final Duration LONG = Duration.ofSeconds(60);

    /** The duration of a black hole. */
    private static final Duration SILENCE = Duration.ofMinutes(2);

    private final ServerKind kind;
    private final ConnectionBreaks connectionBreaks = new ConnectionBreaks();
    private final RecordedTelemetry telemetry = new RecordedTelemetry();
    private final Queue<Delivery> starts = new ConcurrentLinkedQueue<>();
    private final List<Engine> engines = new ArrayList<>();
    private TestDatabase database;
    private PacketProxy proxy;
    private HikariDataSource pool;
    private JdbcTransactions transactions;
    private Store store;
    private Engine sender;

    ConnectionBreakIT(ServerKind kind) {
        this.kind = kind;
    }

    /** A payload. */
    record Job(String name) {}

    /** Records telemetry of claims. */
    private static final class RecordedTelemetry implements Telemetry {

        final AtomicInteger reconciled = new AtomicInteger();
        final Queue<Integer> declaredDead = new ConcurrentLinkedQueue<>();
        final Queue<MessageId> ended = new ConcurrentLinkedQueue<>();

        @Override
        public void reconciled(int messages) {
            reconciled.addAndGet(messages);
        }

        @Override
        public void declaredDead(int node) {
            declaredDead.add(node);
        }

        @Override
        public void nodeDeclaredDead(int node) {
            declaredDead.add(node);
        }

        @Override
        public void finished(MessageId id, Outcome outcome, Duration took) {
            ended.add(id);
        }
    }

    @BeforeEach
    void open() throws SQLException {
        database = TestServers.get(kind).createDatabase();
        TestServer server = database.server();
        proxy = PacketProxy.before(server.address(), connectionBreaks, SILENCE);
        String url =
                server.through(new InetSocketAddress("127.0.0.1", proxy.port())).jdbcUrl(database.name());
        pool = new DatabaseLogin(url, server.username(), server.password()).pool(30);
        Schema.create(pool);
        transactions = new JdbcTransactions(pool);
        store = MyBatisStore.over(pool, transactions);
        sender = Engine.builder(store).build();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE effect (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(40)) ENGINE=InnoDB");
        }
    }

    @AfterEach
    void close() {
        connectionBreaks.clear();
        proxy.slowDown(Duration.ZERO);
        engines.forEach(Engine::close);
        pool.close();
        proxy.close();
    }

    @Test
    void runsOnceWhatIsCutInTheMiddleOfAStatement() throws Exception {
        work();
        ConnectionBreak connectionBreak =
                new ConnectionBreak(TransactionKind.HANDLER, BreakPoint.IN_STATEMENT, BreakMode.CUT);
        connectionBreaks.order(connectionBreak);
        enqueue("m");
        drained();
        assertThat(connectionBreaks.happened()).containsEntry(connectionBreak.toString(), 1);
        assertThat(effects()).containsExactly("m");
        assertThat(starts).hasSize(2).allMatch(d -> d.attempt() == 1 && d.crashes() == 0);
    }

    @Test
    void runsOnceWhatIsCutBetweenTwoStatements() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch cut = new CountDownLatch(1);
        work((job, delivery) -> {
            effect(job);
            inside.countDown();
            cut.await();
            effect(job);
            return Outcome.done();
        });
        enqueue("m");
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(proxy.cutAll()).isPositive();
        cut.countDown();
        drained();
        assertThat(effects()).containsExactly("m", "m");
        await().atMost(LONG).until(() -> telemetry.ended.size() == 1); // recorded after the COMMIT
    }

    @Test
    void tellsTheCallerThatTheOutcomeIsUnknownAndTakesTheRepetitionWhenTheCommitNeverArrived() throws Exception {
        work();
        enqueueBroken(TransactionKind.ENQUEUE, BreakPoint.BEFORE_COMMIT, BreakMode.CUT);
        assertThat(count("SELECT COUNT(*) FROM acidq_key"))
                .as("it did not commit")
                .isZero();
        assertThat(enqueue("m").isDuplicate()).isFalse();
        drained();
        assertThat(effects()).containsExactly("m");
    }

    @Test
    void tellsTheCallerThatTheOutcomeIsUnknownAndRefusesTheRepetitionWhenOnlyTheAnswerWasLost() throws Exception {
        work();
        enqueueBroken(TransactionKind.ENQUEUE, BreakPoint.AFTER_COMMIT, BreakMode.CUT);
        assertThat(enqueue("m").isDuplicate()).as("it did commit").isTrue();
        drained();
        assertThat(effects()).containsExactly("m");
        assertThat(starts).hasSize(1);
    }

    @Test
    void waitsInABlackHoleAndKnowsAfterwardsWhilstOthersWorkOn() throws Exception {
        work();
        CompletableFuture<Void> caller = CompletableFuture.runAsync(
                () -> enqueueBroken(TransactionKind.ENQUEUE, BreakPoint.AFTER_COMMIT, BreakMode.BLACK_HOLE));
        await().atMost(LONG).until(() -> !connectionBreaks.happened().isEmpty());
        ConnectionBreak commit =
                new ConnectionBreak(TransactionKind.HANDLER, BreakPoint.BEFORE_COMMIT, BreakMode.BLACK_HOLE);
        connectionBreaks.order(commit);
        enqueue("lost in the handler's commit");
        await().atMost(LONG).until(() -> connectionBreaks.happened().containsKey(commit.toString()));
        enqueue("meanwhile");
        await().atMost(LONG).until(() -> effects().contains("meanwhile"));
        assertThat(caller).as("still waits").isNotDone();
        proxy.endBlackHoles();
        caller.get(30, TimeUnit.SECONDS);
        assertThat(enqueue("m").isDuplicate()).isTrue();
        drained();
        assertThat(effects()).containsExactlyInAnyOrder("m", "lost in the handler's commit", "meanwhile");
        assertThat(telemetry.declaredDead).isEmpty();
    }

    /** The message may run twice, but its effect is there once. */
    @ParameterizedTest
    @EnumSource(
            value = BreakPoint.class,
            names = {"BEFORE_COMMIT", "AFTER_COMMIT"})
    void hasOneEffectWhenTheCommitOfAHandlerIsCut(BreakPoint breakPoint) throws Exception {
        work();
        ConnectionBreak connectionBreak = new ConnectionBreak(TransactionKind.HANDLER, breakPoint, BreakMode.CUT);
        connectionBreaks.order(connectionBreak);
        enqueue("m");
        drained();
        assertThat(connectionBreaks.happened()).containsEntry(connectionBreak.toString(), 1);
        assertThat(effects()).containsExactly("m");
        assertThat(starts)
                .hasSize(breakPoint == BreakPoint.BEFORE_COMMIT ? 2 : 1)
                .allMatch(d -> d.attempt() == 1);
    }

    /** A message that is done is not started again: the next one of its ordering key may run. */
    @ParameterizedTest
    @EnumSource(
            value = BreakPoint.class,
            names = {"BEFORE_COMMIT", "AFTER_COMMIT"})
    void startsNoneOfABatchAgainThatIsDoneWhenItsCommitIsCut(BreakPoint breakPoint) throws Exception {
        ConnectionBreak connectionBreak = new ConnectionBreak(TransactionKind.HANDLER, breakPoint, BreakMode.CUT);
        connectionBreaks.order(connectionBreak);
        transactions.run(() -> sender.queue()
                .enqueueAll(
                        Q, List.of(new NewMessage(new Job("m"), options()), new NewMessage(new Job("n"), options()))));
        engine(QUICK, Listener.on(Q, Job.class, this::done).withConcurrency(1).withTransactionSize(2));
        drained();
        assertThat(connectionBreaks.happened()).containsEntry(connectionBreak.toString(), 1);
        assertThat(effects()).containsExactly("m", "n");
        assertThat(starts)
                .hasSize(breakPoint == BreakPoint.BEFORE_COMMIT ? 4 : 2)
                .allMatch(d -> d.attempt() == 1);
    }

    /** The node does not know whether it has claimed the message, which would stay claimed while the node lives. */
    @ParameterizedTest
    @EnumSource(
            value = BreakPoint.class,
            names = {"BEFORE_COMMIT", "AFTER_COMMIT"})
    void givesBackWhatAClaimMayHaveTakenWhoseCommitWasCut(BreakPoint breakPoint) throws Exception {
        work();
        ConnectionBreak connectionBreak = new ConnectionBreak(TransactionKind.CLAIM, breakPoint, BreakMode.CUT);
        connectionBreaks.order(connectionBreak);
        enqueue("m");
        drained();
        assertThat(connectionBreaks.happened()).containsEntry(connectionBreak.toString(), 1);
        assertThat(telemetry.reconciled).hasValue(breakPoint == BreakPoint.AFTER_COMMIT ? 1 : 0);
        assertThat(effects()).containsExactly("m");
        assertThat(starts).hasSize(1).allMatch(d -> d.attempt() == 1 && d.crashes() == 0);
        assertThat(telemetry.declaredDead).isEmpty();
    }

    /**
     * Takes six seconds: twice the time after which a node is declared dead. The messages may take much longer with such packets, so they are waited for
     * afterwards.
     */
    @Test
    void declaresNobodyDeadWhenEachPacketTakesHalfASecond() throws Exception {
        EngineConfig config = QUICK.withHeartbeat(Duration.ofMillis(600), 4);
        for (int i = 0; i < 2; i++) {
            engine(config, (job, delivery) -> done(job, delivery));
        }
        List<Integer> nodes = engines.stream().map(Engine::node).toList();
        for (int i = 0; i < 3; i++) {
            enqueue("m" + i);
        }
        proxy.slowDown(Duration.ofMillis(500));
        long until = System.nanoTime() + Duration.ofSeconds(6).toNanos();
        await().atMost(LONG).until(() -> System.nanoTime() > until && proxy.delayed() >= 30);
        proxy.slowDown(Duration.ZERO);
        drained();
        assertThat(engines.stream().map(Engine::node)).containsExactlyElementsOf(nodes);
        assertThat(telemetry.declaredDead).isEmpty();
        assertThat(effects()).hasSize(3).doesNotHaveDuplicates();
    }

    /** Enqueues "m", whose COMMIT breaks, and checks the exception. */
    private void enqueueBroken(TransactionKind transactionKind, BreakPoint breakPoint, BreakMode breakMode) {
        ConnectionBreak connectionBreak = new ConnectionBreak(transactionKind, breakPoint, breakMode);
        connectionBreaks.order(connectionBreak);
        assertThatThrownBy(() -> enqueue("m"))
                .isInstanceOf(TransientQueueException.class)
                .hasMessageContainingAll("whether it committed is unknown", "same message key");
        assertThat(connectionBreaks.happened()).containsEntry(connectionBreak.toString(), 1);
    }

    private Enqueued enqueue(String name) {
        return transactions.call(
                () -> sender.queue().enqueue(Q, new Job(name), options().key(name)));
    }

    private void work() {
        work(this::done);
    }

    private void work(Handler<Job> handler) {
        engine(QUICK, handler);
    }

    private void engine(EngineConfig config, Handler<Job> handler) {
        engine(config, Listener.on(Q, Job.class, handler));
    }

    private void engine(EngineConfig config, Listener<Job> listener) {
        Engine engine = Engine.builder(store)
                .config(config)
                .telemetry(telemetry)
                .listen(listener.withRetry(RetryPolicy.defaults().withMaxAttempts(1)))
                .build();
        engines.add(engine);
        engine.start();
    }

    private Outcome done(Job job, Delivery delivery) throws SQLException {
        starts.add(delivery);
        effect(job);
        return Outcome.done();
    }

    private void effect(Job job) throws SQLException {
        try (var insert = transactions.connection().prepareStatement("INSERT INTO effect (name) VALUES (?)")) {
            insert.setString(1, job.name());
            insert.executeUpdate();
        }
    }

    private void drained() {
        await().atMost(LONG).until(() -> count("SELECT COUNT(*) FROM acidq_message") == 0);
        assertThat(strings("SELECT mark FROM acidq_dead")).isEmpty();
    }

    private List<String> effects() {
        return strings("SELECT name FROM effect ORDER BY id");
    }

    private long count(String sql) {
        return Long.parseLong(strings(sql).get(0));
    }

    /** Reads without the proxy. */
    private List<String> strings(String sql) {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> all = new ArrayList<>();
            while (rows.next()) {
                all.add(rows.getString(1));
            }
            return all;
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}
