package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.acidq.MessageRejectedException;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.engine.EngineFixture.Step;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.store.ClaimStore.Budget;
import io.acidq.store.ClaimStore.ClaimRequest;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.Locking;
import io.acidq.store.NodeStore.NodeRow;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.store.Store;
import io.acidq.telemetry.Telemetry;
import io.acidq.testservers.FullBuild;
import io.acidq.testservers.OddServer;
import io.acidq.testservers.ServerKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** How an engine chooses its claims from what the server turns out to do, and from what was set. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class LockProbeIT {

    private static final String Q = "probed";

    private final ServerKind kind;
    private final Queue<String> notifications = new ConcurrentLinkedQueue<>();
    private EngineFixture engineFixture;

    LockProbeIT(ServerKind kind) {
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

    @Test
    void claimsByLanesOnAServerThatLocksAndSkips() {
        try (Engine engine = engine(engineFixture.store, null)) {
            engine.start();
            assertThat(engine.queues()).allMatch(q -> q.claimStrategy() == ClaimStrategy.LANES);
        }
        assertThat(notifications).containsExactly("LANES SKIPS");
        assertThat(engineFixture.count("SELECT COUNT(*) FROM acidq_lane WHERE queue < 0"))
                .isZero();
    }

    @Test
    void claimsAsItWasSetWhateverTheServerDoes() {
        try (Engine engine = engine(engineFixture.store, ClaimStrategy.OPTIMISTIC)) {
            engine.start();
            assertThat(engine.queues()).allMatch(q -> q.claimStrategy() == ClaimStrategy.OPTIMISTIC);
        }
        assertThat(notifications).containsExactly("OPTIMISTIC SKIPS");
    }

    /** In a build that is not full on two kinds of them: what is found out of each is another test's matter. */
    @Test
    void fallsBackToBatchIdOnEveryServerThatDoesLessThanItSays() throws Exception {
        List<OddServer.Defect> odds = FullBuild.IS_ON
                ? List.of(OddServer.Defect.values())
                : List.of(OddServer.Defect.DOES_NOT_KNOW_SKIP_LOCKED, OddServer.Defect.LOCKS_NOTHING);
        for (OddServer.Defect odd : odds) {
            notifications.clear();
            engineFixture.sql("DELETE FROM effect");
            place(60, null);
            killedAfterClaiming();
            Engine engine = engine(over(odd), null);
            try (engine) {
                engine.start();
                assertThat(notifications).hasSize(1).allMatch(t -> t.startsWith("BATCH_ID "));
                assertThat(engine.queues()).allMatch(q -> q.claimStrategy() == ClaimStrategy.BATCH_ID);
                engineFixture.enqueue(Q, new Step("later", 1), options().delay(Duration.ofMillis(100)));
                engineFixture.drained();
            }
            assertThat(engineFixture.count("SELECT COUNT(DISTINCT k, seq) FROM effect"))
                    .isEqualTo(61);
            assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isEqualTo(61);
        }
    }

    @Test
    void refusesAnOrderingKeyAtEnqueueWhereItFellBackOrWasSetSo() throws Exception {
        Engine set = engine(engineFixture.store, ClaimStrategy.FOR_UPDATE);
        assertThatThrownBy(() -> enqueueOrdered(set))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContainingAll(Q, "FOR_UPDATE", "acidq.queues[" + Q + "].claim-strategy", "LANES");
        try (Engine fellBack = engine(over(OddServer.Defect.LOCKS_NOTHING), null)) {
            fellBack.start();
            assertThatThrownBy(() -> enqueueOrdered(fellBack)).hasMessageContaining("BATCH_ID");
        }
        assertThat(engineFixture.count("SELECT COUNT(*) FROM acidq_message")).isZero();
    }

    @Test
    void refusesToStartWhereMessagesNeedAnOrderThatTheServerDoesNotKeep() throws Exception {
        place(1, "k");
        assertThatThrownBy(
                        () -> engine(over(OddServer.Defect.LOCKS_NOTHING), null).start())
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll(Q, "locks nothing", "acidq.queues[" + Q + "].claim-strategy", "BATCH_ID");
        assertThatThrownBy(() -> engine(over(OddServer.Defect.DOES_NOT_KNOW_SKIP_LOCKED), null)
                        .start())
                .hasMessageContainingAll("does not know SKIP LOCKED", "LANES: claims then wait");
    }

    @Test
    void keepsTheOrderByLanesThatWaitWhereThatWasSet() throws Exception {
        place(40, "k");
        place(40, "l");
        try (Engine one = engine(over(OddServer.Defect.DOES_NOT_KNOW_SKIP_LOCKED), ClaimStrategy.LANES);
                Engine two = engine(over(OddServer.Defect.DOES_NOT_SKIP), ClaimStrategy.LANES)) {
            one.start();
            two.start();
            engineFixture.drained();
        }
        assertThat(notifications).containsExactly("LANES UNKNOWN", "LANES WAITS");
        for (String key : List.of("k", "l")) {
            assertThat(engineFixture.strings("SELECT seq FROM effect WHERE k = '" + key + "' ORDER BY id"))
                    .containsExactlyElementsOf(
                            LongStream.range(0, 40).mapToObj(String::valueOf).toList());
        }
    }

    @Test
    void leavesOrderedMessagesToOthersAndSaysSoOnce() throws Exception {
        place(5, "k");
        place(5, null);
        try (Engine unordered = engine(engineFixture.store, ClaimStrategy.BATCH_ID)) {
            unordered.start();
            await().until(() -> engineFixture.count("SELECT COUNT(*) FROM effect") == 5);
            await().until(() -> notifications.contains("left BATCH_ID"));
            place(5, "k");
            try (Engine ordered = engine(engineFixture.store, null)) {
                ordered.start();
                engineFixture.drained();
            }
        }
        assertThat(notifications).containsOnlyOnce("left BATCH_ID");
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isEqualTo(15);
    }

    private Store over(OddServer.Defect odd) {
        return MyBatisStore.over(OddServer.that(odd, engineFixture.pool), engineFixture.transactions);
    }

    private Engine engine(Store store, @Nullable ClaimStrategy strategy) {
        QueueConfig queue = strategy == null
                ? QueueConfig.defaults()
                : QueueConfig.defaults().withClaimStrategy(strategy);
        return Engine.builder(store)
                .config(EngineFixture.QUICK.withQueue(Q, queue))
                .telemetry(new Telemetry() {
                    @Override
                    public void claimStrategyChosen(String name, ClaimStrategy by, Locking locking) {
                        notifications.add(by + " " + locking);
                    }

                    @Override
                    public void strategyIgnoresOrderingKeys(String name, ClaimStrategy by) {
                        notifications.add("left " + by);
                    }
                })
                .listen(Listener.on(Q, Step.class, (step, delivery) -> {
                    engineFixture.effect(step, delivery.node());
                    return Outcome.done();
                }))
                .build();
    }

    private void enqueueOrdered(Engine engine) throws Exception {
        engineFixture.transactions.call(
                () -> engine.queue().enqueue(Q, new Step("k", 1), options().orderingKey("k")));
    }

    private void killedAfterClaiming() {
        QueueRow queue = engineFixture.store.queues().openQueue(Q);
        int node = engineFixture.store.nodes().register(new NodeRow(Map.of(queue.id(), 2), "killed", "test"));
        engineFixture
                .store
                .claims()
                .lanesWithWork(List.of(queue.id()))
                .forEach(lane -> engineFixture
                        .store
                        .claims()
                        .claimDue(new ClaimRequest(
                                queue.id(),
                                lane.lane(),
                                node,
                                lane.lane() + 1,
                                new Budget(1, 1, false),
                                ClaimStrategy.LANES)));
    }

    private void place(int count, @Nullable String key) throws Exception {
        List<NewMessage> messages = LongStream.range(0, count)
                .mapToObj(i -> new NewMessage(
                        new Step(key == null ? "free" : key, i),
                        key == null ? options() : options().orderingKey(key)))
                .toList();
        engineFixture.transactions.call(() -> engineFixture.sender().queue().enqueueAll(Q, messages));
    }
}
