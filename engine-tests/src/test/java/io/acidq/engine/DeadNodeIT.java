package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.Delivery;
import io.acidq.MessageId;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.admin.DeadLetter;
import io.acidq.config.Listener;
import io.acidq.engine.EngineFixture.Step;
import io.acidq.engine.loop.DatabaseMonitor;
import io.acidq.engine.loop.WakeUps;
import io.acidq.engine.maintenance.Rescuer;
import io.acidq.engine.node.Heartbeat;
import io.acidq.engine.node.NodeContext;
import io.acidq.engine.node.NodeContext.OpenClaims;
import io.acidq.engine.node.NodeContext.SuspectSlot;
import io.acidq.engine.node.NodeMonitor;
import io.acidq.resilience.RetryPolicy;
import io.acidq.store.ClaimStore.Budget;
import io.acidq.store.ClaimStore.ClaimRequest;
import io.acidq.store.ClaimStore.Claimed;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.Lane;
import io.acidq.store.NodeStore.NodeHeartbeats;
import io.acidq.store.NodeStore.NodeRow;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.store.Store;
import io.acidq.telemetry.DatabaseState;
import io.acidq.telemetry.SafeTelemetry;
import io.acidq.telemetry.Telemetry;
import io.acidq.testservers.ServerKind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Liveness, burial, rescue, crash accounting and reconciliation, on a real server. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class DeadNodeIT {

    private static final String Q = "mortal";
    private static final RetryPolicy ONE_ATTEMPT = RetryPolicy.defaults().withMaxAttempts(1);

    private final ServerKind kind;
    private EngineFixture engineFixture;
    private QueueRow queue;

    DeadNodeIT(ServerKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        engineFixture = new EngineFixture(kind);
        queue = engineFixture.store.queues().openQueue(Q);
    }

    @AfterEach
    void close() {
        engineFixture.close();
    }

    @Test
    void rescuesWhatADeadNodeHeldAndSuspectsOnlyWhatCanHaveBeenRunning() throws Exception {
        place(6);
        List<ClaimedMessage> held = claimAll(nodeWithWorkers(2));
        assertThat(held).hasSize(6);
        Queue<Delivery> deliveries = new ConcurrentLinkedQueue<>();
        listen((step, delivery) -> {
            deliveries.add(delivery);
            return effect(step, delivery);
        });
        engineFixture.drained();
        assertThat(deliveries).hasSize(6).allSatisfy(d -> {
            assertThat(d.attempt()).as("no attempt was lost to the crash").isEqualTo(1);
            assertThat(d.claimNo()).isGreaterThan(1);
        });
        List<MessageId> suspects = deliveries.stream()
                .filter(d -> d.crashes() == 1)
                .map(Delivery::id)
                .toList();
        assertThat(suspects).containsExactlyInAnyOrder(idOf(held.get(0)), idOf(held.get(1)));
        assertThat(engineFixture.sender().deadLetters().list(Q, 10)).isEmpty();
    }

    @Test
    void makesADeadLetterOfAMessageThatKilledThreeProcesses() throws Exception {
        place(1);
        Rescuer rescuer = new Rescuer(
                engineFixture.store.nodes(), EngineFixture.QUICK, new WakeUps(), SafeTelemetry.of(List.of()));
        for (int death = 1; death <= 3; death++) {
            int doomed = nodeWithWorkers(4);
            assertThat(claimAll(doomed)).hasSize(1).allMatch(m -> m.attempts() == 1);
            assertThat(engineFixture.store.nodes().declareDeadIfSilent(new NodeHeartbeats(doomed, 0)))
                    .isTrue();
            rescuer.runOnce();
            assertThat(engineFixture.count(
                            "SELECT COUNT(*) FROM acidq_message WHERE owner = 0 AND attempts = 0 AND crashes = "
                                    + death))
                    .isEqualTo(death < 3 ? 1 : 0);
        }
        DeadLetter dead = engineFixture.sender().deadLetters().list(Q, 10).get(0);
        assertThat(dead.crashes()).isEqualTo(3);
        assertThat(dead.mark()).contains("killed 3 processes");
    }

    @Test
    void runsASuspectAlone() throws Exception {
        place(1);
        claimAll(nodeWithWorkers(1));
        AtomicInteger running = new AtomicInteger();
        Queue<String> besideIt = new ConcurrentLinkedQueue<>();
        place(40);
        AtomicInteger suspects = new AtomicInteger();
        engineFixture.engine(e -> e.listen(Listener.on(Q, Step.class, (step, delivery) -> {
                    running.incrementAndGet();
                    try {
                        if (delivery.crashes() > 0) {
                            suspects.incrementAndGet();
                            place(40); // plenty that could start beside it
                            for (int i = 0; i < 50; i++) {
                                if (running.get() != 1) {
                                    besideIt.add(running.get() + " ran");
                                }
                                engineFixture.count("SELECT COUNT(*) FROM effect");
                            }
                        }
                        return effect(step, delivery);
                    } finally {
                        running.decrementAndGet();
                    }
                })
                .withConcurrency(8)));
        engineFixture.drained();
        assertThat(suspects).hasValue(1);
        assertThat(besideIt).isEmpty();
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isEqualTo(81);
    }

    @Test
    void rollsBackTheStaleRunOfABuriedNodeAndRegistersAnew() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Queue<MessageId> fenced = new ConcurrentLinkedQueue<>();
        AtomicInteger starts = new AtomicInteger();
        Engine engine = engineFixture.engine(e -> e.telemetry(new Telemetry() {
                    @Override
                    public void fenced(MessageId id) {
                        fenced.add(id);
                    }
                })
                .listen(Listener.on(Q, Step.class, (step, delivery) -> {
                    engineFixture.effect(step, delivery.node());
                    if (starts.incrementAndGet() == 1) {
                        inside.countDown();
                        go.await();
                    }
                    return Outcome.done();
                })));
        place(1);
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
        int first = engine.node();
        assertThat(engineFixture.sql("UPDATE acidq_node SET state = 'DEAD' WHERE id = " + first))
                .isEqualTo(1);
        await().until(() -> engine.node() > first);
        await().until(() -> engineFixture.count("SELECT COUNT(*) FROM acidq_message WHERE owner = " + first) == 0);
        go.countDown();
        engineFixture.drained();
        assertThat(fenced).hasSize(1);
        assertThat(engineFixture.strings("SELECT node FROM effect")).containsExactly(Integer.toString(engine.node()));
    }

    /** A claim made then was nobody's: its attempt was counted, and the message was as free as before. */
    @Test
    void claimsNothingBetweenTwoOfItsNumbers() throws Exception {
        place(1);
        Queue<Delivery> deliveries = new ConcurrentLinkedQueue<>();
        AtomicInteger numbers = new AtomicInteger();
        AtomicBoolean buried = new AtomicBoolean();
        CountDownLatch nameless = new CountDownLatch(1);
        CountDownLatch claiming = new CountDownLatch(1);
        Store watched = ClaimStoreHook.of(engineFixture.store, (call, args) -> {
            boolean polling = Thread.currentThread().getName().contains("poll");
            if (polling && call.equals("lanesWithWork") && buried.compareAndSet(false, true)) {
                engineFixture.sql("UPDATE acidq_node SET state = 'DEAD'");
                await().until(() -> nameless.getCount() == 0);
            } else if (call.equals("claimDue")) {
                claiming.countDown();
            }
        });
        Store slowToRegister = NodeStoreHook.of(watched, call -> {
            if (call.equals("register") && numbers.incrementAndGet() == 2) {
                nameless.countDown();
                claiming.await(500, TimeUnit.MILLISECONDS);
            }
        });
        try (Engine engine = Engine.builder(slowToRegister)
                .config(EngineFixture.QUICK)
                .listen(Listener.on(Q, Step.class, (step, delivery) -> {
                    deliveries.add(delivery);
                    return effect(step, delivery);
                }))
                .build()) {
            engine.start();
            engineFixture.drained();
        }
        assertThat(numbers).hasValue(2);
        assertThat(deliveries).singleElement().satisfies(d -> {
            assertThat(d.attempt()).isEqualTo(1);
            assertThat(d.claimNo()).isEqualTo(1);
        });
    }

    @Test
    void givesBackOwnClaimsThatNothingKnowsOf() throws Exception {
        Engine engine = engineFixture.engine(e ->
                e.listen(Listener.on(Q, Step.class, (step, delivery) -> effect(step, delivery))
                        .withRetry(ONE_ATTEMPT)));
        // as if the COMMIT of a claim had an unknown outcome: the row says it is ours, no buffer has it
        engineFixture.transactions.call(() -> {
            engineFixture
                    .sender()
                    .queue()
                    .enqueue(Q, new Step("lost", 1), options().orderingKey("k"));
            try (var update = engineFixture.transactions.connection().createStatement()) {
                update.executeUpdate(
                        "UPDATE acidq_message SET owner = " + engine.node() + ", claim_no = 1, attempts = 1");
                update.executeUpdate("UPDATE acidq_lane SET claimed_to = (SELECT MAX(id) FROM acidq_message)");
            }
            return null;
        });
        engineFixture.drained();
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isEqualTo(1);
        assertThat(engineFixture.sender().deadLetters().list(Q, 10)).isEmpty();
    }

    @Test
    void startsNothingWhenItsBeatsFail() {
        AtomicLong now = new AtomicLong();
        Heartbeat heart = heartbeat(now);
        heart.runOnce();
        int node = heart.node();
        assertThat(heart.mayStart(node)).isTrue();
        now.addAndGet(EngineFixture.QUICK.heartbeatInterval().multipliedBy(3).toNanos());
        assertThat(heart.mayStart(node))
                .as("three heartbeats without an answer")
                .isFalse();
        heart.runOnce();
        assertThat(heart.mayStart(node)).isTrue();
        assertThat(heart.mayStart(node - 1)).as("claims of another incarnation").isFalse();
    }

    @Test
    void buriesAfterSilentLooksOnlyAndNeverAfterALateOne() {
        AtomicLong now = new AtomicLong();
        int silent = nodeWithWorkers(1);
        Heartbeat living = heartbeat(now);
        NodeMonitor observer = new NodeMonitor(
                engineFixture.store.nodes(),
                EngineFixture.QUICK,
                new NodeContext(
                        heartbeat(now),
                        new OpenClaims(),
                        new SuspectSlot(),
                        () -> {},
                        now::get,
                        SafeTelemetry.of(List.of())),
                () -> {});
        living.runOnce();
        runMonitor(observer, living, now, 3);
        now.addAndGet(Duration.ofMinutes(10).toNanos()); // this process slept, or was cut off
        runMonitor(observer, living, now, 3);
        assertThat(engineFixture.strings("SELECT state FROM acidq_node WHERE id = " + silent))
                .as("three looks, a late one that begins anew, two more")
                .containsExactly("ALIVE");
        runMonitor(observer, living, now, 1);
        assertThat(engineFixture.strings("SELECT state FROM acidq_node WHERE id = " + silent))
                .containsExactly("DEAD");
        assertThat(engineFixture.strings("SELECT state FROM acidq_node WHERE id = " + living.node()))
                .containsExactly("ALIVE");
    }

    private static void runMonitor(NodeMonitor observer, Heartbeat living, AtomicLong now, int times) {
        for (int i = 0; i < times; i++) {
            living.runOnce();
            observer.runOnce();
            now.addAndGet(EngineFixture.QUICK.heartbeatInterval().toNanos());
        }
    }

    private Heartbeat heartbeat(AtomicLong now) {
        DatabaseMonitor watch =
                new DatabaseMonitor(EngineFixture.QUICK.heartbeatInterval(), now::get, SafeTelemetry.of(List.of()));
        watch.reset(DatabaseState.UP);
        return new Heartbeat(
                engineFixture.store.nodes(),
                () -> new NodeRow(Map.of(), "test", "test"),
                EngineFixture.QUICK.heartbeatInterval(),
                buried -> {},
                watch,
                SafeTelemetry.of(List.of()));
    }

    private int nodeWithWorkers(int workers) {
        return engineFixture.store.nodes().register(new NodeRow(Map.of(queue.id(), workers), "test", "test"));
    }

    /** Claims as a node does that then dies: lane by lane, each a claim transaction of its own. */
    private List<ClaimedMessage> claimAll(int node) {
        List<ClaimedMessage> all = new ArrayList<>();
        long batch = 0;
        for (Lane found : engineFixture.store.claims().lanesWithWork(List.of(queue.id()))) {
            int lane = found.lane();
            Claimed claimed = engineFixture
                    .store
                    .claims()
                    .claimDue(new ClaimRequest(
                            queue.id(), lane, node, ++batch, new Budget(100, 100, true), ClaimStrategy.LANES));
            all.addAll(claimed.messages());
        }
        return all;
    }

    private void place(int count) throws Exception {
        List<NewMessage> messages = LongStream.range(0, count)
                .mapToObj(i -> NewMessage.of(new Step("m", i)))
                .toList();
        engineFixture.transactions.call(() -> engineFixture.sender().queue().enqueueAll(Q, messages));
    }

    private void listen(io.acidq.Handler<Step> handler) {
        engineFixture.engine(e -> e.listen(Listener.on(Q, Step.class, handler).withRetry(ONE_ATTEMPT)));
    }

    private Outcome effect(Step step, Delivery delivery) throws SQLException {
        engineFixture.effect(step, delivery.node());
        return Outcome.done();
    }

    private static MessageId idOf(ClaimedMessage message) {
        return new MessageId(Q, message.claim().lane(), message.uid());
    }
}
