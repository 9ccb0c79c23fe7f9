package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.acidq.Delivery;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.admin.AuditLog.AuditEntry;
import io.acidq.admin.Backlog;
import io.acidq.admin.Operator;
import io.acidq.admin.QueueControl;
import io.acidq.config.Concurrency;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.engine.maintenance.BacklogMonitor;
import io.acidq.telemetry.Telemetry;
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
import org.junit.jupiter.api.Test;

/** Pause, elastic workers, and alarms, with engines on one database of a real server. */
class OperationsIT extends FreshEngineTests {

    private static final String Q = "operated";

    private final Semaphore gate = new Semaphore(0);
    private final AtomicInteger starts = new AtomicInteger();
    private final Queue<String> notifications = new ConcurrentLinkedQueue<>();

    @AfterEach
    void openTheGate() {
        gate.release(100_000);
    }

    /** An operator's engine without listeners, two that run, one of them declared dead and one restarted while the queue is paused. */
    @Test
    void pausesOnEveryNodeUntilResumedThroughRestartsAndDeaths() throws Exception {
        Engine one = engine(this::gated);
        Engine two = engine(this::gated);
        place(200);
        awaitUntil(() -> starts.get() == 8);

        assertThat(sender().control().pause(Q, new Operator("ann", "the warehouse moves")))
                .isTrue();
        assertThat(sender().control().pause(Q, new Operator("bob", "too late"))).isFalse();
        awaitUntil(() -> isPaused(one) && isPaused(two));
        awaitUntil(() -> unclaimed() == 192);
        assertThat(rows("acidq_message WHERE owner = 0 AND attempts > 0"))
                .as("requeued messages without a refunded attempt")
                .isZero();
        gate.release(8);
        awaitRows("effect", 8);
        place(10);
        gate.release(10_000);
        int killed = one.node();
        sql("UPDATE acidq_node SET state = 'DEAD' WHERE id = " + killed);
        awaitUntil(() -> one.node() > killed);
        two.close();
        two.start();
        assertThat(isPaused(two)).as("before its first poll").isTrue();
        engine(this::gated);
        await().pollDelay(Duration.ofMillis(1500)).until(() -> true);
        assertThat(unclaimed()).isEqualTo(202);
        assertThat(starts).hasValue(8);

        assertThat(two.control().resume(Q, new Operator("ann", "it has moved"))).isTrue();
        assertThat(two.control().resume(Q, new Operator("ann", "it has moved"))).isFalse();
        awaitDrained();
        assertThat(effects()).isEqualTo(210);
        assertThat(sender().audit().recent(10)).extracting(AuditEntry::action).containsExactly("resume", "pause");
    }

    @Test
    void startsNothingMoreInTheEngineThatPauses() throws Exception {
        Engine engine =
                engine(e -> e.telemetry(telling()).listen(on(Q, this::count).withConcurrency(8)));
        place(5_000);
        awaitUntil(() -> starts.get() > 50);

        assertThat(engine.control().pause(Q, new Operator("ann", "enough"))).isTrue();
        awaitUntil(() -> engine.queues().get(0).running() == 0);
        int then = starts.get();
        awaitRows("acidq_message WHERE owner <> 0", 0);
        await().pollDelay(Duration.ofMillis(500)).until(() -> true);
        assertThat(starts).hasValue(then).hasValueLessThan(5_000);
        assertThat(engine.control().isPaused(Q)).isTrue();

        assertThat(engine.control().resume(Q, new Operator("ann", "go on"))).isTrue();
        awaitDrained();
        assertThat(starts).hasValue(5_000);
        assertThat(notifications).containsExactly("paused", "resumed");
    }

    /** Messages rescued from a killed process while the queue is paused are not run. */
    @Test
    void runsNoRescuedMessageBeforeTheQueueIsResumed() throws Exception {
        Engine doomed = engine(this::gated);
        place(50);
        awaitUntil(() -> starts.get() == 4);
        sender().control().pause(Q, new Operator("ann", "a bad day"));
        awaitUntil(() -> isPaused(doomed) && unclaimed() == 46);
        int dead = doomed.node();
        sql("UPDATE acidq_node SET state = 'DEAD' WHERE id = " + dead);
        listen(Q, this::count);
        awaitRows("acidq_message WHERE owner = " + dead, 0);
        assertThat(rows("acidq_message WHERE crashes = 1")).as("those that ran").isEqualTo(4);
        assertThat(unclaimed()).isEqualTo(50);
        gate.release(1_000);
        await().pollDelay(Duration.ofMillis(500)).until(() -> true);
        assertThat(effects()).isZero();

        sender().control().resume(Q, new Operator("ann", "a better one"));
        awaitDrained();
        assertThat(effects()).isEqualTo(50);
    }

    @Test
    void refusesToPauseAnUnknownQueueOrWithoutAnActor() {
        assertThatThrownBy(() -> sender().control().pause("operatedd", new Operator("ann", "why")))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("there is no queue 'operatedd'");
        store.queues().openQueue(Q);
        assertThatThrownBy(() -> sender().control().pause(Q, new Operator(" ", "why")))
                .isInstanceOf(QueueMisuseException.class);
        assertThat(sender().control().isPaused(Q)).isFalse();
    }

    @Test
    void addsWorkersForTheBacklogAndRetiresThem() throws Exception {
        Engine engine = engine(e -> e.telemetry(telling())
                .listen(on(Q, this::hold)
                        .withTransactionSize(1)
                        .withConcurrency(Concurrency.between(2, 12).withIdleTimeout(Duration.ofMillis(300)))));
        assertThat(engine.queues().get(0).workers()).isEqualTo(2);
        assertThat(strings("SELECT workers FROM acidq_node"))
                .as("the maximum that may have been running")
                .containsExactly(count("SELECT id FROM acidq_queue") + ":12");
        place(60);
        awaitUntil(() -> engine.queues().get(0).running() == 12);
        assertThat(engine.queues().get(0).workers()).isEqualTo(12);
        gate.release(60);
        awaitDrained();
        awaitUntil(() -> engine.queues().get(0).workers() == 2);
        assertThat(effects()).isEqualTo(60);
        assertThat(starts).as("no run was cut off").hasValue(60);
        assertThat(notifications.peek()).startsWith("2-");
        assertThat(notifications)
                .last()
                .asString()
                .as("in one step, or in several")
                .endsWith("-2");
        place(30); // the two that are left go on
        gate.release(30);
        awaitDrained();
    }

    /** A node registers its maximum concurrency, because a rescuer knows only what the node registered. */
    @Test
    void countsACrashForEachMessageThatRanWhenANodeWithAddedWorkersDied() throws Exception {
        Engine doomed = engine(e -> e.listen(on(Q, this::hold).withConcurrency(1, 10)));
        place(40);
        awaitUntil(() -> doomed.queues().get(0).running() == 10);
        sql("UPDATE acidq_node SET state = 'DEAD' WHERE id = " + doomed.node());
        awaitRows("acidq_message WHERE crashes > 0", 10);
        gate.release(10_000);
        awaitDrained();
        assertThat(effects()).isEqualTo(40);
    }

    @Test
    void replacesAWorkerAfterItsMaximumLifetime() throws Exception {
        Set<String> threads = ConcurrentHashMap.newKeySet();
        listen(on(Q, (step, delivery) -> {
                    threads.add(Thread.currentThread().getName());
                    return count(step, delivery);
                })
                .withConcurrency(Concurrency.fixed(1).withMaxLifetime(Duration.ofSeconds(1))));
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(50)).until(() -> {
            place(1);
            return threads.size() >= 3;
        });
        assertThat(threads).contains("acidq-operated-1", "acidq-operated-2", "acidq-operated-3");
        awaitDrained();
        assertThat(effects()).isEqualTo(starts.get());
    }

    @Test
    void raisesABacklogAlarmOnceAndReportsItsEndForAPausedQueueToo() throws Exception {
        BacklogMonitor monitor = monitor(QueueConfig.defaults().withBacklogAlarm(20));
        monitor.runOnce();
        place(20);
        sender().control().pause(Q, new Operator("ann", "so that nothing happens"));
        monitor.runOnce();
        assertThat(notifications).as("not above").isEmpty();
        place(100);
        monitor.runOnce();
        monitor.runOnce();
        assertThat(notifications).as("counted no further").containsExactly("high 21");
        sql("DELETE FROM acidq_message ORDER BY id LIMIT 103");
        monitor.runOnce();
        assertThat(notifications).as("17: above three quarters").hasSize(1);
        sql("DELETE FROM acidq_message ORDER BY id LIMIT 2");
        monitor.runOnce();
        monitor.runOnce();
        assertThat(notifications).containsExactly("high 21", "normal 15");
    }

    @Test
    void raisesAnAgeAlarm() throws Exception {
        BacklogMonitor monitor = monitor(QueueConfig.defaults().withAgeAlarm(Duration.ofMinutes(10)));
        place(3);
        monitor.runOnce();
        assertThat(notifications).isEmpty();
        sql("UPDATE acidq_message SET enqueued_at = enqueued_at - INTERVAL 11 MINUTE ORDER BY id LIMIT 1");
        monitor.runOnce();
        assertThat(notifications).containsExactly("high 3");
        engine(this::gated);
        gate.release(3);
        awaitDrained();
        monitor.runOnce();
        assertThat(notifications).containsExactly("high 3", "normal 0");
    }

    @Test
    void monitorsConfiguredQueuesInEveryStartedEngine() throws Exception {
        place(5);
        engine(e -> e.telemetry(telling())
                .config(QUICK.withQueue(Q, QueueConfig.defaults().withBacklogAlarm(4))));
        awaitUntil(() -> notifications.contains("high 5"));
    }

    @Test
    void returnsTheBacklogOfAQueue() throws Exception {
        assertThatThrownBy(() -> sender().backlog(Q)).isInstanceOf(QueueMisuseException.class);
        place(7);
        enqueue(Q, new Step("later", 1), options().delay(Duration.ofHours(1)));
        Backlog backlog = sender().backlog(Q);
        assertThat(backlog.isComplete()).isTrue();
        assertThat(backlog.oldest().orElseThrow()).isBetween(Duration.ZERO, PATIENCE);
        assertThat(backlog).isEqualTo(new Backlog(Q, 7, 0, 0, 1, 0, 0, 0, backlog.oldest()));
        sql("DELETE FROM acidq_message");
        assertThat(sender().backlog(Q)).isEqualTo(new Backlog(Q, 0, 0, 0, 1, 0, 0, 0, Optional.empty()));
    }

    @Test
    void worksAsTheDocumentationShows() throws Exception {
        place(3);
        Engine engine = sender();
        // snippet:pause
        QueueControl control = engine.control();
        boolean paused =
                control.pause("operated", new Operator("ann", "the warehouse moves")); // false: it was paused already
        boolean resumed = control.resume("operated", new Operator("ann", "it has moved")); // false: it was not paused
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
        engine(e -> e.config(config).listen(listener));
        awaitDrained();
    }

    private BacklogMonitor monitor(QueueConfig settings) {
        return new BacklogMonitor(store.queues(), store.inspection(), QUICK.withQueue(Q, settings), telling());
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
        return builder.listen(on(Q, this::hold));
    }

    private Outcome hold(Step step, Delivery delivery) throws Exception {
        starts.incrementAndGet();
        gate.acquire();
        return effect(step, delivery);
    }

    private Outcome count(Step step, Delivery delivery) throws SQLException {
        starts.incrementAndGet();
        return effect(step, delivery);
    }

    private static boolean isPaused(Engine engine) {
        return engine.queues().get(0).paused();
    }

    private long unclaimed() {
        return rows("acidq_message WHERE owner = 0");
    }

    private void place(int count) throws Exception {
        List<NewMessage> messages = new ArrayList<>(LongStream.range(0, count)
                .mapToObj(i -> NewMessage.of(new Step("m", i)))
                .toList());
        enqueueAll(Q, messages);
    }
}
