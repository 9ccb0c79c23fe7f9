package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.Delivery;
import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.admin.DeadLetter;
import io.acidq.engine.loop.DatabaseMonitor;
import io.acidq.engine.loop.HistoryCounters;
import io.acidq.engine.loop.WakeUps;
import io.acidq.engine.maintenance.Rescuer;
import io.acidq.engine.node.Heartbeat;
import io.acidq.engine.node.NodeContext;
import io.acidq.engine.node.NodeContext.OpenClaims;
import io.acidq.engine.node.NodeContext.SuspectSlot;
import io.acidq.engine.node.NodeMonitor;
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
import io.acidq.telemetry.EngineHealth.DatabaseState;
import io.acidq.telemetry.SafeTelemetry;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Heartbeats, dead nodes, rescue, counted crashes and reconciliation on a real server. */
class DeadNodeIT extends FreshEngineTests {

    private static final String Q = "mortal";

    private QueueRow queue;

    @BeforeEach
    void openQueue() {
        queue = store.queues().openQueue(Q);
    }

    @Test
    void rescuesTheClaimsOfADeadNodeAndSuspectsOnlyMessagesThatMayHaveBeenRunning() throws Exception {
        place(6);
        List<ClaimedMessage> held = claimAll(nodeWithWorkers(2));
        assertThat(held).hasSize(6);
        Queue<Delivery> deliveries = new ConcurrentLinkedQueue<>();
        listen((step, delivery) -> {
            deliveries.add(delivery);
            return effect(step, delivery);
        });
        awaitDrained();
        assertThat(deliveries).hasSize(6).allSatisfy(d -> {
            assertThat(d.attempt()).as("no attempt was lost to the crash").isEqualTo(1);
            assertThat(d.claimNo()).isGreaterThan(1);
        });
        List<MessageId> suspects = deliveries.stream()
                .filter(d -> d.crashes() == 1)
                .map(Delivery::id)
                .toList();
        assertThat(suspects).containsExactlyInAnyOrder(idOf(held.get(0)), idOf(held.get(1)));
        assertThat(deadLetters().list(Q, 10)).isEmpty();
    }

    @Test
    void deadLettersAMessageThatKilledThreeProcesses() throws Exception {
        place(1);
        Rescuer rescuer = new Rescuer(store.nodes(), QUICK, new WakeUps(), SafeTelemetry.of(List.of()));
        for (int crash = 1; crash <= 3; crash++) {
            int doomed = nodeWithWorkers(4);
            assertThat(claimAll(doomed)).hasSize(1).allMatch(m -> m.attempts() == 1);
            assertThat(store.nodes().declareDeadIfSilent(new NodeHeartbeats(doomed, 0)))
                    .isTrue();
            rescuer.runOnce();
            assertThat(rows("acidq_message WHERE owner = 0 AND attempts = 0 AND crashes = " + crash))
                    .isEqualTo(crash < 3 ? 1 : 0);
        }
        DeadLetter dead = deadLetters().list(Q, 10).get(0);
        assertThat(dead.crashes()).isEqualTo(3);
        assertThat(dead.error()).contains("killed 3 processes");
    }

    @Test
    void runsASuspectAlone() throws Exception {
        place(1);
        claimAll(nodeWithWorkers(1));
        AtomicInteger running = new AtomicInteger();
        Queue<String> besideIt = new ConcurrentLinkedQueue<>();
        place(40);
        AtomicInteger suspects = new AtomicInteger();
        listen(on(Q, (step, delivery) -> {
                    running.incrementAndGet();
                    try {
                        if (delivery.crashes() > 0) {
                            suspects.incrementAndGet();
                            place(40); // messages that could start beside it
                            for (int i = 0; i < 50; i++) {
                                if (running.get() != 1) {
                                    besideIt.add(running.get() + " ran");
                                }
                                effects();
                            }
                        }
                        return effect(step, delivery);
                    } finally {
                        running.decrementAndGet();
                    }
                })
                .withConcurrency(8));
        awaitDrained();
        assertThat(suspects).hasValue(1);
        assertThat(besideIt).isEmpty();
        assertThat(effects()).isEqualTo(81);
    }

    @Test
    void rollsBackTheRunOfANodeThatWasDeclaredDeadAndRegistersItAgain() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        RecordedTelemetry telemetry = new RecordedTelemetry();
        AtomicInteger starts = new AtomicInteger();
        Engine engine = engine(e -> e.telemetry(telemetry).listen(on(Q, (step, delivery) -> {
            insertEffect(step, delivery.node());
            if (starts.incrementAndGet() == 1) {
                inside.countDown();
                go.await();
            }
            return Outcome.done();
        })));
        place(1);
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
        int first = engine.node();
        assertThat(sql("UPDATE acidq_node SET state = 'DEAD' WHERE id = " + first))
                .isEqualTo(1);
        awaitUntil(() -> engine.node() > first);
        awaitRows("acidq_message WHERE owner = " + first, 0);
        go.countDown();
        awaitDrained();
        assertThat(telemetry.fenced).hasSize(1);
        assertThat(strings("SELECT tag FROM effect")).containsExactly(Integer.toString(engine.node()));
    }

    /** A claim made in between belonged to no living node: its attempt was counted, and the message stayed unclaimed. */
    @Test
    void claimsNothingWhileTheNodeRegistersAgain() throws Exception {
        place(1);
        Queue<Delivery> deliveries = new ConcurrentLinkedQueue<>();
        AtomicInteger numbers = new AtomicInteger();
        AtomicBoolean declared = new AtomicBoolean();
        CountDownLatch nameless = new CountDownLatch(1);
        CountDownLatch claiming = new CountDownLatch(1);
        Store watched = StoreHook.beforeClaims(store, (call, args) -> {
            boolean polling = Thread.currentThread().getName().contains("poll");
            if (polling && call.equals("lanesWithWork") && declared.compareAndSet(false, true)) {
                sql("UPDATE acidq_node SET state = 'DEAD'");
                awaitUntil(() -> nameless.getCount() == 0);
            } else if (call.equals("claimDue")) {
                claiming.countDown();
            }
        });
        Store slowToRegister = StoreHook.beforeNodes(watched, (call, args) -> {
            if (call.equals("register") && numbers.incrementAndGet() == 2) {
                nameless.countDown();
                claiming.await(500, TimeUnit.MILLISECONDS);
            }
        });
        try (Engine engine = Engine.builder(slowToRegister)
                .config(QUICK)
                .listen(on(Q, (step, delivery) -> {
                    deliveries.add(delivery);
                    return effect(step, delivery);
                }))
                .build()) {
            engine.start();
            awaitDrained();
        }
        assertThat(numbers).hasValue(2);
        assertThat(deliveries).singleElement().satisfies(d -> {
            assertThat(d.attempt()).isEqualTo(1);
            assertThat(d.claimNo()).isEqualTo(1);
        });
    }

    @Test
    void requeuesItsOwnClaimsThatAreNotInItsBuffer() throws Exception {
        Engine engine = listen(on(Q, this::effect).withRetry(ONE_ATTEMPT));
        // as after a COMMIT of unknown outcome: the row names this node, and the buffer does not contain the message
        transactions.call(() -> {
            queue().enqueue(Q, new Step("lost", 1), options().orderingKey("k"));
            try (var update = transactions.connection().createStatement()) {
                update.executeUpdate(
                        "UPDATE acidq_message SET owner = " + engine.node() + ", claim_no = 1, attempts = 1");
                update.executeUpdate("UPDATE acidq_lane SET claimed_to = (SELECT MAX(id) FROM acidq_message)");
            }
            return null;
        });
        awaitDrained();
        assertThat(effects()).isEqualTo(1);
        assertThat(deadLetters().list(Q, 10)).isEmpty();
    }

    @Test
    void startsNothingWhenItsHeartbeatsFail() {
        AtomicLong now = new AtomicLong();
        Heartbeat heartbeat = heartbeat(now);
        heartbeat.runOnce();
        int node = heartbeat.node();
        assertThat(heartbeat.mayStart(node)).isTrue();
        now.addAndGet(QUICK.heartbeatInterval().multipliedBy(3).toNanos());
        assertThat(heartbeat.mayStart(node))
                .as("three heartbeats without an answer")
                .isFalse();
        heartbeat.runOnce();
        assertThat(heartbeat.mayStart(node)).isTrue();
        assertThat(heartbeat.mayStart(node - 1))
                .as("claims under another node number")
                .isFalse();
    }

    @Test
    void declaresANodeDeadOnlyAfterEnoughReadsInTimeWithoutAHeartbeat() {
        AtomicLong now = new AtomicLong();
        int silent = nodeWithWorkers(1);
        Heartbeat living = heartbeat(now);
        NodeMonitor monitor = new NodeMonitor(
                store.nodes(),
                QUICK,
                new NodeContext(
                        heartbeat(now),
                        new OpenClaims(),
                        new SuspectSlot(),
                        new NodeContext.CancelRequests(),
                        () -> {},
                        now::get,
                        new HistoryCounters(false),
                        SafeTelemetry.of(List.of())),
                () -> {});
        living.runOnce();
        runMonitor(monitor, living, now, 3);
        now.addAndGet(Duration.ofMinutes(10).toNanos()); // the process was suspended
        runMonitor(monitor, living, now, 3);
        assertThat(strings("SELECT state FROM acidq_node WHERE id = " + silent))
                .as("three reads, a late one that starts again, two more")
                .containsExactly("ALIVE");
        runMonitor(monitor, living, now, 1);
        assertThat(strings("SELECT state FROM acidq_node WHERE id = " + silent)).containsExactly("DEAD");
        assertThat(strings("SELECT state FROM acidq_node WHERE id = " + living.node()))
                .containsExactly("ALIVE");
    }

    private static void runMonitor(NodeMonitor monitor, Heartbeat living, AtomicLong now, int times) {
        for (int i = 0; i < times; i++) {
            living.runOnce();
            monitor.runOnce();
            now.addAndGet(QUICK.heartbeatInterval().toNanos());
        }
    }

    private Heartbeat heartbeat(AtomicLong now) {
        DatabaseMonitor watch = new DatabaseMonitor(QUICK.heartbeatInterval(), now::get, SafeTelemetry.of(List.of()));
        watch.reset(DatabaseState.UP);
        return new Heartbeat(
                store.nodes(),
                () -> new NodeRow(Map.of(), "test", "test"),
                QUICK.heartbeatInterval(),
                node -> {},
                watch,
                SafeTelemetry.of(List.of()));
    }

    private int nodeWithWorkers(int workers) {
        return store.nodes().register(new NodeRow(Map.of(queue.id(), workers), "test", "test"));
    }

    /** Claims all messages for a node that then dies, with one transaction per lane. */
    private List<ClaimedMessage> claimAll(int node) {
        List<ClaimedMessage> all = new ArrayList<>();
        long batch = 0;
        for (Lane found : store.claims().lanesWithWork(List.of(queue.id()))) {
            int lane = found.lane();
            Claimed claimed = store.claims()
                    .claimDue(new ClaimRequest(
                            queue.id(), lane, node, ++batch, new Budget(100, 100, true), ClaimStrategy.LANES));
            all.addAll(claimed.messages());
        }
        return all;
    }

    private void place(int count) throws Exception {
        place(Q, 0, count - 1);
    }

    private void listen(io.acidq.Handler<Step> handler) {
        listen(on(Q, handler).withRetry(ONE_ATTEMPT));
    }

    private static MessageId idOf(ClaimedMessage message) {
        return new MessageId(Q, message.claim().lane(), message.uid());
    }
}
