package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.Delivery;
import io.acidq.Handler;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.config.Listener;
import io.acidq.resilience.Breaker;
import io.acidq.resilience.Bulkhead;
import io.acidq.resilience.Guard;
import io.acidq.resilience.GuardState;
import io.acidq.resilience.GuardState.Status;
import io.acidq.resilience.RateLimit;
import io.acidq.resilience.RetryPolicy;
import io.acidq.telemetry.QueueState;
import io.acidq.telemetry.Telemetry;
import io.acidq.testservers.ServerKind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Circuit breaker, rate limit and bulkhead of a queue, on a real server. The test sets the time of the breaker. */
@AnyServer(ServerKind.MYSQL)
class ResilienceIT extends FreshEngineTests {

    private static final String Q = "guarded";
    private static final int COUNT = 40;
    private static final Duration OPEN_FOR = Duration.ofMinutes(1);
    private static final RetryPolicy SOON =
            RetryPolicy.defaults().withMaxAttempts(100).withFixedBackoff(Duration.ofMillis(5));

    private final AtomicLong now = new AtomicLong();
    private final AtomicBoolean partnerIsDown = new AtomicBoolean(true);
    private final AtomicInteger starts = new AtomicInteger();
    private final AtomicInteger claimed = new AtomicInteger();
    private final Queue<Status> notifications = new ConcurrentLinkedQueue<>();
    private long placed;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void claimsNothingWhileTheBreakerIsOpenAndRequeuesUnstartedMessages(boolean oneKey) throws Exception {
        place(COUNT, oneKey);
        Engine engine = engine(this::callsThePartner, 1, breaker(2, 1));
        stopped(1);
        assertThat(starts).as("two failures open it").hasValue(2);
        assertThat(attempts()).as("only what started has an attempt").isEqualTo(2);
        assertThat(state(engine).stoppedBy())
                .hasValueSatisfying(stop -> assertThat(stop.kind()).isEqualTo(GuardState.Kind.BREAKER));

        int claimedBefore = claimed.get();
        place(20, oneKey); // each of these wakes the poller
        CountDownLatch others = new CountDownLatch(5);
        listen("other", (step, delivery) -> {
            others.countDown();
            return Outcome.done();
        });
        for (int i = 0; i < 5; i++) {
            enqueue("other", new Step("o", i));
        }
        others.await();
        assertThat(claimed).hasValue(claimedBefore);
        assertThat(starts).hasValue(2);

        pass(OPEN_FOR);
        stopped(2);
        assertThat(starts).as("one test, and it failed").hasValue(3);
        assertThat(attempts()).isEqualTo(3);

        partnerIsDown.set(false);
        pass(OPEN_FOR);
        awaitDrained();
        assertThat(notifications)
                .containsExactly(Status.STOPS, Status.TESTS, Status.STOPS, Status.TESTS, Status.LETS_THROUGH);
        assertThat(starts).as("no attempt was used up").hasValue(COUNT + 20 + 3);
        assertThat(effects()).isEqualTo(COUNT + 20);
        if (oneKey) {
            assertThat(rows("effect a JOIN effect b ON a.id < b.id AND a.seq > b.seq"))
                    .as("in order")
                    .isZero();
        }
    }

    @Test
    void runsOnlyThePermittedNumberOfTestsWithManyWorkers() throws Exception {
        place(COUNT, false);
        CountDownLatch testsMayEnd = new CountDownLatch(1);
        AtomicInteger running = new AtomicInteger();
        Engine engine = engine(
                (step, delivery) -> {
                    if (partnerIsDown.get()) {
                        return callsThePartner(step, delivery);
                    }
                    running.incrementAndGet();
                    testsMayEnd.await();
                    return callsThePartner(step, delivery);
                },
                8,
                breaker(8, 2));
        stopped(1);
        int before = starts.get();
        partnerIsDown.set(false);
        pass(OPEN_FOR);
        awaitUntil(() -> running.get() == 2);
        place(5, false);
        await().during(Duration.ofMillis(300)).atMost(PATIENCE).until(() -> running.get() == 2);
        assertThat(state(engine).running()).isEqualTo(2);
        assertThat(state(engine).guards()).extracting(GuardState::status).containsExactly(Status.TESTS);
        testsMayEnd.countDown();
        awaitDrained();
        assertThat(starts).hasValue(before + COUNT + 5);
    }

    @Test
    void staysClosedForDeadlocksAndLostConnectionsOfTheQueuesDatabase() throws Exception {
        place(5, false);
        engine(
                (step, delivery) -> {
                    if (delivery.claimNo() <= 5) {
                        throw delivery.claimNo() % 2 == 0
                                ? new SQLException("pretended", "40001", 1213)
                                : new SQLException("pretended", "08S01", 0);
                    }
                    assertThat(delivery.attempt()).isEqualTo(1);
                    return effect(step, delivery);
                },
                2,
                breaker(2, 1));
        awaitDrained();
        assertThat(notifications).isEmpty();
        assertThat(effects()).isEqualTo(5);
    }

    @Test
    void startsNoMoreThanTheRateLimitAndLeavesTheRestToOtherNodes() throws Exception {
        place(20, false);
        partnerIsDown.set(false);
        Engine engine = engine(this::callsThePartner, 4, l -> l.withRateLimit(RateLimit.of(5, Duration.ofDays(1))));
        awaitRows("effect", 5);
        awaitRows("acidq_message WHERE owner = 0 AND attempts = 0", 15);
        place(5, false);
        awaitUntil(() -> state(engine).stoppedBy().isPresent());
        assertThat(starts).hasValue(5);
        GuardState limit = state(engine).guards().get(0);
        assertThat(limit.kind()).isEqualTo(GuardState.Kind.RATE_LIMIT);
        assertThat(limit.permits()).isZero();
        assertThat(notifications).containsExactly(Status.STOPS);
        engine(this::callsThePartner, 4, l -> l); // a node without that limit
        awaitDrained();
        assertThat(starts).hasValue(25);
    }

    @Test
    void continuesInTheNextPeriodOfTheRateLimit() throws Exception {
        place(15, false);
        partnerIsDown.set(false);
        long before = System.nanoTime();
        Duration period = Duration.ofMillis(200);
        AtomicLong last = new AtomicLong();
        engine(
                (step, delivery) -> {
                    last.accumulateAndGet(System.nanoTime(), Math::max);
                    return callsThePartner(step, delivery);
                },
                4,
                l -> l.withRateLimit(RateLimit.of(3, period)));
        awaitDrained();
        assertThat(starts).hasValue(15);
        assertThat(Duration.ofNanos(last.get() - before))
                .as("five periods are touched, so three lie between the first and the last start")
                .isGreaterThanOrEqualTo(period.multipliedBy(3));
    }

    @Test
    void sharesANamedBulkheadBetweenQueues() throws Exception {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Handler<Step> handler = (step, delivery) -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            try {
                return effect(step, delivery);
            } finally {
                running.decrementAndGet();
            }
        };
        transactions.call(() -> {
            for (String queue : List.of("one", "two")) {
                queue().enqueueAll(queue, steps(60, false));
            }
            return null;
        });
        engine(e -> e.bulkhead("warehouse", new Bulkhead(2))
                .listen(on("one", handler).withConcurrency(6).withBulkhead("warehouse"))
                .listen(on("two", handler).withConcurrency(6).withBulkhead("warehouse")));
        awaitDrained();
        assertThat(most.get()).isBetween(1, 2);
        assertThat(effects()).isEqualTo(120);
    }

    private UnaryOperator<Listener<Step>> breaker(int opensAfter, int tests) {
        Breaker breaker =
                Breaker.defaults().withFailureRate(1, opensAfter, opensAfter).withRecovery(OPEN_FOR, tests);
        Guard.Source clocked = (name, nanoTime) -> breaker.guard(name, now::get);
        return listener -> listener.withBreaker(clocked);
    }

    private Engine engine(Handler<Step> handler, int workers, UnaryOperator<Listener<Step>> guards) {
        return engine(e -> e.telemetry(new Telemetry() {
                    @Override
                    public void guardChanged(String queue, GuardState state) {
                        notifications.add(state.status());
                    }

                    @Override
                    public void claimed(String queue, int messages, Duration took) {
                        claimed.addAndGet(messages);
                    }
                })
                .listen(guards.apply(on(Q, handler).withConcurrency(workers).withRetry(SOON))));
    }

    private Outcome callsThePartner(Step step, Delivery delivery) throws SQLException {
        starts.incrementAndGet();
        if (partnerIsDown.get()) {
            throw new IllegalStateException("the partner is down");
        }
        return effect(step, delivery);
    }

    /** Waits until the breaker is open for the n-th time and nothing is claimed. */
    private void stopped(int times) {
        awaitUntil(() -> notifications.stream().filter(Status.STOPS::equals).count() == times);
        awaitRows("acidq_message WHERE owner <> 0", 0);
    }

    private long attempts() {
        return count("SELECT COALESCE((SELECT SUM(attempts) FROM acidq_message), 0)"
                + " + COALESCE((SELECT SUM(attempts) FROM acidq_scheduled), 0)");
    }

    private static QueueState state(Engine engine) {
        return engine.queues().get(0);
    }

    private void pass(Duration time) {
        now.addAndGet(time.plusMillis(1).toNanos());
    }

    private void place(int count, boolean oneKey) throws Exception {
        transactions.call(() -> queue().enqueueAll(Q, steps(count, oneKey)));
    }

    private List<NewMessage> steps(int count, boolean oneKey) {
        return LongStream.range(placed, placed += count)
                .mapToObj(seq ->
                        new NewMessage(new Step("k", seq), oneKey ? options().orderingKey("k") : options()))
                .toList();
    }
}
