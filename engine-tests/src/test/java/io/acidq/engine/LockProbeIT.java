package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.MessageRejectedException;
import io.acidq.NewMessage;
import io.acidq.QueueMisuseException;
import io.acidq.config.QueueConfig;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.store.ClaimStore.Budget;
import io.acidq.store.ClaimStore.ClaimRequest;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.NodeStore.NodeRow;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.store.ServerStore.Locking;
import io.acidq.store.Store;
import io.acidq.telemetry.Telemetry;
import io.acidq.testservers.FaultyDataSource;
import io.acidq.testservers.FullBuild;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How an engine chooses its claim strategy from the observed locking of the server and from the configuration. */
class LockProbeIT extends FreshEngineTests {

    private static final String Q = "probed";

    private final Queue<String> notifications = new ConcurrentLinkedQueue<>();

    @Test
    void claimsByLanesOnAServerThatLocksAndSkips() {
        try (Engine engine = engine(store, null)) {
            engine.start();
            assertThat(engine.queues()).allMatch(q -> q.claimStrategy() == ClaimStrategy.LANES);
        }
        assertThat(notifications).containsExactly("LANES SKIPS");
        assertThat(rows("acidq_lane WHERE queue < 0")).isZero();
    }

    @Test
    void usesTheConfiguredStrategyWhateverTheServerDoes() {
        try (Engine engine = engine(store, ClaimStrategy.OPTIMISTIC)) {
            engine.start();
            assertThat(engine.queues()).allMatch(q -> q.claimStrategy() == ClaimStrategy.OPTIMISTIC);
        }
        assertThat(notifications).containsExactly("OPTIMISTIC SKIPS");
    }

    /** Only a full build tries all defects of locks. The store's tests show how each is detected. */
    @Test
    void fallsBackToBatchIdOnServersThatLockDifferently() throws Exception {
        Set<FaultyDataSource.Defect> odds = FullBuild.IS_ON
                ? EnumSet.complementOf(EnumSet.of(FaultyDataSource.Defect.DELETES_NOTHING))
                : EnumSet.of(FaultyDataSource.Defect.DOES_NOT_KNOW_SKIP_LOCKED, FaultyDataSource.Defect.LOCKS_NOTHING);
        for (FaultyDataSource.Defect odd : odds) {
            notifications.clear();
            sql("DELETE FROM effect");
            place(60, null);
            killedAfterClaiming();
            Engine engine = engine(over(odd), null);
            try (engine) {
                engine.start();
                assertThat(notifications).hasSize(1).allMatch(t -> t.startsWith("BATCH_ID "));
                assertThat(engine.queues()).allMatch(q -> q.claimStrategy() == ClaimStrategy.BATCH_ID);
                enqueue(Q, new Step("later", 1), options().delay(Duration.ofMillis(100)));
                awaitDrained();
            }
            assertThat(count("SELECT COUNT(DISTINCT k, seq) FROM effect")).isEqualTo(61);
            assertThat(effects()).isEqualTo(61);
        }
    }

    @Test
    void refusesAnOrderingKeyAtEnqueueWithAStrategyThatIgnoresIt() throws Exception {
        Engine set = engine(store, ClaimStrategy.FOR_UPDATE);
        assertThatThrownBy(() -> enqueueOrdered(set))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContainingAll(Q, "FOR_UPDATE", "acidq.queues[" + Q + "].claim-strategy", "LANES");
        try (Engine fellBack = engine(over(FaultyDataSource.Defect.LOCKS_NOTHING), null)) {
            fellBack.start();
            assertThatThrownBy(() -> enqueueOrdered(fellBack)).hasMessageContaining("BATCH_ID");
        }
        assertThat(rows("acidq_message")).isZero();
    }

    @Test
    void refusesToStartWhereOrderedMessagesExistAndTheServerCannotKeepTheOrder() throws Exception {
        place(1, "k");
        assertThatThrownBy(() -> engine(over(FaultyDataSource.Defect.LOCKS_NOTHING), null)
                        .start())
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll(Q, "locks nothing", "acidq.queues[" + Q + "].claim-strategy", "BATCH_ID");
        assertThatThrownBy(() -> engine(over(FaultyDataSource.Defect.DOES_NOT_KNOW_SKIP_LOCKED), null)
                        .start())
                .hasMessageContainingAll("does not know SKIP LOCKED", "LANES, which keeps the order: claims then wait");
    }

    @Test
    void keepsTheOrderWithLanesOnAServerWithoutSkipLocked() throws Exception {
        place(40, "k");
        place(40, "l");
        try (Engine one = engine(over(FaultyDataSource.Defect.DOES_NOT_KNOW_SKIP_LOCKED), ClaimStrategy.LANES);
                Engine two = engine(over(FaultyDataSource.Defect.DOES_NOT_SKIP), ClaimStrategy.LANES)) {
            one.start();
            two.start();
            awaitDrained();
        }
        assertThat(notifications).containsExactly("LANES UNKNOWN", "LANES WAITS");
        for (String key : List.of("k", "l")) {
            assertThat(strings("SELECT seq FROM effect WHERE k = '" + key + "' ORDER BY id"))
                    .containsExactlyElementsOf(
                            LongStream.range(0, 40).mapToObj(String::valueOf).toList());
        }
    }

    @Test
    void leavesOrderedMessagesToOtherNodesAndReportsItOnce() throws Exception {
        place(5, "k");
        place(5, null);
        try (Engine unordered = engine(store, ClaimStrategy.BATCH_ID)) {
            unordered.start();
            awaitRows("effect", 5);
            awaitUntil(() -> notifications.contains("left BATCH_ID"));
            place(5, "k");
            try (Engine ordered = engine(store, null)) {
                ordered.start();
                awaitDrained();
            }
        }
        assertThat(notifications).containsOnlyOnce("left BATCH_ID");
        assertThat(effects()).isEqualTo(15);
    }

    private Store over(FaultyDataSource.Defect odd) {
        return MyBatisStore.over(FaultyDataSource.that(odd, pool), transactions);
    }

    private Engine engine(Store store, @Nullable ClaimStrategy strategy) {
        QueueConfig queue = strategy == null
                ? QueueConfig.defaults()
                : QueueConfig.defaults().withClaimStrategy(strategy);
        return Engine.builder(store)
                .config(QUICK.withQueue(Q, queue))
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
                .listen(on(Q, this::effect))
                .build();
    }

    private void enqueueOrdered(Engine engine) throws Exception {
        transactions.call(
                () -> engine.queue().enqueue(Q, new Step("k", 1), options().orderingKey("k")));
    }

    private void killedAfterClaiming() {
        QueueRow queue = store.queues().openQueue(Q);
        int node = store.nodes().register(new NodeRow(Map.of(queue.id(), 2), "killed", "test"));
        store.claims()
                .lanesWithWork(List.of(queue.id()))
                .forEach(lane -> store.claims()
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
        enqueueAll(Q, messages);
    }
}
