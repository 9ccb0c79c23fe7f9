package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.Delivery;
import io.acidq.EnqueueOptions;
import io.acidq.Enqueued;
import io.acidq.Outcome;
import io.acidq.admin.Operator;
import io.acidq.config.EngineConfig;
import io.acidq.config.HandlerMode;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.store.QueueStore;
import io.acidq.testservers.ServerKind;
import java.sql.Connection;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Messages that an enqueue claims for a free worker of its own process. */
@AnyServer(ServerKind.MARIADB)
class DirectHandoffIT extends FreshEngineTests {

    /** The reconciler and the work finder do not run within a test. */
    private static final EngineConfig PATIENT =
            EngineConfig.defaults().withPolling(Duration.ofHours(1), Duration.ofHours(1));

    private static final EngineConfig OFF = QUICK.withMaxCrashes(4);

    private final Queue<Delivery> deliveries = new ConcurrentLinkedQueue<>();
    private final RecordedTelemetry telemetry = new RecordedTelemetry();

    private Engine engine(Listener<Step> listener) {
        return engine(PATIENT, listener);
    }

    private Engine engine(EngineConfig config, Listener<Step> listener) {
        QueueConfig queue = config.queue("direct").withDirectHandoff(config != OFF);
        return engine(e ->
                e.config(config.withQueue("direct", queue)).listen(listener).telemetry(telemetry));
    }

    private Listener<Step> listener() {
        return on("direct", this::handle);
    }

    private Outcome handle(Step step, Delivery delivery) throws Exception {
        deliveries.add(delivery);
        return effect(step, delivery);
    }

    private Enqueued enqueue(Engine engine, long seq, EnqueueOptions options) throws Exception {
        return transactions.call(() -> engine.queue().enqueue("direct", new Step("a", seq), options));
    }

    private static boolean isDirect(Enqueued enqueued) {
        return enqueued.id().lane() >= QueueStore.LANES;
    }

    @Test
    void runsWithoutAClaimTransaction() throws Exception {
        Engine engine = engine(listener());

        Enqueued enqueued = enqueue(engine, 1, options().key("k").header("h", "v"));
        awaitDrained();

        assertThat(isDirect(enqueued)).isTrue();
        assertThat(telemetry.claimed).hasValue(0);
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
            assertThat(count("SELECT ABS(TIMESTAMPDIFF(SECOND, '" + enqueuedAt + "', UTC_TIMESTAMP(6)))"))
                    .isLessThan(60);
        });
        assertThat(strings("SELECT k FROM effect")).containsExactly("a");
    }

    @Test
    void leavesOrderedAndDelayedMessagesAndBusyWorkersToTheClaims() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Engine engine = engine(
                QUICK,
                on("direct", (Step step, Delivery delivery) -> {
                            go.await();
                            return handle(step, delivery);
                        })
                        .withConcurrency(2));

        assertThat(isDirect(enqueue(engine, 1, options().orderingKey("o")))).isFalse();
        assertThat(isDirect(enqueue(engine, 2, options().delay(Duration.ofMillis(5)))))
                .isFalse();
        awaitUntil(() -> telemetry.claimed.get() == 2);
        assertThat(isDirect(enqueue(engine, 3, options())))
                .as("both workers are busy")
                .isFalse();
        go.countDown();
        awaitDrained();

        assertThat(strings("SELECT seq FROM effect ORDER BY seq")).containsExactly("1", "2", "3");
    }

    /** The rollback to a savepoint removes the message without the engine's knowledge, as in nested transactions of Spring. */
    @Test
    void callsNoHandlerForAMessageUndoneByASavepoint() throws Exception {
        for (HandlerMode handlerMode : HandlerMode.values()) {
            CountDownLatch called = new CountDownLatch(1);
            Listener<Step> listener = on("direct", (Step step, Delivery delivery) -> {
                deliveries.add(delivery);
                called.countDown();
                return Outcome.done();
            });
            Engine engine = engine(listener.withOptions(listener.options().withMode(handlerMode))
                    .withConcurrency(1));
            Enqueued kept = transactions.call(() -> {
                Connection connection = transactions.connection();
                Savepoint before = connection.setSavepoint("before");
                assertThat(isDirect(engine.queue().enqueue("direct", new Step("gone", 1), options())))
                        .isTrue();
                connection.rollback(before);
                return engine.queue().enqueue("direct", new Step("kept", 2));
            });
            assertThat(isDirect(kept)).as("the one worker is reserved").isFalse();
            called.await();
            awaitDrained();
            engine.close();

            assertThat(deliveries).extracting(Delivery::id).containsExactly(kept.id());
            deliveries.clear();
        }
    }

    @Test
    void releasesTheReservedWorkerWithTheTransaction() throws Exception {
        Engine engine = engine(listener().withConcurrency(1));
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> transactions.run(() -> {
                        assertThat(isDirect(engine.queue().enqueue("direct", new Step("gone", 1), options())))
                                .isTrue();
                        throw new IllegalStateException("roll back");
                    }))
                    .hasMessage("roll back");
        }
        enqueue(engine, 1, options().key("once"));
        awaitDrained();
        assertThat(enqueue(engine, 2, options().key("once")).result()).isEqualTo(Enqueued.Result.DUPLICATE);
        assertThat(isDirect(enqueue(engine, 3, options())))
                .as("a duplicate keeps no worker")
                .isTrue();
        awaitDrained();

        assertThat(strings("SELECT seq FROM effect ORDER BY seq")).containsExactly("1", "3");
    }

    @Test
    void retriesByTheQueuesPolicyThroughAClaim() throws Exception {
        Engine engine = engine(QUICK, on("direct", (Step step, Delivery delivery) -> {
            deliveries.add(delivery);
            return delivery.attempt() == 1 ? Outcome.retryAfter(Duration.ofMillis(1)) : handle(step, delivery);
        }));

        assertThat(isDirect(enqueue(engine, 1, options()))).isTrue();
        awaitDrained();

        assertThat(deliveries).extracting(Delivery::attempt).contains(1, 2);
        assertThat(telemetry.claimed).hasValue(1);
        assertThat(strings("SELECT seq FROM effect")).containsExactly("1");
    }

    @Test
    void handsOffNothingOfAPausedQueue() throws Exception {
        Engine engine = engine(QUICK, listener());
        engine.control().pause("direct", new Operator("test", "a reason"));

        assertThat(isDirect(enqueue(engine, 1, options()))).isFalse();
        assertThat(deliveries).isEmpty();
        engine.control().resume("direct", new Operator("test", "a reason"));
        awaitDrained();
    }

    @Test
    void handsOffNothingUnlessEnabled() throws Exception {
        Engine engine = engine(OFF, listener());

        assertThat(isDirect(enqueue(engine, 1, options()))).isFalse();
        awaitDrained();
        assertThat(telemetry.claimed).hasValue(1);
    }

    /** The transaction commits after the engine has stopped: another node claims the message, and counts no crash. */
    @Test
    void freesAMessageWhoseEngineStoppedBeforeTheCommit() throws Exception {
        Engine engine = engine(QUICK, listener());
        Enqueued late = transactions.call(() -> {
            Enqueued enqueued = engine.queue().enqueue("direct", new Step("late", 1));
            engine.close();
            return enqueued;
        });
        assertThat(isDirect(late)).isTrue();
        assertThat(deliveries).isEmpty();

        engine(QUICK, listener());
        awaitDrained();

        assertThat(deliveries).singleElement().satisfies(d -> {
            assertThat(d.id()).isEqualTo(late.id());
            assertThat(d.attempt()).isEqualTo(1);
            assertThat(d.crashes()).isZero();
        });
    }

    /** The message is committed, and no worker of the process was informed. */
    @Test
    void requeuesAMessageWhoseCommitWasNotNoticed() throws Exception {
        Engine engine = engine(QUICK, listener());
        engine.control().pause("direct", new Operator("test", "a reason"));
        enqueue("direct", new Step("a", 1));
        sql("UPDATE acidq_message SET owner = " + engine.node() + ", claim_no = 1, attempts = 1, lane = "
                + QueueStore.LANES);
        engine.control().resume("direct", new Operator("test", "a reason"));

        awaitDrained();

        assertThat(strings("SELECT seq FROM effect")).containsExactly("1");
        assertThat(deliveries).singleElement().satisfies(d -> {
            assertThat(d.attempt()).isEqualTo(1);
            assertThat(d.claimNo()).isEqualTo(2);
        });
    }
}
