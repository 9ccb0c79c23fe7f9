package io.acidq.test;

import static io.acidq.EnqueueOptions.options;
import static io.acidq.test.QueueAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.BatchHandler;
import io.acidq.Delivery;
import io.acidq.MessageQueue;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.Recurring;
import io.acidq.Schedule;
import io.acidq.admin.Operator;
import io.acidq.config.Listener;
import io.acidq.engine.Engine;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.resilience.RetryPolicy;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of TestQueue in plain Java, without Spring. */
@ParameterizedClass
@EnumSource(ServerKind.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TestQueueIT {

    record Order(long id) {}

    record Mail(String to) {}

    @Parameter
    ServerKind kind;

    private final List<String> sent = new ArrayList<>();
    private HikariDataSource pool;
    private JdbcTransactions transactions;
    private Engine engine;
    private MessageQueue queue;
    private TestQueue test;
    private int failures;

    @BeforeParameterizedClassInvocation
    void open() throws Exception {
        TestDatabase database = TestServers.get(kind).createDatabase();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(database.username());
        config.setPassword(database.password());
        config.setMaximumPoolSize(6);
        pool = new HikariDataSource(config);
        Schema.create(pool);
        transactions = new JdbcTransactions(pool);
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE effect (id BIGINT NOT NULL)");
        }
        RetryPolicy retry = RetryPolicy.defaults()
                .withMaxAttempts(3)
                .withFixedBackoff(Duration.ofHours(1))
                .withJitter(0);
        engine = Engine.builder(MyBatisStore.over(pool, transactions))
                .listen(Listener.on("order", Order.class, this::order).withRetry(retry))
                .listen(Listener.on("mail", Mail.class, this::mail)
                        .withRetry(retry)
                        .external())
                .recurring(Recurring.message("nightly", Schedule.every(Duration.ofDays(1)), "mail")
                        .withPayload(new Mail("report"))
                        .withGrace(Duration.ofHours(1)))
                .listen(Listener.onBatch("bulk", Order.class, 10, this::bulk).withRetry(retry))
                .build();
        queue = engine.queue();
        test = TestQueue.of(engine);
    }

    @AfterParameterizedClassInvocation
    void close() {
        pool.close();
    }

    @BeforeEach
    void empty() throws Exception {
        failures = 0;
        transactions.run(() -> sql("DELETE FROM effect"));
        test.clear();
        sent.clear();
    }

    private Outcome order(Order order, Delivery delivery) throws Exception {
        sql("INSERT INTO effect VALUES (" + order.id() + ")");
        if (failures > 0) {
            failures--;
            throw new IllegalStateException("out of stock");
        }
        if (order.id() == 7) {
            queue.enqueue("mail", new Mail("seven"));
        }
        return Outcome.done();
    }

    private Outcome mail(Mail mail, Delivery delivery) {
        sent.add(mail.to());
        return Outcome.done();
    }

    private List<Outcome> bulk(List<BatchHandler.Item<Order>> items) throws Exception {
        for (BatchHandler.Item<Order> item : items) {
            sql("INSERT INTO effect VALUES (" + item.payload().id() + ")");
        }
        return BatchHandler.allDone(items);
    }

    private void sql(String sql) throws SQLException {
        try (Statement statement = transactions.connection().createStatement()) {
            statement.execute(sql);
        }
    }

    private int count(String table) {
        try {
            return transactions.call(() -> {
                try (Statement statement = transactions.connection().createStatement();
                        ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
                    row.next();
                    return row.getInt(1);
                }
            });
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void enqueue(String name, Object payload) {
        transactions.run(() -> queue.enqueue(name, payload));
    }

    /** Ends the test's transaction as Spring's test support does. */
    private void rolledBack(JdbcTransactions.TransactionWork<Exception> work) {
        class Over extends RuntimeException {}
        assertThatThrownBy(() -> transactions.run(() -> {
                    work.run();
                    throw new Over();
                }))
                .isInstanceOf(Over.class);
    }

    @Test
    void findsWhatIsEnqueuedByAllThatItWasEnqueuedWith() {
        transactions.run(() -> {
            queue.enqueue(
                    "order",
                    new Order(1),
                    options()
                            .key("k")
                            .orderingKey("o")
                            .delay(Duration.ofDays(2))
                            .header("a", "b"));
            queue.enqueue("bulk", new Order(2));
            // snippet:enqueued
            assertThat(test)
                    .enqueued(Order.class)
                    .inQueue("order")
                    .withKey("k")
                    .withOrderingKey("o")
                    .withHeader("a", "b")
                    .withDelay(Duration.ofDays(2))
                    .withPayload(new Order(1))
                    .satisfying(o -> assertThat(o.id()).isEqualTo(1))
                    .once();
            // /snippet
        });
        assertThat(test).enqueued(Order.class).times(2);
        assertThat(test).notEnqueued(Mail.class).notEnqueued(Order.class, o -> o.id() == 3);
    }

    @Test
    void triggersARecurringMessageAndEnqueuesDueTicks() {
        // snippet:recurring
        test.trigger("nightly");
        assertThat(test).enqueued(Mail.class).inQueue("mail").once();
        test.drain().allDone();

        test.clock().advance(Duration.ofDays(1));
        test.enqueueDueTicks();
        test.drain().allDone();
        // /snippet
        assertThat(sent).containsExactly("report", "report");
        test.enqueueDueTicks();
        assertThat(test.messages()).isEmpty();
    }

    @Test
    void undoesATriggerAndATickWithTheTransactionOfTheTest() {
        rolledBack(() -> {
            test.trigger("nightly");
            test.clock().advance(Duration.ofDays(1));
            test.enqueueDueTicks();
            assertThat(test).enqueued(Mail.class).times(2);
            test.drain().allDone();
        });
        assertThat(sent).containsExactly("report", "report");
        assertThat(test.messages()).isEmpty();
    }

    @Test
    void failsWithAListOfWhatIsEnqueued() {
        transactions.run(() -> queue.enqueue("order", new Order(1), options().key("k")));
        assertThatThrownBy(() -> assertThat(test).enqueued(Order.class).withKey("other"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("key 'other'", "'order'", "key 'k'", "{\"id\":1}");
        assertThatThrownBy(() -> assertThat(test).enqueued(Mail.class)).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> assertThat(test).enqueued(Order.class).times(2))
                .hasMessageContaining("2 times, found 1");
        assertThatThrownBy(() -> assertThat(test).enqueued(Order.class).withDelay(Duration.ofDays(1)))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> assertThat(test).notEnqueued(Order.class)).hasMessageContaining("key 'k'");
        assertThatThrownBy(() -> assertThat(test).isEmpty()).hasMessageContaining("key 'k'");
    }

    @Test
    void drainsWhatIsDueAndWhatHandlersEnqueueAndNothingElse() {
        enqueue("order", new Order(7));
        transactions.run(() -> queue.enqueue("order", new Order(8), options().delay(Duration.ofMinutes(1))));
        // snippet:drain
        DrainResult result = test.drain();
        assertThat(result.done()).isEqualTo(2);
        assertThat(result.allDone()).isSameAs(result);
        // /snippet
        assertThat(sent).containsExactly("seven");
        assertThat(count("effect")).isEqualTo(1);
        assertThat(test).enqueued(Order.class).withPayload(new Order(8)).once();
        assertThat(count("acidq_node WHERE state = 'ALIVE'")).isZero();
    }

    @Test
    void drainsOnlyTheQueuesThatAreNamedAndKnowsThem() {
        enqueue("order", new Order(1));
        enqueue("mail", new Mail("a"));
        assertThat(test.drain("mail").done()).isEqualTo(1);
        assertThat(test).enqueued(Order.class).once();
        assertThatThrownBy(() -> test.drain("oder"))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("'oder'", "order");
        assertThatThrownBy(() -> test.drainIncludingScheduled("oder")).isInstanceOf(QueueMisuseException.class);
    }

    @Test
    void runsABatchInOneTransaction() {
        transactions.run(() -> {
            for (int i = 0; i < 4; i++) {
                queue.enqueue("bulk", new Order(i));
            }
        });
        assertThat(test.drain().done()).isEqualTo(4);
        assertThat(count("effect")).isEqualTo(4);
    }

    @Test
    void tellsWhatHandlersThrewAndRollsTheirEffectsBack() {
        failures = 1;
        enqueue("order", new Order(1));
        DrainResult result = test.drain();
        assertThat(result.retried()).isEqualTo(1);
        assertThat(result.failures())
                .singleElement()
                .satisfies(f -> assertThat(f.thrown()).hasMessage("out of stock"));
        assertThatThrownBy(result::allDone).isInstanceOf(AssertionError.class).hasRootCauseMessage("out of stock");
        assertThat(count("effect")).isZero();
    }

    @Test
    void letsTimePassForDelaysAndBackoffs() {
        failures = 1;
        transactions.run(() -> queue.enqueue("order", new Order(1), options().delay(Duration.ofDays(3))));
        // snippet:clock
        test.clock().advance(Duration.ofDays(3).minusMinutes(1));
        assertThat(test.drain().ended()).isEmpty();
        test.clock().advance(Duration.ofMinutes(1));
        assertThat(test.drain().retried()).isEqualTo(1);
        // /snippet
        assertThat(test.drain().ended()).isEmpty();
        test.clock().advance(Duration.ofHours(1));
        assertThat(test.drain().done()).isEqualTo(1);
        assertThat(count("effect")).isEqualTo(1);
    }

    @Test
    void letsMessagesExpireWhenTheirTimeHasPassed() {
        transactions.run(() -> {
            queue.enqueue("order", new Order(1), options().expiresAfter(Duration.ofHours(1)));
            queue.enqueue("order", new Order(2), options().expiresAfter(Duration.ofHours(3)));
        });
        test.clock().advance(Duration.ofHours(2));
        assertThat(test.drain().done()).isEqualTo(1);
        assertThat(test).isEmpty();
        assertThat(count("effect")).isEqualTo(1);
    }

    @Test
    void endsTheWindowOfAKeyWhenItsTimeHasPassed() {
        transactions.run(() -> queue.enqueue("mail", new Mail("a"), options().key("k")));
        test.drain();
        transactions.run(() -> queue.enqueue("mail", new Mail("b"), options().key("k")));
        assertThat(test).isEmpty();
        test.clock().advance(Duration.ofDays(8));
        transactions.run(() -> queue.enqueue("mail", new Mail("c"), options().key("k")));
        assertThat(test).enqueued(Mail.class).withPayload(new Mail("c"));
    }

    @Test
    void drainsThroughAllRetriesToTheDeadLetter() {
        failures = 3;
        enqueue("order", new Order(1));
        DrainResult result = test.drainIncludingScheduled();
        assertThat(result.retried()).isEqualTo(2);
        assertThat(result.dead()).isEqualTo(1);
        assertThat(result.failures()).hasSize(3);
        assertThat(test).isEmpty();
    }

    @Test
    void doesEverythingInsideTheTestsTransactionAndLeavesNothing() {
        enqueue("mail", new Mail("before"));
        test.drain();
        int nodes = count("acidq_node");
        rolledBack(() -> {
            failures = 1;
            queue.enqueue("order", new Order(7), options().orderingKey("o"));
            queue.enqueue("bulk", new Order(8));
            queue.enqueue("order", new Order(9), options().delay(Duration.ofDays(1)));
            DrainResult first = test.drain();
            assertThat(first.retried()).isEqualTo(1);
            assertThat(first.done()).isEqualTo(1);
            assertThat(count("effect")).isEqualTo(1); // the failed one's was taken back to the savepoint
            assertThat(test.drainIncludingScheduled().done()).isEqualTo(3);
            assertThat(count("effect")).isEqualTo(3);
            assertThat(test).isEmpty();
        });
        assertThat(sent).containsExactly("before", "seven");
        assertThat(count("effect")).isZero();
        assertThat(test).isEmpty();
        assertThat(count("acidq_node")).isEqualTo(nodes);
        assertThat(count("acidq_scheduled")).isZero();
    }

    @Test
    void seesAQueueThatIsNewerThanTheTestsSnapshot() {
        rolledBack(() -> {
            assertThat(count("acidq_queue")).isPositive(); // at REPEATABLE READ nothing later is seen
            queue.enqueue("fresh-" + System.nanoTime(), new Order(1));
            assertThat(test).enqueued(Order.class).once();
        });
    }

    @Test
    void runsAgainWhatTheProcessDiedOverAndNothingTwice() {
        enqueue("order", new Order(1));
        // snippet:crash
        DrainResult crashed = test.crashAt(CrashPoint.BEFORE_COMMIT).drain();
        assertThat(crashed.crashedAt()).contains(CrashPoint.BEFORE_COMMIT);
        assertThat(crashed.ended()).isEmpty();
        assertThat(count("effect")).isZero();
        // /snippet
        assertThat(count("acidq_message WHERE owner <> 0")).isEqualTo(1);
        assertThat(test.drain().done()).isEqualTo(1);
        assertThat(count("effect")).isEqualTo(1);
    }

    @Test
    void startsNothingAfterADeath() {
        transactions.run(() -> {
            queue.enqueue("mail", new Mail("a"));
            queue.enqueue("mail", new Mail("b"));
        });
        test.crashAt(CrashPoint.AFTER_CLAIM).drain();
        assertThat(sent).isEmpty();
        test.crashAt(CrashPoint.AFTER_HANDLER).drain();
        assertThat(sent).hasSize(1);
        test.drain().allDone();
        assertThat(sent).hasSize(3); // at least once: the one whose process died after its handler ran twice
    }

    @Test
    void showsThatAHandlerIsExactlyOnceOrIsNot() {
        List<CrashPoint> crashPoints = new ArrayList<>();
        // snippet:once
        test.assertExactlyOnce(() -> queue.enqueue("order", new Order(1)), crashPoint -> {
            crashPoints.add(crashPoint);
            assertThat(count("effect")).isEqualTo(crashPoints.size());
        });
        // /snippet
        assertThat(crashPoints).containsExactly(CrashPoint.values());
        rolledBack(() -> {
            int before = count("effect");
            crashPoints.clear();
            test.assertExactlyOnce(() -> queue.enqueue("order", new Order(1)), crashPoint -> {
                crashPoints.add(crashPoint);
                assertThat(count("effect")).isEqualTo(before + crashPoints.size());
            });
        });
        assertThatThrownBy(() -> test.assertExactlyOnce(() -> queue.enqueue("mail", new Mail("a")), crashPoint -> {
                    assertThat(sent).hasSize(1);
                    sent.clear();
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("after a crash at AFTER_HANDLER");
        assertThatThrownBy(() -> test.assertExactlyOnce(() -> {}, crashPoint -> {}))
                .hasMessageContaining("never reached AFTER_CLAIM");
    }

    @Test
    void runsInlineAfterTheCommitAndNeverAfterARollback() {
        // snippet:inline
        InlineProcessing inlineProcessing = new InlineProcessing();
        List<String> got = new ArrayList<>();
        Engine mailing = Engine.builder(inlineProcessing.over(MyBatisStore.over(pool, transactions)))
                .listen(Listener.on("inline", Mail.class, (mail, delivery) -> {
                    got.add(mail.to());
                    if (mail.to().equals("bad")) {
                        throw new IllegalStateException("no such address");
                    }
                    return Outcome.done();
                }))
                .build();
        inlineProcessing.start(mailing);
        // /snippet
        transactions.run(() -> {
            mailing.queue().enqueue("inline", new Mail("a"));
            assertThat(got).isEmpty();
        });
        assertThat(got).containsExactly("a");
        assertThat(inlineProcessing.result().done()).isEqualTo(1);
        rolledBack(() -> mailing.queue().enqueue("inline", new Mail("b")));
        assertThat(got).containsExactly("a");
        transactions.run(() -> mailing.queue().enqueue("inline", new Mail("bad")));
        assertThat(inlineProcessing.result().retried()).isEqualTo(1);
        assertThat(inlineProcessing.result().ended()).isEmpty();
    }

    @Test
    void runsWhatAnotherThreadCommitsInTheRunThatIsUnderWay() {
        InlineProcessing inlineProcessing = new InlineProcessing();
        List<String> got = new CopyOnWriteArrayList<>();
        Engine fanning = fanning(inlineProcessing, got);
        TestQueue own = inlineProcessing.start(fanning);
        transactions.run(() -> fanning.queue().enqueue("fan", new Mail("a")));
        assertThat(got).containsExactly("late a");
        assertThat(inlineProcessing.result().allDone().done()).isEqualTo(2);

        transactions.run(
                () -> fanning.queue().enqueue("fan", new Mail("b"), options().delay(Duration.ofHours(1))));
        own.clock().advance(Duration.ofHours(1));
        assertThat(own.drain("fan").allDone().done()).isEqualTo(2);
        assertThat(got).containsExactly("late a", "late b");
        assertThat(inlineProcessing.result().ended()).isEmpty();
        assertThat(own).isEmpty();
    }

    /** A handler that waits for another thread, which publishes. */
    private Engine fanning(InlineProcessing inlineProcessing, List<String> got) {
        AtomicReference<MessageQueue> late = new AtomicReference<>();
        Engine fanning = Engine.builder(inlineProcessing.over(MyBatisStore.over(pool, transactions)))
                .listen(Listener.on("fan", Mail.class, (mail, delivery) -> {
                            CompletableFuture.runAsync(() -> transactions.run(
                                            () -> late.get().enqueue("late", new Mail("late " + mail.to()))))
                                    .get(20, TimeUnit.SECONDS);
                            return Outcome.done();
                        })
                        .external())
                .listen(Listener.on("late", Mail.class, (mail, delivery) -> {
                    got.add(mail.to());
                    return Outcome.done();
                }))
                .build();
        late.set(fanning.queue());
        return fanning;
    }

    @Test
    void emptiesTheQueuesForTheNextTest() {
        failures = 3;
        transactions.run(() -> {
            queue.enqueue("order", new Order(1));
            queue.enqueue("mail", new Mail("a"), options().key("k"));
            engine.inbox().once("mailer", "k", () -> {});
        });
        test.drainIncludingScheduled("order");
        transactions.run(() -> queue.enqueue("mail", new Mail("b"), options().delay(Duration.ofDays(1))));
        engine.control().pause("mail", new Operator("me", "a test of it"));
        engine.listener("order").pause();
        rolledBack(() -> {
            sql("SELECT 1");
            test.clear();
            assertThat(test).isEmpty();
        });
        assertThat(test).enqueued(Mail.class).times(2);
        test.crashAt(CrashPoint.AFTER_CLAIM);
        test.clear();
        assertThat(test).isEmpty();
        for (String table : List.of("message", "scheduled", "key", "inbox", "dead")) {
            assertThat(count("acidq_" + table)).isZero();
        }
        enqueue("order", new Order(2));
        transactions.run(() -> queue.enqueue("mail", new Mail("c"), options().key("k")));
        DrainResult result = test.drain().allDone();
        assertThat(result.done()).isEqualTo(2);
        assertThat(result.heldBack()).isEmpty();
    }

    @Test
    void holdsBackWhatAPausedListenerWouldRun() {
        enqueue("mail", new Mail("a"));
        engine.listener("mail").pause();
        DrainResult held = test.drain();
        assertThat(held.ended()).isEmpty();
        assertThat(held.heldBack()).containsExactly("mail: its listener is paused");
        engine.listener("mail").resume();
        assertThat(test.drain().done()).isEqualTo(1);
    }

    @Test
    void freesTheKeysOfAPointForTheNext() {
        List<CrashPoint> crashPoints = new ArrayList<>();
        test.assertExactlyOnce(
                () -> {
                    queue.enqueue("order", new Order(1), options().key("k"));
                    engine.inbox().once("shop", "k", () -> crashPoints.add(CrashPoint.AFTER_CLAIM));
                },
                crashPoint -> assertThat(count("effect")).isEqualTo(crashPoints.size()));
        assertThat(crashPoints).hasSize(CrashPoint.values().length);
        transactions.run(() -> queue.enqueue("order", new Order(1), options().key("k")));
        test.drain();
        assertThatThrownBy(() -> test.assertExactlyOnce(
                        () -> queue.enqueue("order", new Order(1), options().key("k")), crashPoint -> test.clear()))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void saysWhatIsWrongWithWhatItIsGiven() {
        enqueue("order", new Order(1));
        assertThatThrownBy(() -> assertThat(test)
                        .enqueued(Order.class)
                        .satisfying(order -> assertThat(order.id()).isEqualTo(2)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("satisfies the assertions", "not satisfied:", "2L");
        assertThatThrownBy(() -> test.crashAt(null))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("BEFORE_COMMIT");
        assertThatThrownBy(() -> test.clock().advance(null))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("null");
        assertThatThrownBy(() -> test.clock().advance(Duration.ofDays(5000 * 365L)))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("a hundred years");
        assertThatThrownBy(() -> assertThat(test).enqueued(null))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("enqueued(Order.class)");
        assertThatThrownBy(() -> assertThat(test).notEnqueued(null)).isInstanceOf(QueueMisuseException.class);
        assertThatThrownBy(() -> test.drain((String) null)).isInstanceOf(QueueMisuseException.class);
    }

    @Test
    void refusesAHandlerThatDrains() {
        Engine nesting = Engine.builder(MyBatisStore.over(pool, transactions))
                .listen(Listener.on("nested", Mail.class, (mail, delivery) -> {
                    test.drain();
                    return Outcome.done();
                }))
                .build();
        TestQueue own = TestQueue.of(nesting);
        TestQueue outer = test;
        try {
            test = own;
            transactions.run(() -> nesting.queue().enqueue("nested", new Mail("a")));
            assertThat(own.drain().failures())
                    .singleElement()
                    .satisfies(f -> assertThat(f.thrown()).hasMessageContaining("do not drain in a handler"));
        } finally {
            test = outer;
        }
    }

    @Test
    void publishesToTheListenersOfTopics() {
        Engine publishing = Engine.builder(MyBatisStore.over(pool, transactions))
                .listen(Listener.onTopic("order.placed", "mail", Mail.class, this::mail))
                .build();
        TestQueue own = TestQueue.of(publishing);
        transactions.run(() -> publishing.queue().publish("order.placed", new Mail("ann")));
        own.drain().allDone();
        assertThat(sent).containsExactly("ann");
    }

    @Test
    void refusesAnEngineThatIsStarted() {
        try (Engine started =
                Engine.builder(MyBatisStore.over(pool, transactions)).build()) {
            started.start();
            assertThatThrownBy(() -> TestQueue.of(started))
                    .isInstanceOf(QueueMisuseException.class)
                    .hasMessageContaining("the engine is running");
        }
    }
}
