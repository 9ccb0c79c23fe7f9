package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.BatchHandler;
import io.acidq.Delivery;
import io.acidq.EnqueueOptions;
import io.acidq.Handler;
import io.acidq.HandlerTimeoutException;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.config.HandlerOptions;
import io.acidq.config.Listener;
import io.acidq.engine.EngineFixture.Step;
import io.acidq.resilience.Bulkhead;
import io.acidq.resilience.GuardState;
import io.acidq.resilience.RateLimit;
import io.acidq.resilience.RetryPolicy;
import io.acidq.resilience.RetryRule;
import io.acidq.testservers.ServerKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Retry rules, outcomes and guards with each way of running: one message or several in a transaction, external, stopped by a timeout. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class GuardedHandlersIT {

    private static final String Q = "guarded-runs";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final RetryPolicy ONCE = RetryPolicy.defaults().withMaxAttempts(1);
    private static final RetryPolicy TWICE =
            RetryPolicy.defaults().withMaxAttempts(2).withFixedBackoff(Duration.ofMillis(5));

    private final ServerKind kind;
    private final CountingGuard tally = new CountingGuard();
    private EngineFixture engineFixture;

    GuardedHandlersIT(ServerKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        engineFixture = new EngineFixture(kind);
    }

    @AfterEach
    void close() {
        engineFixture.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10})
    void endsEachMessageByItsPolicyAndTellsItsGuards(int transactionSize) throws Exception {
        place(100, i -> options());
        engineFixture.engine(e -> e.listen(guarded(this::decide)
                .withTransactionSize(transactionSize)
                .withRetry(TWICE.withRule(RetryRule.ignoreOn(IllegalArgumentException.class)))));
        checkDecisions(60);
    }

    @Test
    void endsEachMessageOfABatchListenerByItsPolicyAndTellsItsGuards() throws Exception {
        place(100, i -> options());
        engineFixture.engine(e -> e.listen(Listener.onBatch(Q, Step.class, 10, items -> {
                    List<Outcome> outcomes = new ArrayList<>();
                    for (BatchHandler.Item<Step> item : items) {
                        outcomes.add(decide(item.payload(), item.delivery()));
                    }
                    return outcomes;
                })
                .withConcurrency(1)
                .withBreaker((name, nanoTime) -> tally)
                .withRetry(TWICE.withRule(RetryRule.ignoreOn(IllegalArgumentException.class)))));
        checkDecisions(60);
    }

    @Test
    void endsEachExternalMessageByItsPolicyAndTellsItsGuards() throws Exception {
        place(100, i -> options());
        engineFixture.engine(e -> e.listen(guarded(this::decide)
                .external()
                .withRetry(TWICE.withRule(RetryRule.ignoreOn(IllegalArgumentException.class)))));
        checkDecisions(60);
    }

    private void checkDecisions(int done) {
        engineFixture.drained();
        await().atMost(PATIENCE).until(() -> tally.open() == 0);
        assertThat(tally.succeeded).hasValue(done);
        assertThat(tally.failures)
                .as("20 that threw twice or asked once for a retry, 10 that were ignored")
                .hasSize(40);
        assertThat(tally.unused).as("snoozed, cancelled, dead by request").hasValue(30);
        assertThat(tally.entered).hasValue(130);
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isEqualTo(done);
        assertThat(engineFixture.sender().deadLetters().list(Q, 100)).hasSize(20);
    }

    /** Of ten messages four are done at once, two the second time; two die, two leave without a trace. */
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
        place(120, i -> options().orderingKey("k" + i % 4));
        engineFixture.engine(e -> e.listen(guarded((step, delivery) -> {
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
                .withRetry(RetryPolicy.defaults().withMaxAttempts(100).withFixedBackoff(Duration.ofMillis(5)))));
        engineFixture.drained();
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isEqualTo(108);
        assertThat(engineFixture.count(
                        "SELECT COUNT(*) FROM effect a JOIN effect b ON a.k = b.k AND a.id < b.id AND a.seq > b.seq"))
                .isZero();
    }

    @Test
    void putsNoMoreMessagesIntoTransactionsThanTheGuardsLetStart() throws Exception {
        AtomicInteger starts = new AtomicInteger();
        place(20, i -> options());
        Engine engine = engineFixture.engine(e -> e.listen(guarded((step, delivery) -> {
                    starts.incrementAndGet();
                    return effect(step, delivery);
                })
                .withTransactionSize(10)
                .withBulkhead(3)
                .withRateLimit(RateLimit.of(5, Duration.ofDays(1)))));
        await().atMost(PATIENCE).until(() -> engineFixture.count("SELECT COUNT(*) FROM effect") == 5);
        await().atMost(PATIENCE)
                .until(() -> engineFixture.count("SELECT COUNT(*) FROM acidq_message WHERE owner = 0 AND attempts = 0")
                        == 15);
        assertThat(starts).hasValue(5);
        assertThat(tally.succeeded).hasValue(5);
        await().atMost(PATIENCE).until(() -> places(engine) == 3);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void countsATimeoutAsAFailure(int transactionSize) throws Exception {
        place(20, i -> options());
        Engine engine = engineFixture.engine(e -> e.listen(guarded((step, delivery) -> {
                    if (step.seq() == 3) {
                        new CountDownLatch(1).await();
                    }
                    return effect(step, delivery);
                })
                .withTransactionSize(transactionSize)
                .withBulkhead(7)
                .withTimeout(Duration.ofMillis(300))
                .withRetry(ONCE)));
        engineFixture.drained();
        await().atMost(PATIENCE).until(() -> tally.open() == 0 && places(engine) == 7);
        assertThat(tally.failures).hasSize(1).allMatch(HandlerTimeoutException.class::isInstance);
        assertThat(tally.succeeded).hasValue(19);
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isEqualTo(19);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void givesThePermitsOfARunThatIsGivenUpBackOnce(int transactionSize) throws Exception {
        AtomicBoolean deaf = new AtomicBoolean(true);
        CountDownLatch back = new CountDownLatch(1);
        place(20, i -> options());
        Engine engine = engineFixture.engine(e -> e.listen(guarded((step, delivery) -> {
                    if (step.seq() == 3) {
                        while (deaf.get()) {
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
                .withRetry(ONCE)));
        await().atMost(PATIENCE).until(() -> engineFixture.count("SELECT COUNT(*) FROM effect") == 19);
        await().atMost(PATIENCE).until(() -> tally.open() == 0 && places(engine) == 5);
        assertThat(tally.failures).hasSize(1).allMatch(HandlerTimeoutException.class::isInstance);
        deaf.set(false);
        assertThat(back.await(30, TimeUnit.SECONDS)).isTrue();
        engineFixture.drained();
        place(10, i -> options());
        await().atMost(PATIENCE).until(() -> tally.succeeded.get() == 29);
        await().atMost(PATIENCE).until(() -> tally.open() == 0 && places(engine) == 5);
    }

    private Listener<Step> guarded(Handler<Step> handler) {
        return Listener.on(Q, Step.class, handler).withConcurrency(1).withBreaker((name, nanoTime) -> tally);
    }

    private static int places(Engine engine) {
        return engine.queues().get(0).guards().stream()
                .filter(g -> g.kind() == GuardState.Kind.BULKHEAD)
                .mapToInt(GuardState::permits)
                .sum();
    }

    private Outcome effect(Step step, Delivery delivery) throws Exception {
        if (engineFixture.transactions.current() == null) { // in external mode
            engineFixture.transactions.run(() -> engineFixture.effect(step, delivery.node()));
        } else {
            engineFixture.effect(step, delivery.node());
        }
        return Outcome.done();
    }

    private void place(int messages, LongFunction<EnqueueOptions> with) throws Exception {
        engineFixture.transactions.call(() -> engineFixture
                .sender()
                .queue()
                .enqueueAll(
                        Q,
                        LongStream.rangeClosed(1, messages)
                                .mapToObj(seq -> new NewMessage(
                                        new Step(String.valueOf(with.apply(seq).orderingKey()), seq), with.apply(seq)))
                                .toList()));
    }
}
