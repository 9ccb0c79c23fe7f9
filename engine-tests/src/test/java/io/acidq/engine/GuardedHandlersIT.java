package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.BatchHandler;
import io.acidq.Delivery;
import io.acidq.Handler;
import io.acidq.HandlerTimeoutException;
import io.acidq.Outcome;
import io.acidq.config.HandlerOptions;
import io.acidq.config.Listener;
import io.acidq.resilience.Bulkhead;
import io.acidq.resilience.Guard;
import io.acidq.resilience.GuardState;
import io.acidq.resilience.RateLimit;
import io.acidq.resilience.RetryPolicy;
import io.acidq.resilience.RetryRule;
import io.acidq.testservers.ServerKind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Retry rules, outcomes and guards with each way of running: one message or several in a transaction, external, stopped by a timeout. */
@AnyServer(ServerKind.MARIADB)
class GuardedHandlersIT extends FreshEngineTests {

    private static final String Q = "guarded-runs";
    private static final RetryPolicy TWICE =
            RetryPolicy.defaults().withMaxAttempts(2).withFixedBackoff(Duration.ofMillis(5));

    private final CountingGuard tally = new CountingGuard();

    @ParameterizedTest
    @ValueSource(ints = {1, 10})
    void recordsEachOutcomeByThePolicyAndInformsTheGuards(int transactionSize) throws Exception {
        place(Q, 1, 100);
        listen(guarded(this::decide)
                .withTransactionSize(transactionSize)
                .withRetry(TWICE.withRule(RetryRule.ignoreOn(IllegalArgumentException.class))));
        checkDecisions(60);
    }

    @Test
    void recordsEachOutcomeOfABatchListenerByThePolicyAndInformsTheGuards() throws Exception {
        place(Q, 1, 100);
        listen(Listener.onBatch(Q, Step.class, 10, items -> {
                    List<Outcome> outcomes = new ArrayList<>();
                    for (BatchHandler.Item<Step> item : items) {
                        outcomes.add(decide(item.payload(), item.delivery()));
                    }
                    return outcomes;
                })
                .withConcurrency(1)
                .withBreaker((name, nanoTime) -> tally)
                .withRetry(TWICE.withRule(RetryRule.ignoreOn(IllegalArgumentException.class))));
        checkDecisions(60);
    }

    @Test
    void recordsEachOutcomeOfAnExternalHandlerByThePolicyAndInformsTheGuards() throws Exception {
        place(Q, 1, 100);
        listen(guarded(this::decide)
                .external()
                .withRetry(TWICE.withRule(RetryRule.ignoreOn(IllegalArgumentException.class))));
        checkDecisions(60);
    }

    private void checkDecisions(int done) {
        awaitDrained();
        awaitUntil(() -> tally.open() == 0);
        assertThat(tally.succeeded).hasValue(done);
        assertThat(tally.failures)
                .as("20 that threw twice or asked once for a retry, 10 that were ignored")
                .hasSize(40);
        assertThat(tally.unused).as("snoozed, cancelled, dead by request").hasValue(30);
        assertThat(tally.entered).hasValue(130);
        assertThat(effects()).isEqualTo(done);
        assertThat(deadLetters().list(Q, 100)).hasSize(20);
    }

    /** Of ten messages four are done at once, two the second time; two are dead-lettered, and two end without effect. */
    private Outcome decide(Step step, Delivery delivery) throws Exception {
        boolean first = delivery.claimNo() == 1;
        int which = (int) (step.seq() % 10);
        if (which == 0) {
            throw new IllegalStateException("bad");
        }
        if (which == 5) {
            throw new IllegalArgumentException("never mind");
        }
        if (which == 3) {
            return Outcome.cancel("not wanted any more");
        }
        if (which == 4) {
            return Outcome.dead("asked for");
        }
        if (which <= 2 && first) {
            return which == 1 ? Outcome.retryAfter(Duration.ofMillis(5)) : Outcome.snooze(Duration.ofMillis(5));
        }
        assertThat(delivery.attempt()).isEqualTo(which == 1 ? 2 : 1);
        return effect(step, delivery);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10})
    void keepsTheOrderOfKeysThroughSnoozesRetriesAndCancels(int transactionSize) throws Exception {
        place(Q, 120, i -> options().orderingKey("k" + i % 4));
        listen(guarded((step, delivery) -> {
                    boolean first = delivery.claimNo() == 1;
                    if (step.seq() % 10 == 1) {
                        return Outcome.cancel("not wanted any more");
                    }
                    if (step.seq() % 10 == 2 && first) {
                        return Outcome.snooze(Duration.ofMillis(5));
                    }
                    if (step.seq() % 10 == 3 && first) {
                        throw new IllegalStateException("bad");
                    }
                    return effect(step, delivery);
                })
                .withConcurrency(3)
                .withTransactionSize(transactionSize)
                .withRetry(RetryPolicy.defaults().withMaxAttempts(100).withFixedBackoff(Duration.ofMillis(5))));
        awaitDrained();
        assertThat(effects()).isEqualTo(108);
        assertThat(rows("effect a JOIN effect b ON a.k = b.k AND a.id < b.id AND a.seq > b.seq"))
                .isZero();
    }

    @Test
    void startsNoMoreMessagesInATransactionThanTheGuardsPermit() throws Exception {
        AtomicInteger starts = new AtomicInteger();
        place(Q, 1, 20);
        Engine engine = listen(guarded((step, delivery) -> {
                    starts.incrementAndGet();
                    return effect(step, delivery);
                })
                .withTransactionSize(10)
                .withBulkhead(3)
                .withRateLimit(RateLimit.of(5, Duration.ofDays(1))));
        awaitRows("effect", 5);
        awaitRows("acidq_message WHERE owner = 0 AND attempts = 0", 15);
        assertThat(starts).hasValue(5);
        assertThat(tally.succeeded).hasValue(5);
        awaitUntil(() -> places(engine) == 3);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void countsATimeoutAsAFailure(int transactionSize) throws Exception {
        place(Q, 1, 20);
        Engine engine = listen(guarded((step, delivery) -> {
                    if (step.seq() == 3) {
                        new CountDownLatch(1).await();
                    }
                    return effect(step, delivery);
                })
                .withTransactionSize(transactionSize)
                .withBulkhead(7)
                .withTimeout(Duration.ofMillis(300))
                .withRetry(ONE_ATTEMPT));
        awaitDrained();
        awaitUntil(() -> tally.open() == 0 && places(engine) == 7);
        assertThat(tally.failures).hasSize(1).allMatch(HandlerTimeoutException.class::isInstance);
        assertThat(tally.succeeded).hasValue(19);
        assertThat(effects()).isEqualTo(19);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void releasesThePermitsOfAnAbandonedRunOnceAndReplacesItsWorker(int transactionSize) throws Exception {
        AtomicBoolean ignoresInterrupt = new AtomicBoolean(true);
        CountDownLatch back = new CountDownLatch(1);
        place(Q, 1, 20);
        Engine engine = listen(guarded((step, delivery) -> {
                    if (step.seq() == 3) {
                        while (ignoresInterrupt.get()) {
                            Thread.onSpinWait();
                        }
                        back.countDown();
                    }
                    return effect(step, delivery);
                })
                .withTransactionSize(transactionSize)
                .withBulkhead(new Bulkhead(5))
                .withOptions(HandlerOptions.defaults()
                        .withTransactionSize(transactionSize)
                        .withTimeout(Duration.ofMillis(300), Duration.ofMillis(50)))
                .withRetry(ONE_ATTEMPT));
        awaitRows("effect", 19);
        awaitUntil(() -> tally.open() == 0 && places(engine) == 5);
        assertThat(tally.failures).hasSize(1).allMatch(HandlerTimeoutException.class::isInstance);
        ignoresInterrupt.set(false);
        assertThat(back.await(30, TimeUnit.SECONDS)).isTrue();
        awaitDrained();
        place(Q, 1, 10);
        awaitUntil(() -> tally.succeeded.get() == 29);
        awaitUntil(() -> tally.open() == 0 && places(engine) == 5);
        assertThat(rows("effect")).as("none of the abandoned run").isEqualTo(29);
        assertThat(deadLetters().list(Q, 10))
                .singleElement()
                .satisfies(letter -> assertThat(letter.error()).contains("timeout", "given up"));
    }

    private Listener<Step> guarded(Handler<Step> handler) {
        return on(Q, handler).withConcurrency(1).withBreaker((name, nanoTime) -> tally);
    }

    private static int places(Engine engine) {
        return engine.queues().get(0).guards().stream()
                .filter(g -> g.kind() == GuardState.Kind.BULKHEAD)
                .mapToInt(GuardState::permits)
                .sum();
    }

    @Override
    Outcome effect(Step step, Delivery delivery) throws SQLException {
        if (transactions.current() == null) { // in external mode
            transactions.run(() -> insertEffect(step, delivery.node()));
        } else {
            insertEffect(step, delivery.node());
        }
        return Outcome.done();
    }

    /** A guard that permits every start and counts how the entries end. An entry that ends twice is counted separately. */
    private static final class CountingGuard implements Guard {

        final AtomicInteger entered = new AtomicInteger();
        final AtomicInteger succeeded = new AtomicInteger();
        final AtomicInteger requeued = new AtomicInteger();
        final AtomicInteger unused = new AtomicInteger();
        final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        private final AtomicInteger twice = new AtomicInteger();

        /** How many entries have not ended. */
        int open() {
            assertThat(twice).as("entries that ended twice").hasValue(0);
            return entered.get() - succeeded.get() - requeued.get() - unused.get() - failures.size();
        }

        @Override
        public Entry enter() {
            entered.incrementAndGet();
            return new CountingEntry();
        }

        @Override
        public int freeCapacity() {
            return Integer.MAX_VALUE;
        }

        @Override
        public Duration untilChange() {
            return Duration.ofHours(1);
        }

        @Override
        public GuardState state() {
            return new GuardState(
                    GuardState.Kind.BREAKER, "tally", GuardState.Status.LETS_THROUGH, freeCapacity(), untilChange());
        }

        private final class CountingEntry implements Entry {
            private final AtomicBoolean ended = new AtomicBoolean();

            @Override
            public void succeeded(Duration took) {
                end(succeeded::incrementAndGet);
            }

            @Override
            public void failed(Duration took, Throwable failure) {
                end(() -> failures.add(failure));
            }

            @Override
            public void requeued(Duration took, Throwable failure) {
                end(requeued::incrementAndGet);
            }

            @Override
            public void unused() {
                end(unused::incrementAndGet);
            }

            private void end(Runnable count) {
                if (!ended.compareAndSet(false, true)) {
                    twice.incrementAndGet();
                }
                count.run();
            }
        }
    }
}
