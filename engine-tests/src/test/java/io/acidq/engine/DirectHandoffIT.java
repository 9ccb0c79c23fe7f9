package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.acidq.Delivery;
import io.acidq.EnqueueOptions;
import io.acidq.Enqueued;
import io.acidq.Outcome;
import io.acidq.config.EngineConfig;
import io.acidq.config.HandlerMode;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.engine.EngineFixture.Step;
import io.acidq.store.QueueStore;
import io.acidq.telemetry.Telemetry;
import io.acidq.testservers.ServerKind;
import java.sql.Connection;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages that an enqueue claims for a free worker of its own process. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class DirectHandoffIT {

    /** The reconciler and the lookout do not help within a test. */
    private static final EngineConfig PATIENT =
            EngineConfig.defaults().withPolling(Duration.ofHours(1), Duration.ofHours(1));

    private static final EngineConfig OFF = EngineFixture.QUICK.withMaxCrashes(4);

    private final ServerKind kind;
    private final Queue<Delivery> deliveries = new ConcurrentLinkedQueue<>();
    private final AtomicInteger claims = new AtomicInteger();
    private EngineFixture engineFixture;

    DirectHandoffIT(ServerKind kind) {
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

    private Engine engine(Listener<Step> listener) {
        return engine(PATIENT, listener);
    }

    private Engine engine(EngineConfig config, Listener<Step> listener) {
        QueueConfig queue = config.queue("direct").withDirectHandoff(config != OFF);
        return engineFixture.engine(e -> e.config(config.withQueue("direct", queue))
                .listen(listener)
                .telemetry(new Telemetry() {
                    @Override
                    public void claimed(String queue, int messages, Duration took) {
                        claims.addAndGet(messages);
                    }
                }));
    }

    private Listener<Step> listener() {
        return Listener.on("direct", Step.class, this::handle);
    }

    private Outcome handle(Step step, Delivery delivery) throws Exception {
        deliveries.add(delivery);
        engineFixture.effect(step, delivery.node());
        return Outcome.done();
    }

    private Enqueued enqueue(Engine engine, long seq, EnqueueOptions options) throws Exception {
        return engineFixture.transactions.call(() -> engine.queue().enqueue("direct", new Step("a", seq), options));
    }

    private static boolean isDirect(Enqueued enqueued) {
        return enqueued.id().lane() >= QueueStore.LANES;
    }

    @Test
    void runsWithoutAClaimTransaction() throws Exception {
        Engine engine = engine(listener());

        Enqueued enqueued = enqueue(engine, 1, options().key("k").header("h", "v"));
        engineFixture.drained();

        assertThat(isDirect(enqueued)).isTrue();
        assertThat(claims).hasValue(0);
        assertThat(deliveries).singleElement().satisfies(d -> {
            assertThat(d.id()).isEqualTo(enqueued.id());
            assertThat(d.attempt()).isEqualTo(1);
            assertThat(d.claimNo()).isEqualTo(1);
            assertThat(d.crashes()).isZero();
            assertThat(d.node()).isEqualTo(engine.node());
            assertThat(d.key()).contains("k");
            assertThat(d.headers()).containsEntry("h", "v");
            assertThat(d.dueAt()).isEqualTo(d.enqueuedAt());
            String enqueuedAt = d.enqueuedAt().toString().replace('T', ' ').replace("Z", "");
            assertThat(engineFixture.count("SELECT ABS(TIMESTAMPDIFF(SECOND, '" + enqueuedAt + "', UTC_TIMESTAMP(6)))"))
                    .isLessThan(60);
        });
        assertThat(engineFixture.strings("SELECT k FROM effect")).containsExactly("a");
    }

    @Test
    void leavesWhatNeedsOrderOrTimeOrMoreWorkersToTheClaims() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Engine engine = engine(
                EngineFixture.QUICK,
                Listener.on("direct", Step.class, (Step step, Delivery delivery) -> {
                            go.await();
                            return handle(step, delivery);
                        })
                        .withConcurrency(2));

        assertThat(isDirect(enqueue(engine, 1, options().orderingKey("o")))).isFalse();
        assertThat(isDirect(enqueue(engine, 2, options().delay(Duration.ofMillis(5)))))
                .isFalse();
        await().until(() -> claims.get() == 2);
        assertThat(isDirect(enqueue(engine, 3, options())))
                .as("both workers are busy")
                .isFalse();
        go.countDown();
        engineFixture.drained();

        assertThat(engineFixture.strings("SELECT seq FROM effect ORDER BY seq")).containsExactly("1", "2", "3");
    }

    /** A savepoint takes the message back behind the queue's back; Spring's nested transactions do. */
    @Test
    void callsNoHandlerForAMessageThatASavepointTookBack() throws Exception {
        for (HandlerMode handlerMode : HandlerMode.values()) {
            CountDownLatch called = new CountDownLatch(1);
            Listener<Step> listener = Listener.on("direct", Step.class, (Step step, Delivery delivery) -> {
                deliveries.add(delivery);
                called.countDown();
                return Outcome.done();
            });
            Engine engine = engine(listener.withOptions(listener.options().withMode(handlerMode))
                    .withConcurrency(1));
            Enqueued kept = engineFixture.transactions.call(() -> {
                Connection connection = engineFixture.transactions.connection();
                Savepoint before = connection.setSavepoint("before");
                assertThat(isDirect(engine.queue().enqueue("direct", new Step("gone", 1), options())))
                        .isTrue();
                connection.rollback(before);
                return engine.queue().enqueue("direct", new Step("kept", 2), options());
            });
            assertThat(isDirect(kept)).as("the one worker is reserved").isFalse();
            called.await();
            engineFixture.drained();
            engine.close();

            assertThat(deliveries).extracting(Delivery::id).containsExactly(kept.id());
            deliveries.clear();
        }
    }

    @Test
    void givesTheWorkerUpWithTheTransaction() throws Exception {
        Engine engine = engine(listener().withConcurrency(1));
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> engineFixture.transactions.run(() -> {
                        assertThat(isDirect(engine.queue().enqueue("direct", new Step("gone", 1), options())))
                                .isTrue();
                        throw new IllegalStateException("roll back");
                    }))
                    .hasMessage("roll back");
        }
        enqueue(engine, 1, options().key("once"));
        engineFixture.drained();
        assertThat(enqueue(engine, 2, options().key("once")).result()).isEqualTo(Enqueued.Result.DUPLICATE);
        assertThat(isDirect(enqueue(engine, 3, options())))
                .as("a duplicate keeps no worker")
                .isTrue();
        engineFixture.drained();

        assertThat(engineFixture.strings("SELECT seq FROM effect ORDER BY seq")).containsExactly("1", "3");
    }

    @Test
    void isRetriedByTheQueuesRulesAndThenClaimed() throws Exception {
        Engine engine =
                engine(EngineFixture.QUICK, Listener.on("direct", Step.class, (Step step, Delivery delivery) -> {
                    deliveries.add(delivery);
                    return delivery.attempt() == 1 ? Outcome.retryAfter(Duration.ofMillis(1)) : handle(step, delivery);
                }));

        assertThat(isDirect(enqueue(engine, 1, options()))).isTrue();
        engineFixture.drained();

        assertThat(deliveries).extracting(Delivery::attempt).contains(1, 2);
        assertThat(claims).hasValue(1);
        assertThat(engineFixture.strings("SELECT seq FROM effect")).containsExactly("1");
    }

    @Test
    void claimsNothingOfAPausedQueue() throws Exception {
        Engine engine = engine(EngineFixture.QUICK, listener());
        engine.control().pause("direct", "test", "a reason");

        assertThat(isDirect(enqueue(engine, 1, options()))).isFalse();
        assertThat(deliveries).isEmpty();
        engine.control().resume("direct", "test", "a reason");
        engineFixture.drained();
    }

    @Test
    void isNotDoneUnlessItIsSwitchedOn() throws Exception {
        Engine engine = engine(OFF, listener());

        assertThat(isDirect(enqueue(engine, 1, options()))).isFalse();
        engineFixture.drained();
        assertThat(claims).hasValue(1);
    }

    /** Its transaction outlived the engine: another node takes it, and counts no death. */
    @Test
    void isFreedWhenItsEngineHasStoppedBeforeTheCommit() throws Exception {
        Engine engine = engine(EngineFixture.QUICK, listener());
        Enqueued late = engineFixture.transactions.call(() -> {
            Enqueued enqueued = engine.queue().enqueue("direct", new Step("late", 1), options());
            engine.close();
            return enqueued;
        });
        assertThat(isDirect(late)).isTrue();
        assertThat(deliveries).isEmpty();

        engine(EngineFixture.QUICK, listener());
        engineFixture.drained();

        assertThat(deliveries).singleElement().satisfies(d -> {
            assertThat(d.id()).isEqualTo(late.id());
            assertThat(d.attempt()).isEqualTo(1);
            assertThat(d.crashes()).isZero();
        });
    }

    /** It was committed, and nobody in this process heard of it. */
    @Test
    void isGivenBackWhenTheCommitWasNotHeardOf() throws Exception {
        Engine engine = engine(EngineFixture.QUICK, listener());
        engine.control().pause("direct", "test", "a reason");
        engineFixture.enqueue("direct", new Step("a", 1), options());
        engineFixture.sql("UPDATE acidq_message SET owner = " + engine.node() + ", claim_no = 1, attempts = 1, lane = "
                + QueueStore.LANES);
        engine.control().resume("direct", "test", "a reason");

        engineFixture.drained();

        assertThat(engineFixture.strings("SELECT seq FROM effect")).containsExactly("1");
        assertThat(deliveries).singleElement().satisfies(d -> {
            assertThat(d.attempt()).isEqualTo(1);
            assertThat(d.claimNo()).isEqualTo(2);
        });
    }
}
