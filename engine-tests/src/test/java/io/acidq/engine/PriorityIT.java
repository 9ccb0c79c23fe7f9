package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.Delivery;
import io.acidq.Enqueued;
import io.acidq.MessageQueue;
import io.acidq.MessageRejectedException;
import io.acidq.NewMessage;
import io.acidq.OnDuplicate;
import io.acidq.Outcome;
import io.acidq.Priority;
import io.acidq.QueueMisuseException;
import io.acidq.admin.Operator;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.resilience.Bulkhead;
import io.acidq.resilience.Guard;
import io.acidq.resilience.RetryPolicy;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.QueueStore;
import io.acidq.testservers.ServerKind;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Priorities of messages without an ordering key, on a real server. */
@AnyServer(ServerKind.MYSQL)
class PriorityIT extends FreshEngineTests {

    private static final String Q = "prioritized";

    /** A busy poller searches for other lanes than the known ones every hour, for those of HIGH every minute. */
    private static final EngineConfig RARE_SEARCHES =
            EngineConfig.defaults().withPolling(Duration.ofMinutes(1), Duration.ofHours(1));

    /** The names of the started steps. */
    private final Queue<String> started = new ConcurrentLinkedQueue<>();

    private final Semaphore mayEnd = new Semaphore(0);

    private Enqueued send(Engine from, Priority priority, long seq) {
        return transactions.call(() -> from.queue()
                .enqueue(Q, new Step(priority.name(), seq), options().priority(priority)));
    }

    private Enqueued send(Priority priority, long seq) {
        return send(sender(), priority, seq);
    }

    private void sendAll(Priority priority, long count) {
        enqueueAll(Q, steps(priority.name(), 1, count, options().priority(priority)));
    }

    private Listener<Step> noting(int workers) {
        return on(Q, (step, delivery) -> {
                    started.add(step.k() + step.seq());
                    return effect(step, delivery);
                })
                .withConcurrency(workers);
    }

    /** A listener whose runs wait for a permit each. */
    private Listener<Step> held(int workers) {
        return on(Q, (step, delivery) -> {
                    started.add(step.k() + step.seq());
                    mayEnd.acquire();
                    return effect(step, delivery);
                })
                .withConcurrency(workers);
    }

    private void awaitStarted(int count) {
        awaitUntil(() -> started.size() >= count);
    }

    private long lanes() {
        return rows("acidq_lane");
    }

    @Test
    void makesTheLanesOfPrioritiesAtTheirFirstUse() {
        enqueue(Q, new Step("m", 1));
        enqueue(Q, new Step("m", 2), options().priority(Priority.NORMAL));
        assertThat(lanes()).isEqualTo(QueueStore.LANES);
        assertThat(send(Priority.HIGH, 1).id().priority()).isEqualTo(Priority.HIGH);
        assertThat(send(Priority.LOW, 1).id().priority()).isEqualTo(Priority.LOW);
        assertThat(lanes()).isEqualTo(QueueStore.LANES + 2L * Priority.LANES);
        listen(noting(1));
        awaitDrained();
        assertThat(effects()).isEqualTo(4);
    }

    @Test
    void worksAsTheDocumentationShows() {
        MessageQueue queue = queue();
        Step reset = new Step("reset", 1);
        transactions.run(() -> {
            queue.enqueue("mail", reset, options().priority(Priority.HIGH));
        });
        assertThat(rows("acidq_message WHERE lane BETWEEN 1000 AND 1007")).isEqualTo(1);
    }

    @Test
    void startsInTheRatioOfTheWeightsUnderABacklog() {
        sendAll(Priority.LOW, 200);
        sendAll(Priority.NORMAL, 200);
        sendAll(Priority.HIGH, 200);
        listen(held(1));
        awaitStarted(1);
        awaitUntil(() -> rows("acidq_message WHERE owner <> 0 AND lane >= 2000") > 0); // all three wait in the buffer
        awaitUntil(() -> rows("acidq_message WHERE owner <> 0 AND lane < 1000") > 0);
        mayEnd.release(600);
        awaitDrained();
        List<String> first = new ArrayList<>(started).subList(1, 85);
        // 64, 16 and 4 while the buffer has all three, which a slow claim can interrupt; PriorityTurnsTest tests the
        // ratio itself
        assertThat(count(first, Priority.HIGH)).isBetween(56L, 72L);
        assertThat(count(first, Priority.NORMAL)).isBetween(8L, 24L);
        assertThat(count(first, Priority.LOW)).isBetween(2L, 8L);
    }

    private static long count(List<String> steps, Priority priority) {
        return steps.stream().filter(step -> step.startsWith(priority.name())).count();
    }

    @Test
    void startsAHighMessageOfTheSameProcessNextAlthoughTheBufferIsFull() {
        sendAll(Priority.NORMAL, 200);
        Engine engine = engine(e -> e.config(RARE_SEARCHES).listen(held(1)));
        awaitStarted(1);
        send(engine, Priority.HIGH, 1);
        awaitRows("acidq_message WHERE owner <> 0 AND lane >= 1000", 1);
        mayEnd.release();
        awaitStarted(2);
        assertThat(started).containsSequence("HIGH1").hasSize(2);
        mayEnd.release(1000);
    }

    @Test
    void startsAHighMessageOfAnotherProcessNextAlthoughTheBufferIsFull() {
        send(Priority.HIGH, 0);
        sendAll(Priority.NORMAL, 200);
        engine(e -> e.config(RARE_SEARCHES.withPolling(Duration.ofMillis(20), Duration.ofHours(1)))
                .listen(held(1)));
        int ended = 0;
        for (; effects() == 0 || !started.contains("HIGH0"); ended++) {
            awaitStarted(ended + 1);
            mayEnd.release();
        }
        awaitRows("effect", ended);
        awaitStarted(ended + 1);
        send(Priority.HIGH, 1);
        awaitRows("acidq_message WHERE owner <> 0 AND lane >= 1000", 1);
        assertThat(started).doesNotContain("HIGH1");
        mayEnd.release();
        awaitStarted(ended + 2);
        assertThat(new ArrayList<>(started)).endsWith("HIGH1");
        mayEnd.release(1000);
    }

    /** Each run of the poller asks the guards. */
    @Test
    void waitsForAFreeWorkerWhileHighMessagesFillTheBuffer() {
        sendAll(Priority.HIGH, 100);
        sendAll(Priority.LOW, 100);
        AtomicLong asked = new AtomicLong();
        Guard.Source counted = (name, nanoTime) -> {
            Guard guard = new Bulkhead(1000).guard(name, nanoTime);
            return (Guard) Proxy.newProxyInstance(
                    Guard.class.getClassLoader(), new Class<?>[] {Guard.class}, (proxy, method, arguments) -> {
                        asked.incrementAndGet();
                        return method.invoke(guard, arguments);
                    });
        };
        listen(held(1).withBulkhead(counted));
        awaitStarted(1);
        awaitUntil(() -> rows("acidq_message WHERE owner <> 0 AND lane BETWEEN 1000 AND 1007") > 1);
        awaitUntil(() -> rows("acidq_message WHERE owner <> 0 AND lane >= 2000") > 0);
        long before = asked.get();
        String milliseconds = "SELECT ROUND(UNIX_TIMESTAMP(NOW(6)) * 1000)";
        long start = count(milliseconds);
        awaitUntil(() -> count(milliseconds) - start > 300);
        assertThat(asked.get() - before).isLessThan(100);
        mayEnd.release(1000);
    }

    /** HIGH messages arrive faster than they are run. */
    @Test
    void doesNotStarveLowUnderAConstantStreamOfHigh() {
        sendAll(Priority.HIGH, 100);
        sendAll(Priority.LOW, 20);
        Engine engine = engine(e -> e.config(QUICK));
        listen(on(Q, (step, delivery) -> {
                    if (step.k().equals("HIGH") && count("SELECT COUNT(*) FROM effect WHERE k = 'LOW'") < 20) {
                        engine.queue().enqueue(Q, new Step("HIGH", 0), options().priority(Priority.HIGH));
                        engine.queue().enqueue(Q, new Step("HIGH", 0), options().priority(Priority.HIGH));
                    }
                    return effect(step, delivery);
                })
                .withConcurrency(4));
        awaitRows("effect WHERE k = 'LOW'", 20);
        assertThat(rows("acidq_message WHERE lane BETWEEN 1000 AND 1999"))
                .as("HIGH messages had work all the time")
                .isGreaterThan(100);
    }

    @Test
    void twoEnginesRunEachMessageOnce() {
        listen(noting(4));
        listen(noting(4));
        for (Priority priority : Priority.values()) {
            sendAll(priority, 200);
        }
        awaitDrained();
        assertEachEffectOnce(600);
    }

    @Test
    void aRetriedScheduledOrReplayedMessageKeepsItsPriority() {
        Queue<Delivery> runs = new ConcurrentLinkedQueue<>();
        listen(on(Q, (Step step, Delivery delivery) -> {
                    runs.add(delivery);
                    if (delivery.attempt() < 3 && step.seq() == 1) {
                        throw new IllegalStateException("not yet");
                    }
                    return step.seq() == 3 && delivery.claimNo() == 1 ? Outcome.dead("bad") : effect(step, delivery);
                })
                .withRetry(RetryPolicy.defaults().withMaxAttempts(3).withFixedBackoff(Duration.ofMillis(1)))
                .withConcurrency(1));
        send(Priority.HIGH, 1);
        transactions.run(() -> queue().enqueue(
                        Q, new Step("LOW", 2), options().priority(Priority.LOW).delay(Duration.ofMillis(5))));
        awaitUntil(() -> effects() == 2);
        Enqueued letter = send(Priority.LOW, 3);
        awaitRows("acidq_dead", 1);
        sender().deadLetters().replay(letter.id(), new Operator("ann", "mended"));
        awaitDrained();
        assertThat(runs).extracting(d -> d.id().priority()).containsOnly(Priority.HIGH, Priority.LOW);
        assertThat(runs.stream().filter(d -> d.id().priority() == Priority.HIGH))
                .hasSize(3);
        assertThat(runs.stream().filter(d -> d.id().equals(letter.id()))).hasSize(2);
    }

    @Test
    void takesTheDefaultOfTheQueueUnlessTheMessageHasAPriority() {
        Engine low =
                engine(e -> e.config(QUICK.withQueue(Q, QueueConfig.defaults().withPriority(Priority.LOW))));
        Enqueued preset = transactions.call(() -> low.queue().enqueue(Q, new Step("m", 1)));
        assertThat(preset.id().priority()).isEqualTo(Priority.LOW);
        assertThat(send(low, Priority.NORMAL, 1).id().priority()).isEqualTo(Priority.NORMAL);
        assertThatThrownBy(() -> transactions.call(
                        () -> low.queue().enqueue(Q, new Step("m", 1), options().orderingKey("k"))))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContainingAll("the default priority of queue 'prioritized'", "LOW", "'k'", "NORMAL");
    }

    /** Replace makes the message key the ordering key. */
    @Test
    void refusesAPriorityOfAMessageThatMayReplaceAnother() {
        assertThatThrownBy(() -> enqueue(
                        Q,
                        new Step("m", 1),
                        options().key("k").onDuplicate(OnDuplicate.replace()).priority(Priority.HIGH)))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContainingAll(Q, "HIGH", "ordering key 'k'", "replace");
        assertThat(rows("acidq_queue")).as("refused before any SQL").isZero();
        assertThatThrownBy(
                        () -> QueueConfig.defaults().withPriority(Priority.LOW).withOnDuplicate(OnDuplicate.replace()))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("priority LOW", "REPLACE");
    }

    @Test
    void aPublishGivesItsPriorityToEachSubscription() {
        Engine config = engine(e ->
                e.config(QUICK.withQueue("news/mail", QueueConfig.defaults().withPriority(Priority.LOW))));
        config.subscriptions().subscribe("news", "mail");
        config.subscriptions().subscribe("news", "web");
        var high = transactions.call(
                () -> config.queue().publish("news", new Step("m", 1), options().priority(Priority.HIGH)));
        assertThat(high.subscriptions().values())
                .extracting(e -> e.id().priority())
                .containsExactly(Priority.HIGH, Priority.HIGH);
        var none = transactions.call(() -> config.queue().publish("news", new Step("m", 1)));
        assertThat(none.subscriptions().get("mail").id().priority()).isEqualTo(Priority.LOW);
        assertThat(none.subscriptions().get("web").id().priority()).isEqualTo(Priority.NORMAL);
    }

    @Test
    void isNotHandedOffDirectly() throws Exception {
        Engine engine =
                engine(e -> e.config(QUICK.withQueue(Q, QueueConfig.defaults().withDirectHandoff(true)))
                        .listen(noting(2)));
        Enqueued high = send(engine, Priority.HIGH, 1);
        assertThat(high.id().priority()).isEqualTo(Priority.HIGH);
        awaitDrained();
        awaitUntil(() -> {
            Enqueued normal = send(engine, Priority.NORMAL, 2);
            return normal.id().lane() >= QueueStore.LANES && normal.id().priority() == Priority.NORMAL;
        });
        awaitDrained();
        assertThat(started).contains("HIGH1", "NORMAL2");
    }

    @Test
    void worksWithTheOtherClaimStrategies() {
        for (ClaimStrategy strategy : List.of(ClaimStrategy.FOR_UPDATE, ClaimStrategy.BATCH_ID)) {
            Engine engine = engine(
                    e -> e.config(QUICK.withQueue(Q, QueueConfig.defaults().withClaimStrategy(strategy)))
                            .listen(noting(2)));
            for (Priority priority : Priority.values()) {
                sendAll(priority, 30);
            }
            awaitDrained();
            engine.close();
        }
        assertThat(effects()).isEqualTo(180);
    }

    @Test
    void aCrashedNodesMessagesOfEachPriorityAreRescued() {
        CountDownLatch never = new CountDownLatch(1);
        Engine dead = engine(e -> e.config(QUICK)
                .listen(on(Q, (step, delivery) -> {
                            started.add(step.k());
                            never.await();
                            return Outcome.done();
                        })
                        .withConcurrency(2)));
        for (Priority priority : Priority.values()) {
            sendAll(priority, 5);
        }
        awaitStarted(2);
        dead.listener(Q).pause();
        listen(noting(2));
        declareDead(dead);
        awaitUntil(() -> rows("effect") == 15);
        never.countDown();
        assertEachEffectOnce(15);
    }

    @Test
    void missingLanesAreAddedAgainAndFoundByAnEngineThatDidNotKnowOfPriorities() {
        send(Priority.HIGH, 1);
        sql("DELETE FROM acidq_lane WHERE lane >= 1000");
        listen(noting(1));
        awaitUntil(() -> effects() == 1);
        sql("DELETE FROM acidq_lane WHERE lane >= 1000");
        send(Priority.LOW, 2);
        awaitUntil(() -> effects() == 2);
        assertThat(lanes()).isGreaterThanOrEqualTo(QueueStore.LANES + 2L * Priority.LANES);
    }

    @Test
    void costsNoStatementMore() {
        Queue<String> statements = new ConcurrentLinkedQueue<>();
        reopen(
                config -> {},
                pool -> SqlHook.over(pool, new SqlHook.SqlListener() {
                    @Override
                    public void before(Connection raw, String sql) {
                        statements.add(sql);
                    }
                }));
        enqueue(Q, new Step("m", 1));
        statements.clear();
        enqueue(Q, new Step("m", 2));
        assertThat(statements).filteredOn(sql -> sql.contains("acidq_")).hasSize(1);
        place(Q, 3, 300);
        listen(noting(1));
        awaitDrained();
        assertThat(statements)
                .as("only a queue with priorities asks for their lanes")
                .noneMatch(sql -> sql.contains("given.lane"));
        statements.clear();
        send(Priority.HIGH, 1);
        assertThat(statements).anyMatch(sql -> sql.contains("INSERT IGNORE INTO acidq_lane"));
        awaitDrained();
        closeEngines();
        statements.clear();
        send(Priority.HIGH, 2);
        assertThat(statements).filteredOn(sql -> sql.contains("acidq_")).hasSize(1);
    }

    /** 100,000 messages wait. The claim of a HIGH message and the search for it read none of them. */
    @Test
    void readsNothingOfALargeBacklog() {
        for (Priority priority : List.of(Priority.NORMAL, Priority.LOW)) {
            for (int part = 0; part < 50; part++) {
                long first = part * 1000L + 1;
                transactions.run(() -> queue().enqueueAll(
                                Q,
                                LongStream.range(first, first + 1000)
                                        .mapToObj(seq -> new NewMessage(
                                                new Step(priority.name(), seq),
                                                options().priority(priority)))
                                        .toList()));
            }
        }
        listen(held(1));
        awaitStarted(1);
        long before = System.nanoTime();
        send(Priority.HIGH, 1);
        awaitUntil(() -> rows("acidq_message FORCE INDEX (PRIMARY) WHERE queue = " + QueueStore.numberOf(Q)
                        + " AND lane BETWEEN 1000 AND 1007 AND owner <> 0")
                == 1);
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
        mayEnd.release();
        awaitStarted(2);
        assertThat(started).contains("HIGH1");
        mayEnd.release(1_000_000);
    }
}
