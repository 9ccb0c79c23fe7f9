package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.BatchHandler;
import io.acidq.Delivery;
import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.admin.DeadLetter;
import io.acidq.config.HandlerOptions;
import io.acidq.config.Listener;
import io.acidq.resilience.RetryPolicy;
import io.acidq.store.Store;
import io.acidq.telemetry.Telemetry;
import io.acidq.testservers.ServerKind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How handlers are run: without a transaction, with a timeout, several in one transaction. On a real server. */
@AnyServer(ServerKind.MYSQL)
class HandlerModesIT extends FreshEngineTests {

    private static final String Q = "runs";
    private static final RetryPolicy SOON =
            RetryPolicy.defaults().withMaxAttempts(3).withBackoff(Duration.ofMillis(1), 1, Duration.ofMillis(1));

    // ---- external mode

    @Test
    void runsAnExternalHandlerWithoutATransactionAndAcknowledgesAfterwards() throws Exception {
        AtomicBoolean inTransaction = new AtomicBoolean(true);
        AtomicBoolean mine = new AtomicBoolean();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        listen(on(Q, (step, delivery) -> {
                    inTransaction.set(transactions.current() != null);
                    mine.set(delivery.stillMine());
                    inside.countDown();
                    go.await();
                    return Outcome.done();
                })
                .external());
        enqueue(Q, new Step("a", 1));
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(rows("acidq_message WHERE owner <> 0")).isEqualTo(1);
        go.countDown();
        awaitDrained();
        assertThat(inTransaction).isFalse();
        assertThat(mine).isTrue();
    }

    @Test
    void reportsALostClaimToAnExternalHandlerAndRefusesItsAcknowledgement() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch taken = new CountDownLatch(1);
        Queue<Boolean> stillMine = new ConcurrentLinkedQueue<>();
        RecordedTelemetry telemetry = new RecordedTelemetry();
        engine(e -> e.telemetry(telemetry)
                .listen(on(Q, (step, delivery) -> {
                            if (delivery.claimNo() == 1) {
                                inside.countDown();
                                taken.await();
                                stillMine.add(delivery.stillMine());
                            }
                            return Outcome.done();
                        })
                        .external()
                        .withConcurrency(1)));
        enqueue(Q, new Step("a", 1));
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
        sql("UPDATE acidq_message SET owner = 0"); // as a rescuer does that believes the node dead
        taken.countDown();
        awaitDrained();
        assertThat(stillMine).containsExactly(false);
        awaitUntil(() -> telemetry.fenced.size() == 1);
    }

    // ---- timeout

    @Test
    void interruptsAHandlerAtItsLimitRollsItBackAndCountsTheAttempt() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        listen(on(Q, (step, delivery) -> {
                    calls.incrementAndGet();
                    insertEffect(step, delivery.node());
                    new CountDownLatch(1).await();
                    return Outcome.done();
                })
                .withTimeout(Duration.ofMillis(100))
                .withRetry(SOON));
        enqueue(Q, new Step("endless", 1));
        awaitUntil(() -> dead().size() == 1);
        assertThat(calls).hasValue(3);
        assertThat(dead().get(0).attempts()).isEqualTo(3);
        assertThat(dead().get(0).error())
                .contains("timeout of PT0.1S", "stopped", InterruptedException.class.getName());
        assertThat(effects()).isZero();
    }

    @Test
    void doesNotInterruptTheNextRunWhenAHandlerSwallowsTheInterrupt() throws Exception {
        listen(on(Q, (step, delivery) -> {
                    if (step.seq() == 1) {
                        try {
                            new CountDownLatch(1).await();
                        } catch (InterruptedException e1) {
                            return effect(step, delivery);
                        }
                    }
                    assertThat(Thread.currentThread().isInterrupted()).isFalse();
                    return effect(step, delivery);
                })
                .withConcurrency(1)
                .withTimeout(Duration.ofMillis(100))
                .withRetry(ONE_ATTEMPT));
        place(Q, 1, 3);
        awaitDrained();
        assertThat(effects())
                .as("late, but done: its transaction held to the end")
                .isEqualTo(3);
        assertThat(dead()).isEmpty();
    }

    @Test
    void breaksTheConnectionOfAHandlerThatWaitsInTheDatabase() throws Exception {
        sql("CREATE TABLE guarded (id INT PRIMARY KEY) ENGINE=InnoDB");
        sql("INSERT INTO guarded VALUES (1)");
        listen(on(Q, (step, delivery) -> {
                    insertEffect(step, delivery.node());
                    try (var statement = transactions.connection().createStatement()) {
                        statement.execute("SET SESSION innodb_lock_wait_timeout = 600");
                        statement.execute("SELECT * FROM guarded FOR UPDATE");
                    }
                    return Outcome.done();
                })
                .withConcurrency(1)
                .withOptions(HandlerOptions.defaults().withTimeout(Duration.ofMillis(100), Duration.ofMillis(200)))
                .withRetry(ONE_ATTEMPT));
        transactions.run(() -> {
            try (var statement = transactions.connection().createStatement()) {
                statement.execute("SELECT * FROM guarded FOR UPDATE");
            }
            transactions.inNew(() -> queue().enqueue(Q, new Step("waits", 1), options()));
            awaitUntil(() -> dead().size() == 1);
        });
        assertThat(dead().get(0).error()).contains("timeout");
        assertThat(effects()).isZero();
        await("the pool has its connections back, but for the heartbeat's and those kept ready")
                .atMost(Duration.ofSeconds(30))
                .until(() -> pool.getHikariPoolMXBean().getActiveConnections() <= 6);
    }

    @Test
    void keepsTheOrderOfAKeyWhoseHeadIsAbandoned() throws Exception {
        AtomicBoolean ignoresInterrupt = new AtomicBoolean(true);
        listen(on(Q, (step, delivery) -> {
                    while (step.seq() == 1 && delivery.attempt() == 1 && ignoresInterrupt.get()) {
                        Thread.onSpinWait();
                    }
                    return effect(step, delivery);
                })
                .withConcurrency(4)
                .withOptions(HandlerOptions.defaults().withTimeout(Duration.ofMillis(500), Duration.ofMillis(50)))
                .withRetry(SOON));
        place(Q, 10, i -> options().orderingKey("k"));
        awaitDrained();
        ignoresInterrupt.set(false);
        assertThat(strings("SELECT seq FROM effect ORDER BY id"))
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, 10).mapToObj(Long::toString).toList());
    }

    @Test
    void reportsTheOutcomeOfAnAbandonedHandler() throws Exception {
        AtomicBoolean ignoresInterrupt = new AtomicBoolean(true);
        RecordedTelemetry telemetry = new RecordedTelemetry();
        engine(e -> e.telemetry(telemetry)
                .listen(on(Q, (step, delivery) -> {
                            while (ignoresInterrupt.get()) {
                                Thread.onSpinWait();
                            }
                            return Outcome.done();
                        })
                        .withOptions(
                                HandlerOptions.defaults().withTimeout(Duration.ofMillis(50), Duration.ofMillis(50)))
                        .withRetry(SOON.withMaxAttempts(2))));
        place(Q, 1, 1);
        awaitUntil(() -> telemetry.outcomes.size() == 2);
        ignoresInterrupt.set(false);
        assertThat(telemetry.outcomes)
                .extracting(outcome -> outcome.getClass().getSimpleName())
                .containsExactly("Retry", "Dead");
    }

    // ---- several messages in one transaction

    @Test
    void runsSeveralMessagesInOneTransaction() throws Exception {
        Map<Connection, Integer> messagesOf = new ConcurrentHashMap<>(); // each has a connection object of its own
        place(Q, 1, 200);
        listen(on(Q, (step, delivery) -> {
                    messagesOf.merge(transactions.connection(), 1, Integer::sum);
                    return effect(step, delivery);
                })
                .withConcurrency(1)
                .withTransactionSize(20));
        awaitDrained();
        assertThat(effects()).isEqualTo(200);
        assertThat(messagesOf).hasSizeLessThan(100);
        assertThat(messagesOf.values()).allMatch(messages -> messages <= 20).anyMatch(messages -> messages > 1);
    }

    @Test
    void rollsBackOnlyTheEffectsOfAFailedMessageAndCommitsTheOthersOnce() throws Exception {
        Queue<Long> runs = new ConcurrentLinkedQueue<>();
        Queue<Integer> attempts = new ConcurrentLinkedQueue<>();
        listen(on(Q, (step, delivery) -> {
                    runs.add(step.seq());
                    if (step.seq() % 5 != 0) {
                        attempts.add(delivery.attempt());
                    }
                    effect(step, delivery);
                    if (step.seq() % 10 == 0) {
                        throw new IllegalStateException("bad");
                    }
                    return step.seq() % 10 == 5 ? Outcome.dead("asked for") : Outcome.done();
                })
                .withConcurrency(1)
                .withTransactionSize(50)
                .withRetry(SOON.withMaxAttempts(2)));
        place(Q, 1, 100);
        awaitDrained();
        assertThat(effects()).isEqualTo(80);
        assertThat(count("SELECT COUNT(DISTINCT seq) FROM effect WHERE seq % 5 <> 0"))
                .isEqualTo(80);
        assertThat(runs)
                .as("the bad ones twice, and once more the neighbours of the first of them")
                .hasSizeBetween(110, 160);
        assertThat(attempts).containsOnly(1);
        assertThat(dead()).hasSize(20);
    }

    @Test
    void repeatsABatchMessageByMessageAfterADeadlockWithoutUsingUpAnAttempt() throws Exception {
        sql("CREATE TABLE pair (id INT PRIMARY KEY, v INT) ENGINE=InnoDB");
        sql("INSERT INTO pair VALUES (1, 0), (2, 0)");
        CountDownLatch handlerHolds = new CountDownLatch(1);
        CountDownLatch otherHolds = new CountDownLatch(1);
        AtomicBoolean first = new AtomicBoolean(true);
        Queue<Integer> attempts = new ConcurrentLinkedQueue<>();
        place(Q, 1, 10);
        listen(on(Q, (step, delivery) -> {
                    attempts.add(delivery.attempt());
                    effect(step, delivery);
                    if (step.seq() == 5 && first.compareAndSet(true, false)) {
                        touch(1);
                        handlerHolds.countDown();
                        otherHolds.await();
                        touch(2);
                    }
                    return Outcome.done();
                })
                .withConcurrency(1)
                .withTransactionSize(10)
                .withRetry(ONE_ATTEMPT));
        assertThat(handlerHolds.await(30, TimeUnit.SECONDS)).isTrue();
        transactions.run(() -> {
            for (int seq = 1; seq <= 200; seq++) { // the heavier transaction is not the victim
                insertEffect(new Step("ballast", seq), 0);
            }
            touch(2);
            otherHolds.countDown();
            touch(1);
        });
        awaitDrained();
        assertThat(rows("effect WHERE k <> 'ballast'")).isEqualTo(10);
        assertThat(attempts).containsOnly(1);
        assertThat(dead()).isEmpty();
    }

    @Test
    void neverPutsTwoMessagesOfOneKeyIntoATransaction() throws Exception {
        Queue<Long> order = new ConcurrentLinkedQueue<>();
        listen(Listener.onBatch(Q, Step.class, 20, items -> {
                    assertThat(items.stream().map(i -> i.payload().k()).distinct())
                            .hasSize(items.size());
                    for (BatchHandler.Item<Step> item : items) {
                        effect(item.payload(), item.delivery());
                        if (item.payload().k().equals("k0")) {
                            order.add(item.payload().seq());
                        }
                    }
                    return BatchHandler.allDone(items);
                })
                .withConcurrency(4));
        place(Q, 300, i -> options().orderingKey("k" + i % 3));
        awaitDrained();
        assertThat(effects()).isEqualTo(300);
        assertThat(List.copyOf(order)).hasSize(100).isSorted();
        assertThat(dead()).isEmpty();
    }

    @Test
    void findsTheFailingMessageOfABatchListenerByRunningEachAlone() throws Exception {
        Queue<Integer> sizes = new ConcurrentLinkedQueue<>();
        Queue<Integer> spoilt = new ConcurrentLinkedQueue<>();
        Queue<Integer> separated = new ConcurrentLinkedQueue<>();
        place(Q, 1, 50);
        engine(e -> e.telemetry(new Telemetry() {
                    @Override
                    public void batchSplit(String queue, int messages, Throwable failure) {
                        separated.add(messages);
                    }
                })
                .listen(Listener.onBatch(Q, Step.class, 50, items -> {
                            sizes.add(items.size());
                            for (BatchHandler.Item<Step> item : items) {
                                effect(item.payload(), item.delivery());
                                if (item.payload().seq() == 7) {
                                    spoilt.add(items.size());
                                    throw new IllegalStateException("spoils the rest");
                                }
                            }
                            return BatchHandler.allDone(items);
                        })
                        .withConcurrency(1)
                        .withRetry(ONE_ATTEMPT)));
        awaitDrained();
        assertThat(count("SELECT COUNT(DISTINCT seq) FROM effect")).isEqualTo(49);
        assertThat(effects()).isEqualTo(49);
        assertThat(dead()).hasSize(1);
        assertThat(sizes).contains(1).anyMatch(size -> size > 1);
        assertThat(separated)
                .containsExactlyElementsOf(
                        spoilt.stream().filter(size -> size > 1).toList());
    }

    /** The first of the list was blamed, an innocent. */
    @Test
    void failsOnlyTheMessageThatHangsWhenABatchListenerTimesOut() throws Exception {
        listen(Listener.onBatch(Q, Step.class, 10, items -> {
                    for (BatchHandler.Item<Step> item : items) {
                        effect(item.payload(), item.delivery());
                        if (item.payload().seq() == 7) {
                            new CountDownLatch(1).await();
                        }
                    }
                    return BatchHandler.allDone(items);
                })
                .withConcurrency(1)
                .withTimeout(Duration.ofMillis(300))
                .withRetry(ONE_ATTEMPT));
        place(Q, 1, 10);
        awaitDrained();
        assertThat(dead())
                .singleElement()
                .satisfies(letter ->
                        assertThat(new String(letter.payload(), UTF_8)).contains("7"));
        assertThat(strings("SELECT seq FROM effect"))
                .hasSize(9)
                .doesNotHaveDuplicates()
                .doesNotContain("7");
    }

    /** A worker that came back called the handler for messages that were not its own any more. */
    @Test
    void startsNothingMoreFromAnAbandonedBatchCall() throws Exception {
        AtomicBoolean ignoresInterrupt = new AtomicBoolean(true);
        CountDownLatch back = new CountDownLatch(1);
        Queue<Long> lateStarts = new ConcurrentLinkedQueue<>();
        listen(Listener.onBatch(Q, Step.class, 10, items -> {
                    if (!items.get(0).delivery().stillMine()) {
                        lateStarts.add(items.get(0).payload().seq());
                    }
                    for (BatchHandler.Item<Step> item : items) {
                        effect(item.payload(), item.delivery());
                        while (item.payload().seq() == 7 && ignoresInterrupt.get()) {
                            Thread.onSpinWait();
                        }
                    }
                    back.countDown();
                    return BatchHandler.allDone(items);
                })
                .withConcurrency(1)
                .withOptions(HandlerOptions.defaults()
                        .withTransactionSize(10)
                        .withTimeout(Duration.ofMillis(100), Duration.ofMillis(50)))
                .withRetry(ONE_ATTEMPT));
        place(Q, 1, 10);
        awaitUntil(() -> dead().size() == 1 && effects() == 9);
        ignoresInterrupt.set(false);
        assertThat(back.await(30, TimeUnit.SECONDS)).isTrue();
        awaitDrained();
        assertThat(lateStarts).isEmpty();
        assertThat(new String(dead().get(0).payload(), UTF_8)).contains("7");
        assertThat(effects()).isEqualTo(9);
    }

    @Test
    void letsABatchListenerDecideForEachMessage() throws Exception {
        // snippet:batch
        Listener<Step> booking = Listener.onBatch(Q, Step.class, 50, items -> {
            try (PreparedStatement insert =
                    transactions.connection().prepareStatement("INSERT INTO effect (k, seq) VALUES (?, ?)")) {
                List<Outcome> outcomes = new ArrayList<>();
                for (BatchHandler.Item<Step> item : items) {
                    if (item.payload().seq() == 3) {
                        outcomes.add(Outcome.dead("number three is never booked"));
                        continue;
                    }
                    insert.setString(1, item.payload().k());
                    insert.setLong(2, item.payload().seq());
                    insert.addBatch();
                    outcomes.add(Outcome.done());
                }
                insert.executeBatch();
                return outcomes;
            }
        });
        // /snippet
        listen(booking);
        place(Q, 1, 100);
        awaitDrained();
        assertThat(count("SELECT COUNT(DISTINCT seq) FROM effect")).isEqualTo(99);
        assertThat(effects()).isEqualTo(99);
        assertThat(dead()).extracting(DeadLetter::error).containsExactly("number three is never booked");
    }

    @Test
    void deadLettersABatchWhoseListenerReturnsTooFewOutcomes() throws Exception {
        listen(Listener.onBatch(Q, Step.class, 10, items -> List.of())
                .withConcurrency(1)
                .withRetry(ONE_ATTEMPT));
        place(Q, 1, 3);
        awaitUntil(() -> dead().size() == 3);
        assertThat(dead().get(0).error()).contains("one outcome for each of the", "allDone");
    }

    @Test
    void deadLettersAnUndecodableMessageOfABatchAndRunsTheOthers() throws Exception {
        RecordedTelemetry telemetry = new RecordedTelemetry();
        engine(e -> e.telemetry(telemetry)
                .listen(Listener.onBatch(Q, Step.class, 10, items -> {
                            for (BatchHandler.Item<Step> item : items) {
                                effect(item.payload(), item.delivery());
                            }
                            return BatchHandler.allDone(items);
                        })
                        .withConcurrency(1)));
        transactions.call(() -> {
            queue().enqueue(Q, new Step("a", 1));
            queue().enqueue(Q, "no step");
            return queue().enqueue(Q, new Step("a", 3));
        });
        awaitDrained();
        assertThat(effects()).isEqualTo(2);
        assertThat(dead()).hasSize(1);
        awaitUntil(() -> telemetry.outcomes.size() == 3);
        assertThat(telemetry.lastOutcomes.get(dead().get(0).id()))
                .as("the outcome of this message")
                .isInstanceOf(Outcome.Dead.class);
    }

    // ---- who was running when the process died

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void suspectsAllMessagesThatMayHaveBeenRunningWhenTheProcessDied(boolean external) throws Exception {
        Queue<MessageId> inside = new ConcurrentLinkedQueue<>();
        CountDownLatch end = new CountDownLatch(1);
        place(Q, 1, 60);
        Listener<Step> blocked = on(Q, (Step step, Delivery delivery) -> {
                    inside.add(delivery.id());
                    end.await();
                    return Outcome.done();
                })
                .withConcurrency(external ? 6 : 2);
        AtomicBoolean dead = new AtomicBoolean();
        Engine doomed = Engine.builder(untilCrash(store, dead))
                .config(QUICK.withHeartbeat(Duration.ofMinutes(1), 4))
                .listen(external ? blocked.external() : blocked.withTransactionSize(3))
                .build();
        doomed.start();
        awaitUntil(() -> inside.size() == (external ? 6 : 2));
        dead.set(true);
        sql("UPDATE acidq_node SET state = 'DEAD' WHERE id = " + doomed.node());
        Queue<Delivery> rescued = new ConcurrentLinkedQueue<>();
        listen(Q, (step, delivery) -> {
            rescued.add(delivery);
            return Outcome.done();
        });
        awaitDrained();
        Set<MessageId> ran = Set.copyOf(inside); // before what it holds runs on, in vain
        end.countDown();
        doomed.stop(Duration.ZERO);
        Set<MessageId> suspects =
                rescued.stream().filter(d -> d.crashes() == 1).map(Delivery::id).collect(Collectors.toSet());
        assertThat(suspects).containsAll(ran).hasSizeLessThanOrEqualTo(6);
        assertThat(rescued).allMatch(d -> d.attempt() == 1);
    }

    /** The same store, whose claims can not be reached any more once their engine is dead. */
    private static Store untilCrash(Store store, AtomicBoolean dead) {
        return StoreHook.beforeClaims(store, (call, args) -> {
            if (dead.get()) {
                throw new IllegalStateException("this process is dead");
            }
        });
    }

    private void touch(int id) throws SQLException {
        try (var statement = transactions.connection().createStatement()) {
            statement.executeUpdate("UPDATE pair SET v = v + 1 WHERE id = " + id);
        }
    }

    private List<DeadLetter> dead() {
        return deadLetters().list(Q, 100);
    }
}
