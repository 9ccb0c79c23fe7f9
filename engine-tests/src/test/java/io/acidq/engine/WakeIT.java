package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.Delivery;
import io.acidq.Outcome;
import io.acidq.admin.Operator;
import io.acidq.config.EngineConfig;
import io.acidq.store.Store;
import io.acidq.testservers.ServerKind;
import java.time.Duration;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How a message of another process is found. The sender's engine and the listener's share nothing but the database. */
@AnyServer(ServerKind.MARIADB)
class WakeIT extends FreshEngineTests {

    /** Twice as many heartbeats as usual, because the tests wait for them; a node still has a second. */
    private static final EngineConfig CONFIG = QUICK.withHeartbeat(Duration.ofMillis(100), 10);

    private static final Duration NEVER = Duration.ofHours(1);

    /** Less than the ten seconds after which each task reads in any case, and enough for a busy machine. */
    private static final Duration IN_TIME = Duration.ofSeconds(6);

    @Test
    void readsTheLastCommitOnlyWhereTheServerNumbersCommits() {
        assertThat(store.server().lastCommit().isPresent()).isEqualTo(kind == ServerKind.MYSQL);
    }

    @Test
    void findsMessagesOfAnIdleQueueWithoutPolling() throws Exception {
        Duration poll = kind == ServerKind.MYSQL ? NEVER : Duration.ofMillis(50);
        engine(e -> e.config(CONFIG.withPolling(poll, poll)) // with this interval a poller does not read by itself
                .listen(on("woken", this::done)));
        for (int seq = 1; seq <= 5; seq++) {
            enqueue("woken", new Step("a", seq));
            awaitDrained();
        }
    }

    /** Takes some six seconds: all twenty pollers must be idle before a common poll can be counted. */
    @Test
    void pollsOnceForAllIdleQueuesOfTheNode() throws Exception {
        Queue<Integer> polls = new ConcurrentLinkedQueue<>();
        Store watched = watching(store, polls);
        int queues = 20;
        EngineBuilder engine =
                Engine.builder(watched).config(CONFIG.withPolling(Duration.ofMillis(20), Duration.ofMillis(40)));
        IntStream.range(0, queues)
                .forEach(i -> engine.listen(on("idle-" + i, this::done).withConcurrency(1)));
        try (Engine running = engine.build()) {
            running.start();
            awaitUntil(() -> polls.contains(queues));
            polls.clear();
            awaitUntil(() -> polls.size() >= 2);
            assertThat(polls) // a poller that is about to become idle may be missing, but none polls alone
                    .allMatch(n -> n > queues / 2);
            enqueue("idle-7", new Step("a", 1));
            awaitDrained();
        }
    }

    /**
     * Repeated, because the due-message mover also reads by itself, every ten seconds.
     */
    @Test
    void movesMessagesThatOtherProcessesScheduleWhileItIsIdle() throws Exception {
        idle("later");
        for (int seq = 1; seq <= 3; seq++) {
            waitUntilIdle();
            enqueue("later", new Step("a", seq), options().delay(Duration.ofMillis(300)));
            await().atMost(IN_TIME).until(() -> rows("acidq_scheduled") + rows("acidq_message") == 0);
        }
    }

    @Test
    void noticesThatOtherProcessesPauseAndResumeWhileItIsIdle() {
        Engine engine = idle("paused");
        for (int i = 1; i <= 2; i++) {
            boolean pause = i % 2 == 1;
            waitUntilIdle();
            if (pause) {
                sender().control().pause("paused", new Operator("ann", "the warehouse moves"));
            } else {
                sender().control().resume("paused", new Operator("ann", "it has moved"));
            }
            await().atMost(IN_TIME).until(() -> engine.queues().get(0).paused() == pause);
        }
    }

    @Test
    void stopsAtOnceThoughTheWorkFinderWaits() {
        Engine engine = idle("stopped");
        waitUntilIdle();
        waitUntilIdle();
        long began = System.nanoTime();
        assertThat(engine.stop(Duration.ofSeconds(10))).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - began))
                .as("the wait of the work finder in the server would end by itself after five seconds")
                .isLessThan(Duration.ofMillis(4500));
    }

    private Engine idle(String queue) {
        return engine(e -> e.config(CONFIG).listen(on(queue, this::done)));
    }

    private void waitUntilIdle() {
        awaitHeartbeats(6);
    }

    private Outcome done(Step step, Delivery delivery) {
        return Outcome.done();
    }

    /** The store, which records for how many queues each poll was. */
    private static Store watching(Store store, Queue<Integer> polls) {
        return StoreHook.beforeClaims(store, (call, args) -> {
            if (call.equals("lanesWithWork")) {
                polls.add(((Collection<?>) args[0]).size());
            }
        });
    }
}
