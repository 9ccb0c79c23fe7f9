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
import io.acidq.engine.World.Step;
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
    private final Queue<String> told = new ConcurrentLinkedQueue<>();
    private World world;

    LockProbeIT(ServerKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        world = new World(kind);
    }

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void claimsByLanesOnAServerThatLocksAndSkips() {
        try (Engine engine = engine(world.store, null)) {
            engine.start();
            assertThat(engine.queues()).allMatch(q -> q.claimStrategy() == ClaimStrategy.LANES);
        }
        assertThat(told).containsExactly("LANES SKIPS");
        assertThat(world.count("SELECT COUNT(*) FROM acidq_lane WHERE queue < 0"))
                .isZero();
    }

    @Test
    void claimsAsItWasSetWhateverTheServerDoes() {
        try (Engine engine = engine(world.store, ClaimStrategy.OPTIMISTIC)) {
            engine.start();
            assertThat(engine.queues()).allMatch(q -> q.claimStrategy() == ClaimStrategy.OPTIMISTIC);
        }
        assertThat(told).containsExactly("OPTIMISTIC SKIPS");
    }

    /** In a build that is not full on two kinds of them: what is found out of each is another test's matter. */
    @Test
    void fallsBackToBatchIdOnEveryServerThatDoesLessThanItSays() throws Exception {
        List<OddServer.Kind> odds = FullBuild.IS_ON
                ? List.of(OddServer.Kind.values())
                : List.of(OddServer.Kind.DOES_NOT_KNOW_SKIP_LOCKED, OddServer.Kind.LOCKS_NOTHING);
        for (OddServer.Kind odd : odds) {
            told.clear();
            world.sql("DELETE FROM effect");
            place(60, null);
            killedAfterClaiming();
            Engine engine = engine(over(odd), null);
            try (engine) {
                engine.start();
                assertThat(told).hasSize(1).allMatch(t -> t.startsWith("BATCH_ID "));
                assertThat(engine.queues()).allMatch(q -> q.claimStrategy() == ClaimStrategy.BATCH_ID);
                world.enqueue(Q, new Step("later", 1), options().delay(Duration.ofMillis(100)));
                world.drained();
            }
            assertThat(world.count("SELECT COUNT(DISTINCT k, seq) FROM effect")).isEqualTo(61);
            assertThat(world.count("SELECT COUNT(*) FROM effect")).isEqualTo(61);
        }
    }

    @Test
    void refusesAnOrderingKeyAtEnqueueWhereItFellBackOrWasSetSo() throws Exception {
        Engine set = engine(world.store, ClaimStrategy.FOR_UPDATE);
        assertThatThrownBy(() -> enqueueOrdered(set))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContainingAll(Q, "FOR_UPDATE", "acidq.queues[" + Q + "].claim-strategy", "LANES");
        try (Engine fellBack = engine(over(OddServer.Kind.LOCKS_NOTHING), null)) {
            fellBack.start();
            assertThatThrownBy(() -> enqueueOrdered(fellBack)).hasMessageContaining("BATCH_ID");
        }
        assertThat(world.count("SELECT COUNT(*) FROM acidq_message")).isZero();
    }

    @Test
    void refusesToStartWhereMessagesNeedAnOrderThatTheServerDoesNotKeep() throws Exception {
        place(1, "k");
        assertThatThrownBy(
                        () -> engine(over(OddServer.Kind.LOCKS_NOTHING), null).start())
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll(Q, "locks nothing", "acidq.queues[" + Q + "].claim-strategy", "BATCH_ID");
        assertThatThrownBy(() -> engine(over(OddServer.Kind.DOES_NOT_KNOW_SKIP_LOCKED), null)
                        .start())
                .hasMessageContainingAll("does not know SKIP LOCKED", "LANES: claims then wait");
    }

    @Test
    void keepsTheOrderByLanesThatWaitWhereThatWasSet() throws Exception {
        place(40, "k");
        place(40, "l");
        try (Engine one = engine(over(OddServer.Kind.DOES_NOT_KNOW_SKIP_LOCKED), ClaimStrategy.LANES);
                Engine two = engine(over(OddServer.Kind.DOES_NOT_SKIP), ClaimStrategy.LANES)) {
            one.start();
            two.start();
            world.drained();
        }
        assertThat(told).containsExactly("LANES UNKNOWN", "LANES WAITS");
        for (String key : List.of("k", "l")) {
            assertThat(world.strings("SELECT seq FROM effect WHERE k = '" + key + "' ORDER BY id"))
                    .containsExactlyElementsOf(
                            LongStream.range(0, 40).mapToObj(String::valueOf).toList());
        }
    }

    @Test
    void leavesOrderedMessagesToOthersAndSaysSoOnce() throws Exception {
        place(5, "k");
        place(5, null);
        try (Engine unordered = engine(world.store, ClaimStrategy.BATCH_ID)) {
            unordered.start();
            await().until(() -> world.count("SELECT COUNT(*) FROM effect") == 5);
            await().until(() -> told.contains("left BATCH_ID"));
            place(5, "k");
            try (Engine ordered = engine(world.store, null)) {
                ordered.start();
                world.drained();
            }
        }
        assertThat(told).containsOnlyOnce("left BATCH_ID");
        assertThat(world.count("SELECT COUNT(*) FROM effect")).isEqualTo(15);
    }

    private Store over(OddServer.Kind odd) {
        return MyBatisStore.over(OddServer.that(odd, world.pool), world.transactions);
    }

    private Engine engine(Store store, @Nullable ClaimStrategy strategy) {
        QueueConfig queue = strategy == null
                ? QueueConfig.defaults()
                : QueueConfig.defaults().withClaimStrategy(strategy);
        return Engine.builder(store)
                .config(World.QUICK.withQueue(Q, queue))
                .telemetry(new Telemetry() {
                    @Override
                    public void claimsBy(String name, ClaimStrategy by, Locking locking) {
                        told.add(by + " " + locking);
                    }

                    @Override
                    public void leftOrdered(String name, ClaimStrategy by) {
                        told.add("left " + by);
                    }
                })
                .listen(Listener.on(Q, Step.class, (step, delivery) -> {
                    world.effect(step, delivery.node());
                    return Outcome.done();
                }))
                .build();
    }

    private void enqueueOrdered(Engine engine) throws Exception {
        world.transactions.call(
                () -> engine.queue().enqueue(Q, new Step("k", 1), options().orderingKey("k")));
    }

    private void killedAfterClaiming() {
        QueueRow queue = world.store.queues().openQueue(Q);
        int node = world.store.nodes().register(new NodeRow(Map.of(queue.id(), 2), "killed", "test"));
        world.store
                .claims()
                .lanesWithWork(List.of(queue.id()))
                .forEach(lane -> world.store
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
        world.transactions.call(() -> world.sender().queue().enqueueAll(Q, messages));
    }
}
