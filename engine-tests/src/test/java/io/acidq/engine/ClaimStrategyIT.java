package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.config.QueueConfig;
import io.acidq.resilience.RetryPolicy;
import io.acidq.store.ClaimStore.Budget;
import io.acidq.store.ClaimStore.ClaimRequest;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.Lane;
import io.acidq.store.NodeStore.NodeRow;
import io.acidq.store.QueueStore.QueueRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The queue implementations that the project started from, as they are used: eight concurrent engines, workers that are killed, and engines that are
 * declared dead while they work. Every message has its effect once.
 */
class ClaimStrategyIT extends FreshEngineTests {

    private static final String Q = "origin";
    private static final int CLAIMERS = 8;
    private static final RetryPolicy SOON =
            RetryPolicy.defaults().withMaxAttempts(5).withBackoff(Duration.ofMillis(10), 1, Duration.ofMillis(10));

    private QueueRow queue;

    @BeforeEach
    void openQueue() {
        queue = store.queues().openQueue(Q);
    }

    /** biz, conn_id, status y/run/n: UPDATE … LIMIT n, then SELECT by owner; dead owners' rows are free again. */
    @Test
    void claimsLikeQueue() throws Exception {
        place(400);
        killedAfterClaiming(ClaimStrategy.BATCH_ID);
        List<Engine> engines = serve(ClaimStrategy.BATCH_ID);
        declareDead(engines.get(0));
        awaitDrained();
        everyEffectIsThereOnce(400);
    }

    /** owner, dequeued_time: nodes that watch each other; an error is retried, ignored, or goes to the tail. */
    @Test
    void claimsLikeMessageQueue() throws Exception {
        place(40);
        AtomicInteger errors = new AtomicInteger();
        engine(e -> listen(e, ClaimStrategy.BATCH_ID, 2, (step, delivery) -> {
            insertEffect(step, delivery.node());
            if (step.seq() == 0 && effects() < 38) {
                return Outcome.snooze(Duration.ofMillis(10)); // to the tail, until the others are done
            }
            if (step.seq() == 1 && errors.incrementAndGet() < 3) {
                throw new IllegalStateException("retried");
            }
            return step.seq() == 2 ? Outcome.cancel("ignored") : Outcome.done();
        }));
        killedAfterClaiming(ClaimStrategy.BATCH_ID);
        awaitDrained();
        assertThat(strings("SELECT seq FROM effect ORDER BY seq"))
                .containsExactlyElementsOf(LongStream.range(0, 40)
                        .filter(seq -> seq != 2)
                        .mapToObj(String::valueOf)
                        .toList());
        assertThat(rows("effect WHERE seq <> 0 AND id > (SELECT id FROM effect WHERE seq = 0)"))
                .as("what finished after the one that went to the tail")
                .isLessThanOrEqualTo(1);
        assertThat(errors).hasValueGreaterThanOrEqualTo(3);
        assertThat(deadLetters().list(Q, 10)).isEmpty();
    }

    /** status 0/1/2, batch_id: the four ways of its workers. */
    @ParameterizedTest
    @Tag("full")
    @EnumSource(names = {"FOR_UPDATE", "OPTIMISTIC", "USER_VARIABLE", "BATCH_ID"})
    void claimsLikeJobQueue(ClaimStrategy strategy) throws Exception {
        place(300);
        killedAfterClaiming(strategy);
        List<Engine> engines = serve(strategy);
        declareDead(engines.get(3));
        place(100);
        declareDead(engines.get(5));
        awaitDrained();
        everyEffectIsThereOnce(400);
    }

    /** All strategies on the same queue at the same time. */
    @Test
    void claimsLikeJobQueueWhenEachEngineHasAnotherStrategy() throws Exception {
        place(300);
        Stream.of(ClaimStrategy.values()).forEach(this::killedAfterClaiming);
        List<Engine> engines = serve(ClaimStrategy.values());
        declareDead(engines.get(1));
        place(100);
        awaitDrained();
        everyEffectIsThereOnce(400);
    }

    /** status, owner, ts: a claim that is old is freed only when its owner is gone too. */
    @Test
    void claimsLikeUnsentEmails() throws Exception {
        CountDownLatch sending = new CountDownLatch(1);
        CountDownLatch sent = new CountDownLatch(1);
        place(1);
        Engine slow = engine(e -> listen(e, ClaimStrategy.FOR_UPDATE, 1, (step, delivery) -> {
            sending.countDown();
            sent.await();
            return effect(step, delivery);
        }));
        assertThat(sending.await(30, TimeUnit.SECONDS)).isTrue();
        place(30);
        int gone = killedAfterClaiming(ClaimStrategy.FOR_UPDATE);
        sql("UPDATE acidq_message SET enqueued_at = enqueued_at - INTERVAL 1 DAY");
        engine(e -> listen(e, ClaimStrategy.FOR_UPDATE, 1, this::effect));
        awaitUntil(() -> rows("acidq_node WHERE state = 'DEAD' AND id = " + gone) == 1
                && rows("acidq_message WHERE owner <> " + slow.node()) == 0);
        assertThat(strings("SELECT CONCAT(claim_no, ' ', crashes) FROM acidq_message ORDER BY id LIMIT 1"))
                .as("the long run goes on by its first claim; behind it may wait what was rescued")
                .containsExactly("1 0");
        sent.countDown();
        awaitDrained();
        assertThat(effects()).isEqualTo(31);
    }

    /** type, callback, status 0-4, preexec_time, p_key, mark, and so many workers for each type. */
    @Test
    void claimsLikeComomQueue() throws Exception {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        engine(e -> listen(e, ClaimStrategy.USER_VARIABLE, 3, (step, delivery) -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    try {
                        if (step.k().equals("fails")) {
                            throw new IllegalStateException("status 3");
                        }
                        return delivery.attempt() < 2 && step.seq() % 5 == 0
                                ? Outcome.retryAfter(Duration.ofMillis(5), "status 4")
                                : effect(step, delivery);
                    } finally {
                        running.decrementAndGet();
                    }
                })
                .listen(on("another.type", (step, delivery) -> {
                            throw new IllegalStateException("nothing of this type was enqueued");
                        })
                        .withConcurrency(1)));
        place(50);
        enqueue(Q, new Step("once", 1), options().key("p_key"));
        assertThat(enqueue(Q, new Step("once", 2), options().key("p_key")).isDuplicate())
                .isTrue();
        enqueue(Q, new Step("later", 1), options().delay(Duration.ofMillis(300)));
        enqueue(Q, new Step("fails", 1));
        killedAfterClaiming(ClaimStrategy.USER_VARIABLE);
        awaitDrained();
        assertThat(effects()).isEqualTo(52);
        assertThat(count("SELECT COUNT(DISTINCT k, seq) FROM effect")).isEqualTo(52);
        assertThat(most.get()).isBetween(1, 3);
        assertThat(deadLetters().list(Q, 10))
                .singleElement()
                .satisfies(letter -> assertThat(letter.error()).contains("status 3"));
    }

    private List<Engine> serve(ClaimStrategy... strategies) {
        List<Engine> engines = new ArrayList<>();
        for (int i = 0; i < CLAIMERS; i++) {
            ClaimStrategy strategy = strategies[i % strategies.length];
            engines.add(engine(e -> listen(e, strategy, 2, (step, delivery) -> {
                insertEffect(step, delivery.node());
                if (step.seq() % 10 == 0 && delivery.attempt() == 1) {
                    throw new IllegalStateException("the first time it is rolled back");
                }
                return Outcome.done();
            })));
        }
        return engines;
    }

    private EngineBuilder listen(
            EngineBuilder builder, ClaimStrategy strategy, int workers, io.acidq.Handler<Step> handler) {
        return builder.config(QUICK.withQueue(Q, QueueConfig.defaults().withClaimStrategy(strategy)))
                .listen(on(Q, handler).withConcurrency(workers).withRetry(SOON));
    }

    /** A worker that claims in ten lanes and is killed before it can do anything with it. */
    private int killedAfterClaiming(ClaimStrategy strategy) {
        int node = store.nodes().register(new NodeRow(Map.of(queue.id(), 2), "killed", "test"));
        long batch = 0;
        for (Lane lane : store.claims().lanesWithWork(List.of(queue.id())).stream()
                .limit(10)
                .toList()) {
            store.claims()
                    .claimDue(new ClaimRequest(
                            queue.id(), lane.lane(), node, ++batch, new Budget(10, 10, false), strategy));
        }
        return node;
    }

    private void everyEffectIsThereOnce(int messages) {
        assertThat(effects()).isEqualTo(messages);
        assertThat(count("SELECT COUNT(DISTINCT k, seq) FROM effect")).isEqualTo(messages);
        assertThat(deadLetters().list(Q, 10)).isEmpty();
    }

    private void place(int count) throws Exception {
        String k = "k" + System.nanoTime();
        List<NewMessage> messages = LongStream.range(0, count)
                .mapToObj(i -> NewMessage.of(new Step(k, i)))
                .toList();
        enqueueAll(Q, messages);
    }
}
