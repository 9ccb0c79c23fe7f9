package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.DeadHeadPolicy;
import io.acidq.Delivery;
import io.acidq.EnqueueOptions;
import io.acidq.Enqueued;
import io.acidq.Handler;
import io.acidq.MessageId;
import io.acidq.MessageQueue.WithdrawResult;
import io.acidq.NewMessage;
import io.acidq.OnDuplicate;
import io.acidq.Outcome;
import io.acidq.Priority;
import io.acidq.QueueMisuseException;
import io.acidq.Receipt.State;
import io.acidq.Receipts.Committed;
import io.acidq.admin.BlockedKeys.BlockedKey;
import io.acidq.admin.BulkAction;
import io.acidq.admin.DeadLetter;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.MessageFilter;
import io.acidq.admin.Messages.CancelResult;
import io.acidq.admin.Operator;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.engine.EngineTests.Step;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Role;
import io.acidq.mybatis.Schema;
import io.acidq.resilience.RetryPolicy;
import io.acidq.store.ClaimStore.Budget;
import io.acidq.store.ClaimStore.ClaimRequest;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.NodeStore.NodeRow;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.store.Store;
import io.acidq.testservers.LimitedAccount;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One account for each role, which may do all that the role does. Other calls fail with the name of the missing privilege. */
@TestInstance(Lifecycle.PER_CLASS)
@ParameterizedClass
@EnumSource(ServerKind.class)
class GrantsIT {

    private static final RetryPolicy TWICE =
            RetryPolicy.defaults().withMaxAttempts(2).withBackoff(Duration.ofMillis(1), 1, Duration.ofMillis(1));

    private static final Instant LATE = Instant.parse("9000-01-01T00:00:00Z");

    @Parameter
    private ServerKind kind;

    private TestDatabase database;
    private RoleAccess migrator;
    private RoleAccess enqueuer;
    private RoleAccess worker;
    private RoleAccess operator;

    /** An account with its pool and its store. */
    private record RoleAccess(LimitedAccount account, HikariDataSource pool, JdbcTransactions transactions, Store store)
            implements AutoCloseable {

        static RoleAccess of(TestDatabase database, Role role) {
            LimitedAccount account = EngineTests.granted(database, role);
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(database.jdbcUrl());
            config.setUsername(account.user());
            config.setPassword(account.password());
            config.setMaximumPoolSize(20);
            config.setMinimumIdle(0);
            HikariDataSource pool = new HikariDataSource(config);
            JdbcTransactions transactions = new JdbcTransactions(pool);
            return new RoleAccess(account, pool, transactions, MyBatisStore.over(pool, transactions));
        }

        Engine engine() {
            return Engine.builder(store).config(EngineTests.QUICK).build();
        }

        Engine listener(String queue, Handler<Step> handler) {
            return Engine.builder(store)
                    .config(EngineTests.QUICK)
                    .listen(EngineTests.on(queue, handler))
                    .build();
        }

        Enqueued enqueue(String queue, Object payload, EnqueueOptions options) {
            return transactions.call(() -> engine().queue().enqueue(queue, payload, options));
        }

        void execute(String sql) throws SQLException {
            try (Connection connection = pool.getConnection();
                    var statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }

        @Override
        public void close() {
            pool.close();
            account.close();
        }
    }

    @BeforeParameterizedClassInvocation
    void createTheTablesAsTheMigrator() throws SQLException {
        database = TestServers.get(kind).createDatabase();
        migrator = RoleAccess.of(database, Role.MIGRATOR);
        Schema.create(migrator.pool());
        enqueuer = RoleAccess.of(database, Role.ENQUEUER);
        worker = RoleAccess.of(database, Role.WORKER);
        operator = RoleAccess.of(database, Role.OPERATOR);
    }

    @AfterParameterizedClassInvocation
    void close() {
        List.of(migrator, enqueuer, worker, operator).forEach(RoleAccess::close);
    }

    @Test
    void everyRoleMayCompareTheTables() {
        for (RoleAccess roleAccess : List.of(migrator, enqueuer, worker, operator)) {
            Schema.check(roleAccess.pool());
        }
    }

    @Test
    void migratorChangesTablesAndNothingElseOfTheDatabase() throws SQLException {
        migrator.execute("ALTER TABLE acidq_dead ADD COLUMN later INT NULL, ADD KEY by_later (later)");
        migrator.execute("UPDATE acidq_dead SET later = 1");
        migrator.execute("ALTER TABLE acidq_dead DROP KEY by_later, DROP COLUMN later");
        Schema.check(migrator.pool());
        assertThatThrownBy(() -> migrator.execute("CREATE TABLE other (id INT)"))
                .hasMessageContaining("CREATE command denied");
    }

    @Test
    void enqueuerEnqueuesWithAPriority() {
        for (Priority priority : Priority.values()) {
            assertThat(enqueuer.enqueue("prioritized", "m", options().priority(priority))
                            .id()
                            .priority())
                    .isEqualTo(priority);
        }
    }

    @Test
    void enqueuerEnqueuesInEveryWay() {
        Engine engine = enqueuer.engine();
        String queue = "enqueued";
        enqueuer.transactions().run(() -> {
            engine.queue().enqueue(queue, "plain");
            engine.queue().enqueue(queue, "ordered", options().orderingKey("o").header("h", "v"));
            engine.queue().enqueue(queue, "later", options().delay(Duration.ofHours(1)));
            engine.queue().enqueue(queue, "keyed", options().key("k"));
            engine.queue()
                    .enqueueAll(
                            queue,
                            List.of(
                                    new NewMessage("1", options().key("b1")),
                                    new NewMessage("2", options().key("b2"))));
        });
        assertThat(enqueuer.enqueue(queue, "again", options().key("k")).isDuplicate())
                .isTrue();
        EnqueueOptions replacing = options().key("r").delay(Duration.ofHours(1)).onDuplicate(OnDuplicate.replace());
        enqueuer.enqueue(queue, "first", replacing);
        assertThat(enqueuer.enqueue(queue, "second", replacing).result()).isEqualTo(Enqueued.Result.REPLACED);
        enqueuer.enqueue(
                queue,
                "soon",
                options().key("d").onDuplicate(OnDuplicate.debounce()).delay(Duration.ofHours(1)));
        assertThat(enqueuer.enqueue(
                                queue,
                                "sooner",
                                options()
                                        .key("d")
                                        .onDuplicate(OnDuplicate.debounce())
                                        .delay(Duration.ofHours(1)))
                        .result())
                .isEqualTo(Enqueued.Result.DEBOUNCED);
    }

    @Test
    void eachRoleReadsReceiptsAndEndsThem() throws Exception {
        Engine sender = enqueuer.engine();
        MessageId id = enqueuer.enqueue("receipts", new Step("m", 1), options().receipt())
                .id();
        assertThat(sender.receipts().committed(id)).isEqualTo(Committed.YES);
        Engine admin = operator.engine();
        killByTheWorker(sender, id);
        assertThat(admin.deadLetters().replay(id)).isTrue();
        assertThat(admin.receipts().find(id).orElseThrow().state()).isEqualTo(State.PENDING);
        killByTheWorker(sender, id);
        assertThat(admin.deadLetters().discard(id)).isTrue();
        assertThat(admin.receipts().find(id).orElseThrow().state()).isEqualTo(State.DISCARDED);
        try (Connection connection = database.connect();
                var statement = connection.createStatement()) {
            statement.execute("UPDATE acidq_receipt SET kept_until = CASE WHEN uid = X'"
                    + id.uid().toString().replace("-", "")
                    + "' THEN UTC_TIMESTAMP(6) END"); // the others are of other tests
        }
        assertThat(worker.store().maintenance().pruneReceipts(10).rows()).isOne();
        assertThat(sender.receipts().committed(id)).isEqualTo(Committed.NOT_TRACKED);
    }

    @Test
    void enqueuerWithdrawsAndOperatorCancelsMessagesWithReceipts() {
        Engine sender = enqueuer.engine();
        Engine admin = operator.engine();
        MessageId withdrawn = enqueueScheduled("withdrawn");
        assertThat(enqueuer.transactions().call(() -> sender.queue().withdraw("scheduled", "withdrawn")))
                .isEqualTo(WithdrawResult.WITHDRAWN);
        assertThat(sender.receipts().find(withdrawn).orElseThrow().state()).isEqualTo(State.CANCELLED);
        MessageId cancelled = enqueueScheduled("cancelled");
        assertThat(admin.messages().cancel(cancelled, new Operator("ann", "INC-4711")))
                .isEqualTo(CancelResult.CANCELLED);
        assertThat(admin.receipts().committed(cancelled)).isEqualTo(Committed.YES);
        enqueueScheduled("cancelled in bulk");
        assertThat(admin.messages()
                        .cancel(MessageFilter.of("scheduled"), BulkAction.by("ann", "INC-4711"))
                        .cancelled())
                .isPositive();
        assertThat(sender.receipts()
                        .findByKey("scheduled", "cancelled")
                        .orElseThrow()
                        .state())
                .isEqualTo(State.CANCELLED);
        assertThat(enqueuer.transactions().call(() -> sender.queue().withdraw("scheduled", "cancelled")))
                .isEqualTo(WithdrawResult.TOO_LATE);
    }

    private MessageId enqueueScheduled(String key) {
        return enqueuer.enqueue(
                        "scheduled",
                        new Step("m", 1),
                        options().key(key).delay(Duration.ofHours(1)).receipt())
                .id();
    }

    private void killByTheWorker(Engine sender, MessageId id) throws InterruptedException {
        try (Engine engine = worker.listener(id.queue(), (step, delivery) -> Outcome.dead("no"))) {
            engine.start();
            assertThat(sender.receipts()
                            .await(id, Duration.ofMinutes(1))
                            .orElseThrow()
                            .state())
                    .isEqualTo(State.DEAD);
        }
    }

    /** The deduplication window of the key has ended. */
    @Test
    void enqueuerTakesOverAnExpiredKey() {
        EngineConfig shortWindow = EngineTests.QUICK.withDeduplicationWindow(Duration.ZERO);
        Engine engine = Engine.builder(enqueuer.store()).config(shortWindow).build();
        Enqueued first = enqueuer.transactions()
                .call(() -> engine.queue().enqueue("expired", "1", options().key("k")));
        Enqueued second = enqueuer.transactions()
                .call(() -> engine.queue().enqueue("expired", "2", options().key("k")));
        assertThat(second.isDuplicate()).as("the message lives").isTrue();
        try (Connection admin = database.connect();
                var statement = admin.createStatement()) {
            statement.execute(
                    "DELETE m FROM acidq_message m JOIN acidq_queue q ON q.id = m.queue WHERE q.name = 'expired'");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        Enqueued third = enqueuer.transactions()
                .call(() -> engine.queue().enqueue("expired", "3", options().key("k")));
        assertThat(third.isDuplicate()).isFalse();
        assertThat(third.id()).isNotEqualTo(first.id());
    }

    @Test
    void enqueuerUsesTheInbox() {
        for (boolean first : List.of(true, false)) {
            assertThat(enqueuer.transactions()
                            .call(() -> enqueuer.engine().inbox().once("hooks", "event-1", () -> "done"))
                            .ran())
                    .isEqualTo(first);
        }
    }

    @Test
    void enqueuerReadsNoPayload() {
        enqueuer.enqueue("secrets", "the password", options());
        assertThatThrownBy(() -> enqueuer.execute("SELECT payload FROM acidq_message"))
                .hasMessageContaining("SELECT command denied");
        assertThatThrownBy(() -> enqueuer.engine().deadLetters().list("secrets", 10))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("SELECT command denied", "acidq_dead", "Schema.grants");
    }

    /** After an insert with the largest id, even a rolled back one, every later enqueue would fail. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "acidq_queue (paused)",
                "acidq_queue (on_dead_head)",
                "acidq_lane (claimed_to)",
                "acidq_message (id)",
                "acidq_message (owner)",
                "acidq_message (kind)",
                "acidq_message (claim_no)",
                "acidq_scheduled (id)"
            })
    void enqueuerSetsNoColumnThatTheServerFills(String column) {
        assertThatThrownBy(() -> enqueuer.execute("INSERT INTO " + column + " VALUES (1)"))
                .hasMessageContaining("command denied");
    }

    /** The lock probe uses such a lane. */
    @Test
    void workerStartsThoughAnEnqueuerHasAddedLanesOfImpossibleQueues() throws SQLException {
        for (int from = -1; from > -Short.MAX_VALUE; from -= 1000) {
            enqueuer.execute("INSERT INTO acidq_lane (queue, lane) VALUES "
                    + IntStream.rangeClosed(Math.max(from - 999, -Short.MAX_VALUE), from)
                            .mapToObj(queue -> "(" + queue + ", 0)")
                            .collect(Collectors.joining(", ")));
        }
        Engine engine = worker.listener("probed", (step, delivery) -> Outcome.done());
        try (engine) {
            engine.start();
            assertThat(engine.isRunning()).isTrue();
        }
    }

    @Test
    void enqueuerGetsTheNamesOfMissingPrivilegesWhenItListens() {
        Engine engine = enqueuer.listener("listened", (step, delivery) -> Outcome.done());
        assertThatThrownBy(engine::start)
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("command denied", "acidq_", "Schema.grants");
        assertThat(engine.isRunning()).isFalse();
    }

    @Test
    void workerRunsRetriesDeadLettersAndArchives() throws Exception {
        Queue<String> runs = new ConcurrentLinkedQueue<>();
        EngineConfig config =
                EngineTests.QUICK.withQueue("worked", QueueConfig.defaults().withArchiveRetention(Duration.ofDays(1)));
        Engine engine = Engine.builder(worker.store())
                .config(config)
                .listen(Listener.on("worked", Step.class, (step, delivery) -> run(runs, step, delivery))
                        .withRetry(TWICE))
                .build();
        try (engine) {
            engine.start();
            worker.enqueue("worked", new Step("done", 1), options().key("k"));
            worker.enqueue("worked", new Step("retried", 1), options());
            worker.enqueue("worked", new Step("retried", 2), options().orderingKey("o"));
            worker.enqueue("worked", new Step("later", 1), options().delay(Duration.ofMillis(10)));
            Enqueued dead = worker.enqueue("worked", new Step("dead", 1), options());
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> engine.backlog("worked").dead() == 1
                            && engine.backlog("worked").ready()
                                            + engine.backlog("worked").waiting()
                                    == 0
                            && engine.archive()
                                            .list("worked", Instant.EPOCH, LATE, 10)
                                            .size()
                                    == 4);
            assertThat(engine.why(dead.id()).toString()).contains("no stock");
        }
        assertThat(runs).contains("done1", "retried1", "retried2", "later1", "dead1");
        pruneAll();
    }

    private Outcome run(Queue<String> runs, Step step, Delivery delivery) {
        runs.add(step.k() + step.seq());
        if (step.k().equals("dead") || (step.k().equals("retried") && delivery.attempt() == 1)) {
            throw new IllegalStateException("no stock");
        }
        return Outcome.done();
    }

    /** The node was registered, claimed a message, and never wrote a heartbeat. */
    @Test
    void workerRescuesTheClaimsOfADeadNode() {
        QueueRow queue = worker.store().queues().openQueue("rescued");
        enqueuer.enqueue("rescued", new Step("done", 1), options().orderingKey("o"));
        int dead = worker.store().nodes().register(new NodeRow(Map.of(queue.id(), 1), "gone", "test"));
        long claimed = IntStream.range(0, queue.lanes())
                .mapToLong(lane -> worker.store()
                        .claims()
                        .claimDue(new ClaimRequest(
                                queue.id(), lane, dead, lane + 1, new Budget(10, 10, false), ClaimStrategy.LANES))
                        .messages()
                        .size())
                .sum();
        assertThat(claimed).isEqualTo(1);
        Queue<String> runs = new ConcurrentLinkedQueue<>();
        Engine engine = worker.listener("rescued", (step, delivery) -> run(runs, step, delivery));
        try (engine) {
            engine.start();
            await().atMost(Duration.ofSeconds(30)).until(() -> runs.contains("done1"));
        }
    }

    @Test
    void workerMayNeitherChangeTablesNorReplay() {
        assertThatThrownBy(() -> Schema.create(worker.pool()))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("CREATE command denied", "acidq_schema", "Schema.grants");
        DeadLetter letter = deadLetter("unreplayed");
        assertThatThrownBy(() -> worker.engine().deadLetters().replay(letter.id(), new Operator("ann", "again")))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("INSERT command denied", "acidq_audit", "Schema.grants");
        assertThat(operator.engine().deadLetters().list("unreplayed", 10)).hasSize(1);
    }

    @Test
    void operatorReplaysDiscardsReleasesAndPauses() {
        Engine engine = operator.engine();
        DeadLetter first = deadLetter("edited");
        assertThat(engine.deadLetters().groups("edited", 10)).hasSize(1);
        assertThat(engine.deadLetters().editAndReplay(first, first.payload(), new Operator("ann", "mended")))
                .isTrue();
        assertThat(engine.deadLetters().discard(deadLetter("discarded").id(), new Operator("ann", "obsolete")))
                .isTrue();
        deadLetter("replayed");
        assertThat(engine.deadLetters()
                        .replay(DeadLetterFilter.of("replayed"), BulkAction.by("ann", "all"))
                        .changed())
                .isEqualTo(1);
        assertThat(engine.control().pause("edited", new Operator("ann", "why not")))
                .isTrue();
        assertThat(engine.control().resume("edited", new Operator("ann", "why not")))
                .isTrue();
        assertThat(engine.backlog("edited").ready()).isEqualTo(1);
        assertThat(engine.why(first.id()).text()).isNotEmpty();
        assertThat(engine.audit().of(first.id())).isNotEmpty();
        assertThat(engine.archive().find(first.id())).isEmpty();
    }

    @Test
    void operatorReleasesABlockedKeyWhoseFollowersAreParked() {
        EngineConfig config =
                EngineTests.QUICK.withQueue("parked", QueueConfig.defaults().withOnDeadHead(DeadHeadPolicy.PARK));
        Engine engine = Engine.builder(worker.store())
                .config(config)
                .listen(Listener.on("parked", Step.class, (step, delivery) -> Outcome.dead("no stock")))
                .build();
        try (engine) {
            engine.start();
            enqueuer.enqueue("parked", new Step("head", 1), options().orderingKey("o"));
            enqueuer.enqueue("parked", new Step("next", 1), options().orderingKey("o"));
            await().atMost(Duration.ofSeconds(30))
                    .until(() ->
                            operator.engine().blockedKeys().list("parked", 10).size() == 1);
        }
        BlockedKey blocked = operator.engine().blockedKeys().list("parked", 10).get(0);
        assertThat(operator.engine().blockedKeys().release(blocked, new Operator("ann", "go on")))
                .isTrue();
    }

    @Test
    void operatorGetsTheNamesOfMissingPrivilegesWhenItListens() {
        enqueuer.enqueue("unheard", "text", options());
        Engine engine = Engine.builder(operator.store())
                .listen(Listener.on("unheard", Step.class, (step, delivery) -> Outcome.done()))
                .build();
        assertThatThrownBy(engine::start)
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("command denied", "acidq_", "Schema.grants");
    }

    /** Enqueues a message, dead-letters it, and returns the dead letter. */
    private DeadLetter deadLetter(String queue) {
        Engine engine = worker.listener(queue, (step, delivery) -> Outcome.dead("no stock"));
        try (engine) {
            engine.start();
            enqueuer.enqueue(queue, new Step("dead", 1), options().key("k"));
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> deadLetters(queue).size() == 1);
        }
        return deadLetters(queue).get(0);
    }

    private List<DeadLetter> deadLetters(String queue) {
        return operator.engine().deadLetters().list(queue, 10);
    }

    private void pruneAll() {
        worker.store().maintenance().pruneInbox(10);
        worker.store().maintenance().pruneKeys(10);
        worker.store().maintenance().pruneDead(queue -> Duration.ofDays(1), 10);
        worker.store().maintenance().pruneArchive(10);
        worker.store().maintenance().pruneReceipts(10);
        worker.store().maintenance().pruneAudit(Duration.ofDays(1), 10);
        worker.store().maintenance().pruneNodes(Duration.ofDays(1), 10);
        worker.store().maintenance().pruneCrashes(10);
    }
}
