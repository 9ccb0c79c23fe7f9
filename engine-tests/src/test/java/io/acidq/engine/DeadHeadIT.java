package io.acidq.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.DeadHeadPolicy;
import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.admin.BlockedKeys;
import io.acidq.admin.BlockedKeys.BlockedKey;
import io.acidq.admin.BulkAction;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.Operator;
import io.acidq.config.EngineConfig;
import io.acidq.config.QueueConfig;
import io.acidq.telemetry.Telemetry;
import io.acidq.testservers.FullBuild;
import io.acidq.testservers.ServerKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Ordering keys whose heads are dead-lettered, on a real server: no message overtakes or is lost, and operators can list and release the keys. */
@AnyServer(ServerKind.MYSQL)
class DeadHeadIT extends FreshEngineTests {

    private static final String Q = "held";
    private static final int CLAIMERS = 8;
    private static final int LATE = 30;
    private static final int BACKLOG = FullBuild.IS_ON ? 2_000 : BlockedKey.MAX_COUNTED + 100;

    private final Random dice = new Random(7);

    @ParameterizedTest
    @CsvSource({"BLOCK,3", "PARK,3"})
    void keepsTheOrderOfEachKeyWithDeadHeadsDeadNodesReplaysAndLateCommits(DeadHeadPolicy policy, int keys)
            throws Exception {
        int perKey = 150 / keys + 10;
        for (int i = 0; i < CLAIMERS; i++) {
            engine(policy, (step, delivery) -> {
                insertEffect(step, delivery.node());
                return dice.nextInt(15) == 0 ? Outcome.dead("chance") : Outcome.done();
            });
        }
        ScheduledExecutorService fate = Executors.newScheduledThreadPool(2);
        fate.scheduleWithFixedDelay(this::replayAll, 20, 20, TimeUnit.MILLISECONDS);
        fate.scheduleWithFixedDelay(this::declareOneDead, 300, 300, TimeUnit.MILLISECONDS);
        Semaphore placed = new Semaphore(0);
        ExecutorService threads = Executors.newFixedThreadPool(5);
        List<Future<?>> producers = new ArrayList<>();
        producers.add(threads.submit(() -> lateTransactions(placed)));
        for (int p = 0; p < 4; p++) {
            int producer = p;
            producers.add(threads.submit(() -> {
                for (int seq = 1; seq <= perKey; seq++) {
                    for (int key = producer; key < keys; key += 4) {
                        enqueue("key-" + key, seq);
                    }
                    placed.release();
                }
                placed.release(100_000);
                return null;
            }));
        }
        for (Future<?> producer : producers) {
            producer.get(3, TimeUnit.MINUTES);
        }
        threads.shutdown();
        awaitDrained();
        fate.shutdown();
        assertThat(fate.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        IntStream.range(0, keys).forEach(k -> assertInOrder("key-" + k, perKey));
        IntStream.range(0, 5).forEach(k -> assertInOrder("late-" + k, LATE));
        assertThat(effects()).isEqualTo(5L * LATE + (long) keys * perKey);
        assertThat(rows("acidq_parked")).isZero();
        assertThat(rows("acidq_dead")).isZero();
        assertThat(rows("acidq_audit WHERE action = 'replay'")).isPositive();
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource({"BLOCK,1", "PARK,1", "BLOCK,100", "PARK,100"})
    void keepsTheOrderOfEachKeyWithOneKeyAndWithMany(DeadHeadPolicy policy, int keys) throws Exception {
        keepsTheOrderOfEachKeyWithDeadHeadsDeadNodesReplaysAndLateCommits(policy, keys);
    }

    /** Transactions whose messages have low ids and become visible late. */
    private Void lateTransactions(Semaphore placed) throws Exception {
        for (int round = 1; round <= LATE; round++) {
            int seq = round;
            transactions.call(() -> {
                for (int k = 0; k < 5; k++) {
                    enqueueOrdered(Q, "late-" + k, seq);
                }
                return placed.tryAcquire(3, 1, TimeUnit.MINUTES);
            });
        }
        return null;
    }

    private void replayAll() {
        try {
            deadLetters().replay(DeadLetterFilter.of(Q), BulkAction.by("operator", "again"));
        } catch (TransientQueueException e) {
            // the next round does it
        }
    }

    /** The rescuer then takes its claims. */
    private void declareOneDead() {
        sql("UPDATE acidq_node SET state = 'DEAD' WHERE state = 'ALIVE' ORDER BY RAND() LIMIT 1");
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void startsNoFollowerThatTheNodeOfTheDeadHeadHasClaimed(DeadHeadPolicy policy) throws Exception {
        Queue<Long> runs = new ConcurrentLinkedQueue<>();
        Set<Long> poisoned = ConcurrentHashMap.newKeySet();
        poisoned.add(1L);
        CountDownLatch allClaimed = new CountDownLatch(1);
        engine(policy, (step, delivery) -> {
            if (step.k().equals("k")) {
                runs.add(step.seq());
                allClaimed.await();
                return poisoned.contains(step.seq()) ? Outcome.dead("poison") : effect(step, delivery);
            }
            return effect(step, delivery);
        });
        place("warm", 200); // handlers are quick: the node claims many at a time
        awaitDrained();
        place("k", 30);
        awaitUntil(() -> rows("acidq_message WHERE owner <> 0") > 1);
        allClaimed.countDown();
        awaitRows("acidq_dead", 1);
        enqueue("other", 1);
        awaitRows("effect WHERE k = 'other'", 1);
        assertThat(runs).containsExactly(1L);
        poisoned.clear();
        assertThat(deadLetters().replay(deadLetters().list(Q, 1).get(0).id())).isTrue();
        awaitDrained();
        assertInOrder("k", 30);
        assertThat(rows("acidq_parked")).isZero();
    }

    /** Takes some five seconds: more messages than are counted, each moved twice and run. */
    @Test
    void parksALongBacklogSoThatOtherKeysOfItsLaneRunAndReturnsItInOrder() throws Exception {
        engine(DeadHeadPolicy.PARK, (step, delivery) -> {
            return step.k().equals(hot()) && step.seq() == 1 ? Outcome.dead("poison") : effect(step, delivery);
        });
        place(hot(), BACKLOG);
        awaitRows("acidq_parked", BACKLOG - 1);
        enqueue(sameLane(), 1);
        awaitRows("effect", 1);
        assertThat(sender().blockedKeys().list(Q, 10)).singleElement().satisfies(b -> {
            assertThat(b.orderingKey()).isEqualTo(hot());
            assertThat(b.waiting()).isEqualTo(BlockedKey.MAX_COUNTED);
        });
        MessageId head = deadLetters().list(Q, 1).get(0).id();
        assertThat(deadLetters().discard(head)).isTrue();
        awaitDrained();
        assertThat(strings("SELECT seq FROM effect WHERE k = '" + hot() + "' ORDER BY id"))
                .isEqualTo(LongStream.rangeClosed(2, BACKLOG)
                        .mapToObj(Long::toString)
                        .toList());
        assertThat(rows("acidq_parked")).isZero();
    }

    /** Takes some five seconds: a key runs one message at a time, and only long backlogs are parked. */
    @Test
    void keepsTheOrderOfHotKeysWhoseBacklogIsParkedWhileTheyRun() throws Exception {
        List<String> hot = keysOfOneLane(Q, 3);
        Queue<Long> most = new ConcurrentLinkedQueue<>();
        for (String key : hot) {
            place(key, BACKLOG);
        }
        for (int i = 0; i < 4; i++) {
            engine(null, (step, delivery) -> {
                if (step.seq() % 100 == 0) {
                    most.add(rows("acidq_parked"));
                }
                return effect(step, delivery);
            });
        }
        awaitDrained();
        hot.forEach(key -> assertInOrder(key, BACKLOG));
        assertThat(most).as("messages were parked").anyMatch(n -> n > BACKLOG / 3);
        assertThat(rows("acidq_parked")).isZero();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    void releasesABlockedKeyFromAnEngineWithoutListeners(DeadHeadPolicy policy) throws Exception {
        engine(policy, (step, delivery) -> step.seq() == 1 ? Outcome.dead("poison") : effect(step, delivery));
        place("k", 5);
        awaitUntil(() -> !sender().blockedKeys().list(Q, 10).isEmpty());
        List<String> heard = new ArrayList<>();
        Engine operators = Engine.builder(store)
                .telemetry(new Telemetry() {
                    @Override
                    public void released(MessageId head, String orderingKey, String actor) {
                        heard.add(orderingKey + " by " + actor);
                    }
                })
                .build();
        BlockedKey blocked = operators.blockedKeys().list(Q, 10).get(0);
        assertThat(blocked.orderingKey()).isEqualTo("k");
        assertThat(blocked.error()).contains("poison");
        assertThat(blocked.waiting()).isEqualTo(4);
        assertThat(blocked.head())
                .isEqualTo(operators.deadLetters().list(Q, 1).get(0).id());

        assertThat(operators.blockedKeys().release(blocked, new Operator("ann", "known bug")))
                .isTrue();
        assertThat(operators.blockedKeys().release(blocked, new Operator("bob", "too late")))
                .isFalse();
        awaitDrained();
        assertThat(strings("SELECT seq FROM effect ORDER BY id")).containsExactly("2", "3", "4", "5");
        assertThat(operators.deadLetters().list(Q, 10)).hasSize(1);
        assertThat(heard).containsExactly("k by ann");
        assertThat(operators.audit().of(blocked.head())).singleElement().satisfies(e -> {
            assertThat(e.action()).isEqualTo("release");
            assertThat(e.reason()).isEqualTo("known bug");
        });
    }

    @Test
    void releasesNothingWhenTheSameHeadHasDiedAgainSinceItWasListed() throws Exception {
        engine(DeadHeadPolicy.BLOCK, (step, delivery) -> Outcome.dead("poison"));
        place("k", 2);
        awaitUntil(() -> !sender().blockedKeys().list(Q, 10).isEmpty());
        BlockedKey first = sender().blockedKeys().list(Q, 10).get(0);
        assertThat(deadLetters().replay(first.head())).isTrue();
        awaitUntil(() -> sender().blockedKeys().list(Q, 10).stream()
                .anyMatch(b -> b.head().equals(first.head()) && !b.since().equals(first.since())));
        assertThat(sender().blockedKeys().release(first, new Operator("ann", "seen before")))
                .isFalse();
    }

    @Test
    void writesThePolicyOfTheLastStartedEngineForAllNodes() {
        List<String> heard = new ArrayList<>();
        Telemetry hears = new Telemetry() {
            @Override
            public void deadHeadPolicyChanged(String queue, DeadHeadPolicy policy) {
                heard.add(queue + " " + policy);
            }
        };
        start(DeadHeadPolicy.BLOCK, hears);
        start(DeadHeadPolicy.BLOCK, hears);
        start(null, hears);
        assertThat(strings("SELECT on_dead_head FROM acidq_queue")).containsExactly("BLOCK");
        start(DeadHeadPolicy.PARK, hears);
        assertThat(strings("SELECT on_dead_head FROM acidq_queue")).containsExactly("PARK");
        assertThat(heard).containsExactly(Q + " BLOCK", Q + " PARK");
    }

    @Test
    void worksAsTheDocumentationShows() throws Exception {
        // snippet:policy
        EngineConfig config =
                EngineConfig.defaults().withQueue(Q, QueueConfig.defaults().withOnDeadHead(DeadHeadPolicy.PARK));
        // /snippet
        assertThat(config.queue(Q).onDeadHead()).isEqualTo(DeadHeadPolicy.PARK);
        engine(
                DeadHeadPolicy.PARK,
                (step, delivery) -> step.seq() == 1 ? Outcome.dead("poison") : effect(step, delivery));
        place("k", 2);
        awaitUntil(() -> !sender().blockedKeys().list(Q, 10).isEmpty());
        BlockedKeys blockedKeys = sender().blockedKeys();
        // snippet:blocked
        for (BlockedKey blocked : blockedKeys.list("held", 100)) {
            System.out.println(blocked.orderingKey() + " since " + blocked.since() + ", " + blocked.waiting()
                    + " wait behind " + blocked.head() + ": " + blocked.error());
            boolean released =
                    blockedKeys.release(blocked, new Operator("ann", "INC-4711: the order was cancelled by phone"));
        }
        // /snippet
        awaitDrained();
        assertThat(strings("SELECT seq FROM effect ORDER BY id")).containsExactly("2");
    }

    @Test
    void refusesInvalidLimitsAndUnknownQueues() {
        assertThatThrownBy(() -> sender().blockedKeys().list(Q, 0))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("1 to 1000");
        assertThatThrownBy(() -> sender().blockedKeys().list("nowhere", 1))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("nowhere");
    }

    private void start(DeadHeadPolicy policy, Telemetry telemetry) {
        engine(e -> e.config(config(policy)).telemetry(telemetry)).stop(Duration.ZERO);
    }

    private void engine(DeadHeadPolicy policy, io.acidq.Handler<Step> handler) {
        engine(e -> e.config(config(policy)).listen(on(Q, handler)));
    }

    private static EngineConfig config(DeadHeadPolicy policy) {
        return policy == null
                ? QUICK
                : QUICK.withQueue(Q, QueueConfig.defaults().withOnDeadHead(policy));
    }

    private String hot() {
        return keysOfOneLane(Q, 2).get(0);
    }

    private String sameLane() {
        return keysOfOneLane(Q, 2).get(1);
    }

    private void enqueue(String key, long seq) throws Exception {
        enqueueOrdered(Q, key, seq);
    }

    private void place(String key, int count) throws Exception {
        placeOrdered(Q, key, count);
    }
}
