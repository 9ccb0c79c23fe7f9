package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.Outcome;
import io.acidq.config.Listener;
import io.acidq.engine.EngineFixture.Step;
import io.acidq.store.Store;
import io.acidq.testservers.ServerKind;
import java.time.Duration;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** How a message of another process is found. The sender's engine and the listener's share nothing but the database. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class WakeIT {

    private static final Duration NEVER = Duration.ofHours(1);

    /** Far less than the ten seconds after which a task asks whatever it knows, and more than a busy machine stands still. */
    private static final Duration IN_TIME = Duration.ofSeconds(6);

    private final ServerKind kind;
    private EngineFixture engineFixture;

    WakeIT(ServerKind kind) {
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
    void seesCommitsOnlyWhereTheServerNumbersThem() {
        assertThat(engineFixture.store.server().lastCommit().isPresent()).isEqualTo(kind == ServerKind.MYSQL);
    }

    @Test
    void leavesLookingToTheLookoutWhenAQueueIsIdle() throws Exception {
        Duration poll = kind == ServerKind.MYSQL ? NEVER : Duration.ofMillis(50);
        engineFixture.engine(e -> e.config(EngineFixture.QUICK.withPolling(
                        poll, poll)) // a poller that rests for so long looks no more itself
                .listen(Listener.on("woken", Step.class, this::done)));
        for (int seq = 1; seq <= 5; seq++) {
            engineFixture.enqueue("woken", new Step("a", seq), options());
            engineFixture.drained();
        }
    }

    /** Takes some six seconds: twenty idle queues must all have dozed off before a common look can be counted. */
    @Test
    void looksOnceForAllIdleQueuesOfTheNode() throws Exception {
        Queue<Integer> looks = new ConcurrentLinkedQueue<>();
        Store watched = watching(engineFixture.store, looks);
        int queues = 20;
        EngineBuilder engine = Engine.builder(watched)
                .config(EngineFixture.QUICK.withPolling(Duration.ofMillis(20), Duration.ofMillis(40)));
        IntStream.range(0, queues)
                .forEach(i -> engine.listen(
                        Listener.on("idle-" + i, Step.class, this::done).withConcurrency(1)));
        try (Engine running = engine.build()) {
            running.start();
            await().atMost(Duration.ofSeconds(30)).until(() -> looks.contains(queues));
            looks.clear();
            await().atMost(Duration.ofSeconds(30)).until(() -> looks.size() >= 2);
            assertThat(looks) // a poller that is about to doze off may be missing, but none looks for itself alone
                    .allMatch(n -> n > queues / 2);
            engineFixture.enqueue("idle-7", new Step("a", 1), options());
            engineFixture.drained();
        }
    }

    /**
     * Several times, for each may by chance come when the mover asks anyway, once in ten seconds.
     * Takes some five seconds: it must have been still for six beats each time.
     */
    @Test
    void movesInTimeWhatOthersScheduleWhileItIsStill() throws Exception {
        engineFixture.engine(e -> e.listen(Listener.on("later", Step.class, this::done)));
        for (int seq = 1; seq <= 3; seq++) {
            waitUntilIdle();
            engineFixture.enqueue("later", new Step("a", seq), options().delay(Duration.ofMillis(300)));
            await().atMost(IN_TIME)
                    .until(() -> engineFixture.count("SELECT COUNT(*) FROM acidq_scheduled")
                                    + engineFixture.count("SELECT COUNT(*) FROM acidq_message")
                            == 0);
        }
    }

    @Test
    void seesThatOthersPauseAndResumeWhileItIsStill() {
        Engine engine = engineFixture.engine(e -> e.listen(Listener.on("paused", Step.class, this::done)));
        for (int i = 1; i <= 2; i++) {
            boolean pause = i % 2 == 1;
            waitUntilIdle();
            if (pause) {
                engineFixture.sender().control().pause("paused", "ann", "the warehouse moves");
            } else {
                engineFixture.sender().control().resume("paused", "ann", "it has moved");
            }
            await().atMost(IN_TIME).until(() -> engine.queues().get(0).paused() == pause);
        }
    }

    @Test
    void stopsAtOnceThoughTheLookoutWaits() {
        Engine engine = engineFixture.engine(e -> e.listen(Listener.on("stopped", Step.class, this::done)));
        waitUntilIdle();
        waitUntilIdle();
        long began = System.nanoTime();
        assertThat(engine.stop(Duration.ofSeconds(10))).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - began))
                .as("its wait in the server, of which a beat at most is over, would end by itself after five seconds")
                .isLessThan(Duration.ofMillis(4500));
    }

    /** A few heartbeats of its node long. */
    private void waitUntilIdle() {
        waitHeartbeats(engineFixture, 6);
    }

    static void waitHeartbeats(EngineFixture engineFixture, int heartbeats) {
        String beaten = "SELECT MAX(heartbeats) FROM acidq_node";
        long before = engineFixture.count(beaten);
        await().atMost(Duration.ofSeconds(30)).until(() -> engineFixture.count(beaten) >= before + heartbeats);
    }

    private Outcome done(Step step, io.acidq.Delivery delivery) {
        return Outcome.done();
    }

    /** The same store, that writes down for how many queues each look was. */
    private static Store watching(Store store, Queue<Integer> looks) {
        return ClaimStoreHook.of(store, (call, args) -> {
            if (call.equals("lanesWithWork")) {
                looks.add(((Collection<?>) args[0]).size());
            }
        });
    }
}
