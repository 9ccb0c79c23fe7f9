package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.acidq.Delivery;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.admin.AuditEntry;
import io.acidq.admin.Backlog;
import io.acidq.admin.QueueControl;
import io.acidq.config.Concurrency;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.engine.EngineFixture.Step;
import io.acidq.engine.maintenance.BacklogMonitor;
import io.acidq.telemetry.Telemetry;
import io.acidq.testservers.ServerKind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Pause, elastic workers, and alarms, with engines on one database of a real server. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class OperationsIT {

    private static final String Q = "operated";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ServerKind kind;
    private final Semaphore gate = new Semaphore(0);
    private final AtomicInteger starts = new AtomicInteger();
    private final Queue<String> notifications = new ConcurrentLinkedQueue<>();
    private EngineFixture engineFixture;

    OperationsIT(ServerKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        engineFixture = new EngineFixture(kind);
    }

    @AfterEach
    void close() {
        gate.release(100_000);
        engineFixture.close();
    }

    /** An operator's engine without listeners, two that run, one of them declared dead and one restarted while the queue is paused. */
    @Test
    void pausesForEveryNodeUntilItIsResumedWhateverIsRestartedOrKilledMeanwhile() throws Exception {
        Engine one = engineFixture.engine(this::gated);
        Engine two = engineFixture.engine(this::gated);
        place(200);
        await().atMost(PATIENCE).until(() -> starts.get() == 8);

        assertThat(engineFixture.sender().control().pause(Q, "ann", "the warehouse moves"))
                .isTrue();
        assertThat(engineFixture.sender().control().pause(Q, "bob", "too late")).isFalse();
        await().atMost(PATIENCE).until(() -> isPaused(one) && isPaused(two));
        await().atMost(PATIENCE).until(() -> unclaimed() == 192);
        assertThat(engineFixture.count("SELECT COUNT(*) FROM acidq_message WHERE owner = 0 AND attempts > 0"))
                .as("given back with their attempts")
                .isZero();
        gate.release(8);
        await().atMost(PATIENCE).until(() -> engineFixture.count("SELECT COUNT(*) FROM effect") == 8);
        place(10);
        gate.release(10_000);
        int killed = one.node();
        engineFixture.sql("UPDATE acidq_node SET state = 'DEAD' WHERE id = " + killed);
        await().atMost(PATIENCE).until(() -> one.node() > killed);
        two.close();
        two.start();
        assertThat(isPaused(two)).as("before its first look for work").isTrue();
        engineFixture.engine(this::gated);
        await().pollDelay(Duration.ofMillis(1500)).until(() -> true);
        assertThat(unclaimed()).isEqualTo(202);
        assertThat(starts).hasValue(8);

        assertThat(two.control().resume(Q, "ann", "it has moved")).isTrue();
        assertThat(two.control().resume(Q, "ann", "it has moved")).isFalse();
        engineFixture.drained();
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isEqualTo(210);
        assertThat(engineFixture.sender().audit().recent(10))
                .extracting(AuditEntry::action)
                .containsExactly("resume", "pause");
    }

    @Test
    void startsNothingMoreInTheEngineThatPauses() throws Exception {
        Engine engine = engineFixture.engine(e -> e.telemetry(telling())
                .listen(Listener.on(Q, Step.class, this::count).withConcurrency(8)));
        place(5_000);
        await().atMost(PATIENCE).until(() -> starts.get() > 50);

        assertThat(engine.control().pause(Q, "ann", "enough")).isTrue();
        await().atMost(PATIENCE).until(() -> engine.queues().get(0).running() == 0);
        int then = starts.get();
        await().atMost(PATIENCE)
                .until(() -> engineFixture.count("SELECT COUNT(*) FROM acidq_message WHERE owner <> 0") == 0);
        await().pollDelay(Duration.ofMillis(500)).until(() -> true);
        assertThat(starts).hasValue(then).hasValueLessThan(5_000);
        assertThat(engine.control().isPaused(Q)).isTrue();

        assertThat(engine.control().resume(Q, "ann", "go on")).isTrue();
        engineFixture.drained();
        assertThat(starts).hasValue(5_000);
        assertThat(notifications).containsExactly("paused", "resumed");
    }

    /** What a killed process held is freed while the queue is paused, and stays. */
    @Test
    void runsNothingThatIsRescuedFromAKilledProcessBeforeTheQueueIsResumed() throws Exception {
        Engine doomed = engineFixture.engine(this::gated);
        place(50);
        await().atMost(PATIENCE).until(() -> starts.get() == 4);
        engineFixture.sender().control().pause(Q, "ann", "a bad day");
        await().atMost(PATIENCE).until(() -> unclaimed() == 46);
        int dead = doomed.node();
        engineFixture.sql("UPDATE acidq_node SET state = 'DEAD' WHERE id = " + dead);
        engineFixture.engine(e -> e.listen(Listener.on(Q, Step.class, this::count)));
        await().atMost(PATIENCE)
                .until(() -> engineFixture.count("SELECT COUNT(*) FROM acidq_message WHERE owner = " + dead) == 0);
        assertThat(engineFixture.count("SELECT COUNT(*) FROM acidq_message WHERE crashes = 1"))
                .as("those that ran")
                .isEqualTo(4);
        assertThat(unclaimed()).isEqualTo(50);
        gate.release(1_000);
        await().pollDelay(Duration.ofMillis(500)).until(() -> true);
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isZero();

        engineFixture.sender().control().resume(Q, "ann", "a better one");
        engineFixture.drained();
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isEqualTo(50);
    }

    @Test
    void refusesToPauseAQueueThatIsNotThereAndAnOperatorWithoutAName() {
        assertThatThrownBy(() -> engineFixture.sender().control().pause("operatedd", "ann", "why"))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("there is no queue 'operatedd'");
        engineFixture.store.queues().openQueue(Q);
        assertThatThrownBy(() -> engineFixture.sender().control().pause(Q, " ", "why"))
                .isInstanceOf(QueueMisuseException.class);
        assertThat(engineFixture.sender().control().isPaused(Q)).isFalse();
    }

    @Test
    void hasAsManyWorkersAsTheBacklogNeedsAndGivesThemBack() throws Exception {
        Engine engine = engineFixture.engine(e -> e.telemetry(telling())
                .listen(Listener.on(Q, Step.class, this::hold)
                        .withTransactionSize(1)
                        .withConcurrency(Concurrency.between(2, 12).withIdleTimeout(Duration.ofMillis(300)))));
        assertThat(engine.queues().get(0).workers()).isEqualTo(2);
        assertThat(engineFixture.strings("SELECT workers FROM acidq_node"))
                .as("what a rescuer takes for the most that may have been running")
                .containsExactly(engineFixture.count("SELECT id FROM acidq_queue") + ":12");
        place(60);
        await().atMost(PATIENCE).until(() -> engine.queues().get(0).running() == 12);
        assertThat(engine.queues().get(0).workers()).isEqualTo(12);
        gate.release(60);
        engineFixture.drained();
        await().atMost(PATIENCE).until(() -> engine.queues().get(0).workers() == 2);
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isEqualTo(60);
        assertThat(starts).as("no run was cut off").hasValue(60);
        assertThat(notifications.peek()).startsWith("2-");
        assertThat(notifications)
                .last()
                .asString()
                .as("in one step, or in several")
                .endsWith("-2");
        place(30); // the two that are left go on
        gate.release(30);
        engineFixture.drained();
    }

    /** A rescuer knows only what the node registered, so that is the most there could be, however many there were at first. */
    @Test
    void countsADeathForEachMessageThatRanWhenAGrownNodeDied() throws Exception {
        Engine doomed = engineFixture.engine(
                e -> e.listen(Listener.on(Q, Step.class, this::hold).withConcurrency(1, 10)));
        place(40);
        await().atMost(PATIENCE).until(() -> doomed.queues().get(0).running() == 10);
        engineFixture.sql("UPDATE acidq_node SET state = 'DEAD' WHERE id = " + doomed.node());
        await().atMost(PATIENCE)
                .until(() -> engineFixture.count("SELECT COUNT(*) FROM acidq_message WHERE crashes > 0") == 10);
        gate.release(10_000);
        engineFixture.drained();
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isEqualTo(40);
    }

    @Test
    void replacesAWorkerAfterItsLife() throws Exception {
        Set<String> threads = ConcurrentHashMap.newKeySet();
        engineFixture.engine(e -> e.listen(Listener.on(Q, Step.class, (step, delivery) -> {
                    threads.add(Thread.currentThread().getName());
                    return count(step, delivery);
                })
                .withConcurrency(Concurrency.fixed(1).withMaxLifetime(Duration.ofSeconds(1)))));
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(50)).until(() -> {
            place(1);
            return threads.size() >= 3;
        });
        assertThat(threads).contains("acidq-operated-1", "acidq-operated-2", "acidq-operated-3");
        engineFixture.drained();
        assertThat(engineFixture.count("SELECT COUNT(*) FROM effect")).isEqualTo(starts.get());
    }

    @Test
    void raisesAnAlarmOnceAndTellsItsEndAlsoOfAPausedQueue() throws Exception {
        BacklogMonitor monitor = monitor(QueueConfig.defaults().withBacklogAlarm(20));
        monitor.runOnce();
        place(20);
        engineFixture.sender().control().pause(Q, "ann", "so that nothing happens");
        monitor.runOnce();
        assertThat(notifications).as("not above").isEmpty();
        place(100);
        monitor.runOnce();
        monitor.runOnce();
        assertThat(notifications).as("counted no further").containsExactly("high 21");
        engineFixture.sql("DELETE FROM acidq_message ORDER BY id LIMIT 103");
        monitor.runOnce();
        assertThat(notifications).as("17: above three quarters").hasSize(1);
        engineFixture.sql("DELETE FROM acidq_message ORDER BY id LIMIT 2");
        monitor.runOnce();
        monitor.runOnce();
        assertThat(notifications).containsExactly("high 21", "normal 15");
    }

    @Test
    void raisesAnAlarmForAMessageThatNobodyTakesForTooLong() throws Exception {
        BacklogMonitor monitor = monitor(QueueConfig.defaults().withAgeAlarm(Duration.ofMinutes(10)));
        place(3);
        monitor.runOnce();
        assertThat(notifications).isEmpty();
        engineFixture.sql(
                "UPDATE acidq_message SET enqueued_at = enqueued_at - INTERVAL 11 MINUTE ORDER BY id LIMIT 1");
        monitor.runOnce();
        assertThat(notifications).containsExactly("high 3");
        engineFixture.engine(this::gated);
        gate.release(3);
        engineFixture.drained();
        monitor.runOnce();
        assertThat(notifications).containsExactly("high 3", "normal 0");
    }

    @Test
    void watchesTheQueuesOfItsSettingsInEveryEngineThatIsStarted() throws Exception {
        place(5);
        engineFixture.engine(e -> e.telemetry(telling())
                .config(EngineFixture.QUICK.withQueue(Q, QueueConfig.defaults().withBacklogAlarm(4))));
        await().atMost(PATIENCE).until(() -> notifications.contains("high 5"));
    }

    @Test
    void tellsTheBacklogOfAQueue() throws Exception {
        assertThatThrownBy(() -> engineFixture.sender().backlog(Q)).isInstanceOf(QueueMisuseException.class);
        place(7);
        engineFixture.enqueue(Q, new Step("later", 1), options().delay(Duration.ofHours(1)));
        Backlog backlog = engineFixture.sender().backlog(Q);
        assertThat(backlog.isComplete()).isTrue();
        assertThat(backlog.oldest().orElseThrow()).isBetween(Duration.ZERO, PATIENCE);
        assertThat(backlog).isEqualTo(new Backlog(Q, 7, 0, 0, 1, 0, backlog.oldest()));
        engineFixture.sql("DELETE FROM acidq_message");
        assertThat(engineFixture.sender().backlog(Q)).isEqualTo(new Backlog(Q, 0, 0, 0, 1, 0, Optional.empty()));
    }

    @Test
    void isOperatedAsThePageSays() throws Exception {
        place(3);
        Engine engine = engineFixture.sender();
        // snippet:pause
        QueueControl control = engine.control();
        boolean paused = control.pause("operated", "ann", "the warehouse moves"); // false: it was paused already
        boolean resumed = control.resume("operated", "ann", "it has moved"); // false: it was not paused
        // /snippet
        assertThat(paused && resumed).isTrue();
        // snippet:backlog
        Backlog backlog = engine.backlog("operated");
        String text = backlog.ready() + " ready, the oldest due for "
                + backlog.oldest().orElse(Duration.ZERO) + (backlog.isComplete() ? "" : "; counted to 10,000 only");
        // /snippet
        assertThat(text).startsWith("3 ready, the oldest due for PT");
        // snippet:settings
        Listener<Step> listener = Listener.on("operated", Step.class, this::count)
                .withConcurrency(Concurrency.between(2, 16)
                        .withIdleTimeout(Duration.ofMinutes(1))
                        .withMaxLifetime(Duration.ofHours(12)));
        EngineConfig config = EngineConfig.defaults()
                .withQueue(
                        "operated",
                        QueueConfig.defaults().withBacklogAlarm(10_000).withAgeAlarm(Duration.ofMinutes(5)));
        // /snippet
        engineFixture.engine(e -> e.config(config).listen(listener));
        engineFixture.drained();
    }

    private BacklogMonitor monitor(QueueConfig settings) {
        return new BacklogMonitor(
                engineFixture.store.queues(),
                engineFixture.store.inspection(),
                EngineFixture.QUICK.withQueue(Q, settings),
                telling());
    }

    private Telemetry telling() {
        return new Telemetry() {
            @Override
            public void paused(String queue) {
                notifications.add("paused");
            }

            @Override
            public void resumed(String queue) {
                notifications.add("resumed");
            }

            @Override
            public void workersChanged(String queue, int from, int to) {
                notifications.add(from + "-" + to);
            }

            @Override
            public void backlogHigh(String queue, int messages, Duration oldest) {
                notifications.add("high " + messages);
            }

            @Override
            public void backlogNormal(String queue, int messages, Duration oldest) {
                notifications.add("normal " + messages);
            }
        };
    }

    private EngineBuilder gated(EngineBuilder builder) {
        return builder.listen(Listener.on(Q, Step.class, this::hold));
    }

    private Outcome hold(Step step, Delivery delivery) throws Exception {
        starts.incrementAndGet();
        gate.acquire();
        engineFixture.effect(step, delivery.node());
        return Outcome.done();
    }

    private Outcome count(Step step, Delivery delivery) throws SQLException {
        starts.incrementAndGet();
        engineFixture.effect(step, delivery.node());
        return Outcome.done();
    }

    private static boolean isPaused(Engine engine) {
        return engine.queues().get(0).paused();
    }

    private long unclaimed() {
        return engineFixture.count("SELECT COUNT(*) FROM acidq_message WHERE owner = 0");
    }

    private void place(int count) throws Exception {
        List<NewMessage> messages = new ArrayList<>(LongStream.range(0, count)
                .mapToObj(i -> NewMessage.of(new Step("m", i)))
                .toList());
        engineFixture.transactions.call(() -> engineFixture.sender().queue().enqueueAll(Q, messages));
    }
}
