package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.NewMessage;
import io.acidq.engine.enqueue.LaneAssignment;
import io.acidq.resilience.RetryPolicy;
import io.acidq.store.ClaimStore.Budget;
import io.acidq.store.ClaimStore.ClaimRequest;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.NodeStore.NodeRow;
import io.acidq.store.QueueStore;
import io.acidq.store.QueueStore.QueueRow;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The eight sentences on order, on a real server: many claimers on few keys, for one message per key proves nothing. */
class OrderIT extends FreshEngineTests {

    private static final String Q = "ordered";
    private static final int CLAIMERS = 8;
    private static final int LATE = 60;
    private static final RetryPolicy SOON =
            RetryPolicy.defaults().withMaxAttempts(50).withBackoff(Duration.ofMillis(1), 1.5, Duration.ofMillis(20));

    private final Map<String, AtomicInteger> running = new ConcurrentHashMap<>();
    private final Queue<String> overlaps = new ConcurrentLinkedQueue<>();

    /** Takes some five seconds: a key runs one message at a time, and many of them are tried again. */
    @ParameterizedTest
    @ValueSource(ints = 3)
    void runsEachKeyOneAtATimeInCommitOrderWithFailuresAndLateCommits(int keys) throws Exception {
        int perKey = 240 / keys + 20;
        Random dice = new Random(42);
        for (int i = 0; i < CLAIMERS; i++) {
            claimer((step, delivery) -> {
                if (dice.nextInt(10) == 0) {
                    throw new IllegalStateException("chance");
                }
                return effect(step, delivery);
            });
        }
        Semaphore placed = new Semaphore(0);
        ExecutorService threads = Executors.newFixedThreadPool(5);
        Future<?> late = threads.submit(() -> lateTransactions(placed));
        List<Future<?>> producers = new ArrayList<>();
        for (int p = 0; p < 4; p++) {
            int producer = p;
            producers.add(threads.submit(() -> {
                for (int seq = 1; seq <= perKey; seq++) {
                    enqueueOrdered(Q, "mixed", seq);
                    for (int key = producer; key < keys; key += 4) {
                        enqueueOrdered(Q, "key-" + key, seq);
                    }
                    placed.release();
                }
                return null;
            }));
        }
        for (Future<?> producer : producers) {
            producer.get(3, TimeUnit.MINUTES);
        }
        placed.release(1_000_000);
        late.get(1, TimeUnit.MINUTES);
        threads.shutdown();
        awaitDrained();
        assertThat(overlaps).isEmpty();
        assertThat(rows("effect WHERE k = 'mixed'")).isEqualTo(4L * perKey + LATE);
        IntStream.range(0, keys).forEach(k -> assertInOrder("key-" + k, perKey));
        IntStream.range(0, 5).forEach(k -> assertInOrder("late-" + k, LATE));
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(ints = {1, 100})
    void runsEachKeyOneAtATimeInCommitOrderWithOneKeyAndWithMany(int keys) throws Exception {
        runsEachKeyOneAtATimeInCommitOrderWithFailuresAndLateCommits(keys);
    }

    /** One after the other, transactions whose messages have low ids and become visible late, among those that run. */
    private Void lateTransactions(Semaphore placed) throws Exception {
        for (int round = 1; round <= LATE; round++) {
            int seq = round;
            transactions.call(() -> {
                // overlaps with the others of its key, so its order is undefined; but it must not run beside them
                queue().enqueue(Q, new Step("mixed", -seq), options().orderingKey("mixed"));
                for (int k = 0; k < 5; k++) {
                    enqueueOrdered(Q, "late-" + k, seq);
                }
                return placed.tryAcquire(3, 1, TimeUnit.MINUTES);
            });
        }
        return null;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void keepsAllWorkersBusyWhileAsManyKeysHaveABacklog(boolean oneLane) throws Exception {
        int workers = 8;
        int perKey = 60;
        List<String> keys = oneLane
                ? keysOfOneLane(Q, workers)
                : IntStream.range(0, workers).mapToObj(k -> "key-" + k).toList();
        for (String key : keys) { // one key after the other, so that the heads of the others lie deep
            placeOrdered(Q, key, perKey);
        }
        CyclicBarrier allWork = new CyclicBarrier(workers);
        AtomicInteger alone = new AtomicInteger();
        listen(on(Q, (step, delivery) -> {
                    try {
                        allWork.await(20, TimeUnit.SECONDS);
                    } catch (BrokenBarrierException | TimeoutException idle) {
                        alone.incrementAndGet();
                    }
                    return effect(step, delivery);
                })
                .withConcurrency(workers));
        awaitDrained();
        assertThat(alone).hasValue(0);
        keys.forEach(key -> assertInOrder(key, perKey));
    }

    @Test
    void findsASecondKeyOfALaneBehindALongBacklogOfTheFirst() throws Exception {
        List<String> keys = keysOfOneLane(Q, 2);
        int backlog = 3000;
        placeOrdered(Q, keys.get(0), backlog);
        enqueue(Q, new Step(keys.get(1), 1), options().orderingKey(keys.get(1)));
        AtomicInteger before = new AtomicInteger();
        AtomicInteger beforeTheOther = new AtomicInteger(backlog);
        listen(on(Q, (step, delivery) -> {
                    if (step.k().equals(keys.get(1))) {
                        beforeTheOther.set(before.get());
                    }
                    before.incrementAndGet();
                    return effect(step, delivery);
                })
                .withConcurrency(4));
        awaitDrained();
        assertThat(beforeTheOther.get()).isLessThan(backlog / 2);
        assertInOrder(keys.get(0), backlog);
    }

    /** Takes some five seconds: only thousands of messages in one transaction hide the head from the lane's first read. */
    @Test
    void startsNoFollowerWhileALateTransactionHidesItsRunningHead() throws Exception {
        List<String> sameLane = keysOfOneLane(Q, 4);
        String hidden = sameLane.get(3);
        CountDownLatch open = new CountDownLatch(1);
        CountDownLatch mayCommit = new CountDownLatch(1);
        CountDownLatch headRuns = new CountDownLatch(1);
        CountDownLatch headMayEnd = new CountDownLatch(1);
        ExecutorService thread = Executors.newSingleThreadExecutor();
        Future<?> late = thread.submit(() -> transactions.call(() -> {
            queue().enqueueAll(
                            Q,
                            IntStream.range(0, 3000)
                                    .mapToObj(i -> new NewMessage(
                                            new Step(sameLane.get(i % 3), i),
                                            options().orderingKey(sameLane.get(i % 3))))
                                    .toList());
            open.countDown();
            return mayCommit.await(1, TimeUnit.MINUTES);
        }));
        assertThat(open.await(1, TimeUnit.MINUTES)).isTrue();
        for (int i = 0; i < CLAIMERS; i++) {
            claimer((step, delivery) -> {
                if (step.k().equals(hidden) && step.seq() == 1) {
                    headRuns.countDown();
                    headMayEnd.await();
                }
                return effect(step, delivery);
            });
        }
        enqueueOrdered(Q, hidden, 1);
        assertThat(headRuns.await(30, TimeUnit.SECONDS)).isTrue();
        mayCommit.countDown();
        late.get(1, TimeUnit.MINUTES);
        enqueueOrdered(Q, hidden, 2);
        awaitRows("effect", 3000);
        assertThat(running.get(hidden)).as("only the head runs").hasValue(1);
        headMayEnd.countDown();
        thread.shutdown();
        awaitDrained();
        assertThat(overlaps).isEmpty();
        assertInOrder(hidden, 2);
    }

    @Test
    void startsNoMessageOfALateTransactionBesideItsRunningKeyEvenWithALowerId() throws Exception {
        List<String> sameLane = keysOfOneLane(Q, 2);
        String key = sameLane.get(0);
        String other = sameLane.get(1);
        CountDownLatch open = new CountDownLatch(1);
        CountDownLatch mayCommit = new CountDownLatch(1);
        CountDownLatch headRuns = new CountDownLatch(1);
        CountDownLatch headMayEnd = new CountDownLatch(1);
        ExecutorService thread = Executors.newSingleThreadExecutor();
        Future<?> late = thread.submit(() -> transactions.call(() -> {
            enqueueOrdered(Q, key, 2);
            open.countDown();
            return mayCommit.await(1, TimeUnit.MINUTES);
        }));
        assertThat(open.await(1, TimeUnit.MINUTES)).isTrue();
        for (int i = 0; i < CLAIMERS; i++) {
            claimer((step, delivery) -> {
                if (step.k().equals(key) && step.seq() == 1) {
                    headRuns.countDown();
                    headMayEnd.await();
                }
                return effect(step, delivery);
            });
        }
        enqueueOrdered(Q, key, 1);
        assertThat(headRuns.await(30, TimeUnit.SECONDS)).isTrue();
        mayCommit.countDown();
        late.get(1, TimeUnit.MINUTES);
        for (int seq = 1; seq <= 3; seq++) { // each proves that the lane was claimed from after the late commit
            int placed = seq;
            enqueueOrdered(Q, other, seq);
            awaitRows("effect", placed);
        }
        assertThat(running.get(key)).as("only the head runs").hasValue(1);
        headMayEnd.countDown();
        thread.shutdown();
        awaitDrained();
        assertThat(overlaps).isEmpty();
        assertInOrder(key, 2);
    }

    @Test
    void followsTheOrderOfACallersOwnRowLock() throws Exception {
        sql("CREATE TABLE counter (id INT PRIMARY KEY, n INT) ENGINE=InnoDB");
        sql("INSERT INTO counter VALUES (1, 0)");
        for (int i = 0; i < CLAIMERS; i++) {
            claimer(this::effect);
        }
        ExecutorService threads = Executors.newFixedThreadPool(6);
        List<Future<?>> producers = new ArrayList<>();
        for (int p = 0; p < 6; p++) {
            producers.add(threads.submit(() -> {
                for (int i = 0; i < 50; i++) {
                    transactions.call(() -> queue().enqueue(
                                    Q,
                                    new Step("contended", nextOfCounter()),
                                    options().orderingKey("contended")));
                }
                return null;
            }));
        }
        for (Future<?> producer : producers) {
            producer.get(2, TimeUnit.MINUTES);
        }
        threads.shutdown();
        awaitDrained();
        assertInOrder("contended", 300);
    }

    private long nextOfCounter() throws SQLException {
        try (var statement = transactions.connection().createStatement()) {
            statement.executeUpdate("UPDATE counter SET n = n + 1 WHERE id = 1");
            try (var row = statement.executeQuery("SELECT n FROM counter WHERE id = 1")) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    /** The eighth sentence: the number of lanes belongs to the queue, not to the nodes. */
    @Test
    void usesTheNumberOfLanesOfTheQueuesRow() throws Exception {
        sql("INSERT INTO acidq_queue (id, name, lanes, created_at) VALUES (" + QueueStore.numberOf(Q) + ", '" + Q
                + "', 3, UTC_TIMESTAMP(6))");
        sql("INSERT INTO acidq_lane (queue, lane) SELECT id, 0 FROM acidq_queue UNION ALL SELECT id, 1 FROM acidq_queue"
                + " UNION ALL SELECT id, 2 FROM acidq_queue");
        for (int i = 0; i < CLAIMERS; i++) {
            claimer(this::effect);
        }
        for (int seq = 1; seq <= 30; seq++) {
            for (int key = 0; key < 10; key++) {
                enqueueOrdered(Q, "key-" + key, seq);
            }
        }
        awaitDrained();
        IntStream.range(0, 10).forEach(key -> assertInOrder("key-" + key, 30));
        assertThat(rows("acidq_lane WHERE claimed_to > 0")).isBetween(1L, 3L);
        assertThat(rows("acidq_lane")).isEqualTo(3);
    }

    @Test
    void givesADelayedMessageItsPlaceWhenItIsDue() throws Exception {
        claimer(this::effect);
        enqueue(Q, new Step("k", 3), options().orderingKey("k").delay(Duration.ofSeconds(1)));
        enqueueOrdered(Q, "k", 1);
        enqueueOrdered(Q, "k", 2);
        awaitRows("effect", 3);
        enqueueOrdered(Q, "k", 4);
        awaitDrained();
        assertInOrder("k", 4);
    }

    @Test
    void keepsTheOrderOfManyMessagesDueAtOnce() throws Exception {
        for (int i = 0; i < CLAIMERS; i++) {
            claimer(this::effect);
        }
        for (int seq = 1; seq <= 700; seq++) { // more than the mover takes at a time
            enqueue(
                    Q,
                    new Step("k", seq),
                    options().orderingKey("k").at(java.time.Instant.parse("2020-01-01T00:00:00Z")));
        }
        awaitDrained();
        assertInOrder("k", 700);
    }

    @Test
    void keepsTheHeadInPlaceThroughItsRetriesAndSkipsItOnceItIsDead() throws Exception {
        Queue<String> runs = new ConcurrentLinkedQueue<>();
        for (int i = 0; i < CLAIMERS; i++) {
            listen(on(Q, (step, delivery) -> {
                        runs.add(step.seq() + "/" + delivery.attempt());
                        if (step.seq() == 1) {
                            throw new IllegalStateException("never");
                        }
                        return effect(step, delivery);
                    })
                    .withRetry(SOON.withMaxAttempts(4)));
        }
        placeOrdered(Q, "k", 5);
        awaitDrained();
        assertThat(runs).containsExactly("1/1", "1/2", "1/3", "1/4", "2/1", "3/1", "4/1", "5/1");
        assertThat(deadLetters().list(Q, 10)).hasSize(1);
    }

    @Test
    void keepsTheOrderWhenTheHeadIsRescuedFromADeadNode() throws Exception {
        QueueRow queue = store.queues().openQueue(Q);
        placeOrdered(Q, "k", 30);
        int dead = store.nodes().register(new NodeRow(Map.of(queue.id(), 4), "test", "test"));
        int lane = LaneAssignment.ofKey(queue, "k");
        assertThat(store.claims()
                        .claimDue(new ClaimRequest(
                                queue.id(), lane, dead, 1, new Budget(10, 10, true), ClaimStrategy.LANES))
                        .messages())
                .hasSize(10);
        for (int i = 0; i < CLAIMERS; i++) {
            claimer(this::effect);
        }
        awaitDrained();
        assertInOrder("k", 30);
    }

    private void claimer(io.acidq.Handler<Step> handler) {
        listen(on(Q, (step, delivery) -> {
                    AtomicInteger now = running.computeIfAbsent(step.k(), k -> new AtomicInteger());
                    if (now.incrementAndGet() != 1) {
                        overlaps.add(step + " overlaps another of its key");
                    }
                    try {
                        return handler.handle(step, delivery);
                    } finally {
                        now.decrementAndGet();
                    }
                })
                .withRetry(SOON));
    }
}
