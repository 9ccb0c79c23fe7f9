package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.EnqueueOptions;
import io.acidq.Handler;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.mybatis.JdbcTransactions;
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
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Cases 50 and 55 of docs/en/proof.md: more messages than fit into memory, and wake-ups that are lost, early or too many. With
 * {@code -Dacidq.test.flood=1000000} so many messages in one transaction, a tenth of them in the line of one key, and a thousandth large
 * ones, of which there are always more than a worker's memory holds.
 */
@AnyServer(ServerKind.MARIADB)
class FloodIT extends FreshEngineTests {

    private static final int CROWD = Integer.getInteger("acidq.test.flood", FullBuild.IS_ON ? 10_000 : 3_000);
    private static final int LINE = CROWD / 10;
    private static final int LARGE = Math.max(100, CROWD / 1000);
    private static final int PIECE = 10_000;
    private static final Duration PATIENCE = Duration.ofMinutes(2 + CROWD / 10_000);

    /**
     * A worker of 64 MB, killed once in the middle: ten times what it can hold of large payloads, a long line of one key, and a crowd of
     * one transaction. A quiet queue beside them is served all the while.
     * Takes some eight seconds: ten times the memory of the worker must go through it, and two processes start.
     */
    @Test
    void runsManyAndLargeMessagesWithin64MegabytesWhileAQuietQueueIsServed() throws Exception {
        String large = "x".repeat(800_000);
        transactions.run(() -> {
            for (long first = 1; first <= CROWD; first += PIECE) { // one transaction, several calls
                enqueue("crowd", first, Math.min(CROWD, first + PIECE - 1), "crowd", options());
            }
        });
        transactions.run(() -> enqueue("line", 1, LINE, "line", options().orderingKey("o")));
        for (int i = 1; i <= LARGE; i++) {
            enqueue("large", new Step(large, i));
        }
        List<Duration> waits = new ArrayList<>();
        EngineProcess first = worker();
        awaitUntil(() -> effects() > CROWD / 10);
        assertThat(first.isAlive()).isTrue();
        first.kill();
        try (EngineProcess second = worker()) {
            awaitRows("acidq_node", 2);
            for (int i = 1; effectsOfTheFlood() < CROWD + LINE + LARGE; i++) {
                waits.add(serveQuietOne(i));
                assertThat(second.isAlive()).as("did not run out of memory").isTrue();
            }
            assertThat(rows("acidq_message")).isZero();
        }
        assertThat(count("SELECT COUNT(DISTINCT k, seq) FROM effect"))
                .as("each once")
                .isEqualTo(effects());
        assertThat(rows("(SELECT seq, LAG(seq) OVER (ORDER BY id) AS before_it FROM effect"
                        + " WHERE k = 'line') l WHERE seq <> before_it + 1"))
                .as("the line is in order")
                .isZero();
        assertThat(waits.stream().skip(1))
                .as("the quiet queue, after the worker's start")
                .allMatch(wait -> wait.compareTo(Duration.ofSeconds(10)) < 0);
    }

    private Duration serveQuietOne(int number) throws Exception {
        long began = System.nanoTime();
        enqueue("quiet", new Step("quiet", number));
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> rows("effect WHERE k = 'quiet' AND seq = " + number) == 1);
        return Duration.ofNanos(System.nanoTime() - began);
    }

    private long effectsOfTheFlood() {
        return rows("effect WHERE k <> 'quiet'");
    }

    private void enqueue(String queue, long first, long last, String key, EnqueueOptions options) {
        queue().enqueueAll(
                        queue,
                        LongStream.rangeClosed(first, last)
                                .mapToObj(seq -> new NewMessage(new Step(key, seq), options))
                                .toList());
    }

    /** Case 55: the engine finds messages by polling. */
    @Test
    void runsEachMessageOnceWithoutWakeUps() throws Exception {
        runsOnceWith((transactions, hint) -> {}, 20);
    }

    /** Case 55: the row is not visible yet when the engine is woken. */
    @Test
    void runsEachMessageOnceWhenWakeUpsComeBeforeTheCommit() throws Exception {
        runsOnceWith((transactions, hint) -> hint.run(), 20);
    }

    /** Case 55: a thousand wake-ups for each message lead to few polls. */
    @Test
    void runsEachMessageOnceWithAThousandWakeUpsForEach() throws Exception {
        int looks = runsOnceWith(
                (transactions, hint) -> transactions.afterCommit(() -> {
                    for (int i = 0; i < 1000; i++) {
                        hint.run();
                    }
                }),
                20);
        assertThat(looks).isLessThan(5_000);
    }

    private int runsOnceWith(BiConsumer<Transactions, Runnable> wakeUp, int messages) throws Exception {
        Queue<Long> runs = new ConcurrentLinkedQueue<>();
        AtomicInteger looks = new AtomicInteger();
        Store store = StoreHook.beforeClaims(
                MyBatisStore.over(pool, withWakeUps(wakeUp)), (call, args) -> looks.incrementAndGet());
        Engine engine = Engine.builder(store)
                .config(QUICK)
                .listen(on("hinted", (step, delivery) -> {
                    runs.add(step.seq());
                    return Outcome.done();
                }))
                .build();
        try (engine) {
            engine.start();
            for (long i = 1; i <= messages; i++) {
                long seq = i;
                transactions.run(() -> engine.queue().enqueue("hinted", new Step("a", seq)));
                awaitUntil(() -> runs.contains(seq));
            }
            awaitDrained();
        }
        assertThat(runs).hasSize(messages);
        return looks.get();
    }

    /** The transactions of this test with other callbacks after the commit. */
    private Transactions withWakeUps(BiConsumer<Transactions, Runnable> wakeUp) {
        return (Transactions) Proxy.newProxyInstance(
                FloodIT.class.getClassLoader(), new Class<?>[] {Transactions.class}, (proxy, method, args) -> {
                    if (method.getName().equals("afterCommit")) {
                        wakeUp.accept(transactions, (Runnable) args[0]);
                        return null;
                    }
                    try {
                        return method.invoke(transactions, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private EngineProcess worker() {
        return new EngineProcess(Worker.class, 64, Map.of(), pool);
    }

    /** The process of the worker: one engine for all queues. It ends at the first OutOfMemoryError. */
    static final class Worker {

        public static void main(String[] args) throws Exception {
            HikariDataSource pool = EngineProcess.pool(args, 24);
            pool.setAutoCommit(false);
            JdbcTransactions transactions = new JdbcTransactions(pool);
            Handler<Step> effect = (step, delivery) -> {
                String k = step.k().startsWith("x") ? "large" : step.k();
                insertEffect(transactions.connection(), new Step(k, step.seq()), delivery.attempt());
                return Outcome.done();
            };
            Engine.builder(MyBatisStore.over(pool, transactions))
                    .config(QUICK)
                    .listen(on("crowd", effect).withTransactionSize(100).withConcurrency(4))
                    .listen(on("line", effect).withConcurrency(4))
                    .listen(on("large", effect).withTransactionSize(10).withConcurrency(4))
                    .listen(on("quiet", effect).withConcurrency(1))
                    .build()
                    .start();
            Thread.currentThread().join(); // until the test kills the process
        }
    }
}
