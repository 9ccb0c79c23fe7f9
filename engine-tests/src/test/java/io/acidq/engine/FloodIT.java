package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.EnqueueOptions;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.config.Listener;
import io.acidq.engine.EngineFixture.Step;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.store.Store;
import io.acidq.store.Transactions;
import io.acidq.testservers.FullBuild;
import io.acidq.testservers.ServerKind;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Cases 50 and 55: far more than a worker can hold or do, and hints that are lost, early or too many. With
 * {@code -Dacidq.test.flood=1000000} so many messages in one transaction, a tenth of them in the line of one key, and a thousandth large
 * ones, of which there are always more than a worker's memory holds.
 */
@ParameterizedClass
@EnumSource(ServerKind.class)
class FloodIT {

    private static final int CROWD = Integer.getInteger("acidq.test.flood", FullBuild.IS_ON ? 10_000 : 3_000);
    private static final int LINE = CROWD / 10;
    private static final int LARGE = Math.max(100, CROWD / 1000);
    private static final int PIECE = 10_000;
    private static final Duration PATIENCE = Duration.ofMinutes(2 + CROWD / 10_000);

    private final ServerKind kind;
    private EngineFixture engineFixture;

    FloodIT(ServerKind kind) {
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

    /**
     * A worker of 64 MB, killed once in the middle: ten times what it can hold of large payloads, a long line of one key, and a crowd of
     * one transaction. A quiet queue beside them is served all the while.
     * Takes some eight seconds: ten times the memory of the worker must go through it, and two processes start.
     */
    @Test
    void drainsAFloodInAWorkerOf64MegabytesWhileAQuietQueueIsServed() throws Exception {
        String large = "x".repeat(800_000);
        engineFixture.transactions.run(() -> {
            for (long first = 1; first <= CROWD; first += PIECE) { // one transaction, several calls
                enqueue(FloodWorker.CROWD, first, Math.min(CROWD, first + PIECE - 1), "crowd", options());
            }
        });
        engineFixture.transactions.run(
                () -> enqueue(FloodWorker.LINE, 1, LINE, "line", options().orderingKey("o")));
        for (int i = 1; i <= LARGE; i++) {
            engineFixture.enqueue(FloodWorker.LARGE, new Step(large, i), options());
        }
        List<Duration> waits = new ArrayList<>();
        FloodWorker first = FloodWorker.start(engineFixture);
        await().atMost(Duration.ofMinutes(1)).until(() -> effects() > CROWD / 10);
        assertThat(first.isAlive()).isTrue();
        first.kill();
        try (FloodWorker second = FloodWorker.start(engineFixture)) {
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> engineFixture.count("SELECT COUNT(*) FROM acidq_node") == 2);
            for (int i = 1; effects() < CROWD + LINE + LARGE; i++) {
                waits.add(serveQuietOne(i));
                assertThat(second.isAlive()).as("did not run out of memory").isTrue();
            }
            assertThat(engineFixture.count("SELECT COUNT(*) FROM acidq_message"))
                    .isZero();
        }
        assertThat(engineFixture.count("SELECT COUNT(DISTINCT k, seq) FROM effect"))
                .as("each once")
                .isEqualTo(engineFixture.count("SELECT COUNT(*) FROM effect"));
        assertThat(engineFixture.count(
                        "SELECT COUNT(*) FROM (SELECT seq, LAG(seq) OVER (ORDER BY id) AS before_it FROM effect"
                                + " WHERE k = 'line') l WHERE seq <> before_it + 1"))
                .as("the line is in order")
                .isZero();
        assertThat(waits.stream().skip(1))
                .as("the quiet queue, after the worker's start")
                .allMatch(wait -> wait.compareTo(Duration.ofSeconds(10)) < 0);
    }

    private Duration serveQuietOne(int number) throws Exception {
        long began = System.nanoTime();
        engineFixture.enqueue(FloodWorker.QUIET, new Step("quiet", number), options());
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .until(() ->
                        engineFixture.count("SELECT COUNT(*) FROM effect WHERE k = 'quiet' AND seq = " + number) == 1);
        return Duration.ofNanos(System.nanoTime() - began);
    }

    private long effects() {
        return engineFixture.count("SELECT COUNT(*) FROM effect WHERE k <> 'quiet'");
    }

    private void enqueue(String queue, long first, long last, String key, EnqueueOptions options) {
        engineFixture
                .sender()
                .queue()
                .enqueueAll(
                        queue,
                        LongStream.rangeClosed(first, last)
                                .mapToObj(seq -> new NewMessage(new Step(key, seq), options))
                                .toList());
    }

    /** Case 55: found by looking. */
    @Test
    void runsEachMessageOnceThoughEveryHintIsLost() throws Exception {
        runsOnceWith((transactions, hint) -> {}, 20);
    }

    /** Case 55: the row is not there yet when the hint is. */
    @Test
    void runsEachMessageOnceThoughEveryHintComesBeforeTheCommit() throws Exception {
        runsOnceWith((transactions, hint) -> hint.run(), 20);
    }

    /** Case 55: a thousand hints for each message, and few looks for them. */
    @Test
    void runsEachMessageOnceInAStormOfHints() throws Exception {
        int looks = runsOnceWith(
                (transactions, hint) -> transactions.afterCommit(() -> {
                    for (int i = 0; i < 1000; i++) {
                        hint.run();
                    }
                }),
                20);
        assertThat(looks).isLessThan(5_000);
    }

    private int runsOnceWith(BiConsumer<Transactions, Runnable> hinting, int messages) throws Exception {
        Queue<Long> runs = new ConcurrentLinkedQueue<>();
        AtomicInteger looks = new AtomicInteger();
        Store store = ClaimStoreHook.of(
                MyBatisStore.over(engineFixture.pool, withWakeUps(hinting)), (call, args) -> looks.incrementAndGet());
        Engine engine = Engine.builder(store)
                .config(EngineFixture.QUICK)
                .listen(Listener.on("hinted", Step.class, (step, delivery) -> {
                    runs.add(step.seq());
                    return Outcome.done();
                }))
                .build();
        try (engine) {
            engine.start();
            for (long i = 1; i <= messages; i++) {
                long seq = i;
                engineFixture.transactions.run(() -> engine.queue().enqueue("hinted", new Step("a", seq)));
                await().atMost(Duration.ofSeconds(20)).until(() -> runs.contains(seq));
            }
            engineFixture.drained();
        }
        assertThat(runs).hasSize(messages);
        return looks.get();
    }

    /** The transactions of this world, with other hints after their commits. */
    private Transactions withWakeUps(BiConsumer<Transactions, Runnable> hinting) {
        return (Transactions) Proxy.newProxyInstance(
                FloodIT.class.getClassLoader(), new Class<?>[] {Transactions.class}, (proxy, method, args) -> {
                    if (method.getName().equals("afterCommit")) {
                        hinting.accept(engineFixture.transactions, (Runnable) args[0]);
                        return null;
                    }
                    try {
                        return method.invoke(engineFixture.transactions, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
