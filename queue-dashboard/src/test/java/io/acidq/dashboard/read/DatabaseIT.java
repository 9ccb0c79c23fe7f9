package io.acidq.dashboard.read;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.TransientQueueException;
import io.acidq.admin.Operator;
import io.acidq.dashboard.TestDataSource;
import io.acidq.dashboard.read.Database.State;
import io.acidq.dashboard.read.Sampler.QueueSample;
import io.acidq.engine.Engine;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What the dashboard costs a database: connections, passes of the sampler, and retries while it is away. */
@ParameterizedClass
@EnumSource(ServerKind.class)
@TestInstance(Lifecycle.PER_CLASS)
class DatabaseIT {

    private static final int QUEUES = 30;

    @Parameter
    private ServerKind kind;

    private TestDatabase server;

    /** The monotonic clock of the dashboard, which stands still unless a test moves it. */
    private final AtomicLong nanos = new AtomicLong();

    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger maxOpen = new AtomicInteger();
    private volatile boolean away;
    private volatile Duration slowness = Duration.ZERO;
    private Database database;

    @BeforeParameterizedClassInvocation
    void fillTheQueues() {
        server = TestServers.get(kind).createDatabase();
        TestDataSource direct = server::connect;
        Schema.create(direct);
        JdbcTransactions transactions = new JdbcTransactions(direct);
        Engine engine = Engine.builder(MyBatisStore.over(direct, transactions)).build();
        for (int i = 0; i < QUEUES; i++) {
            String queue = "queue-%02d".formatted(i);
            transactions.run(() -> engine.queue().enqueue(queue, "x", options()));
        }
    }

    /** Slow reads of one viewer leave a connection to the others. */
    @Test
    void onlyOneRequestAtOnceHasALongerLimit() {
        Duration usual = database.readLimit();
        Duration longer = usual.plusSeconds(1);

        String inner = database.reads(longer, () -> {
            assertThatThrownBy(() -> database.reads(longer, () -> "a second one"))
                    .isInstanceOf(TransientQueueException.class)
                    .hasMessageContaining("another request reads with a longer time limit");
            return database.reads(usual, () -> "one with the usual limit");
        });

        assertThat(inner).isEqualTo("one with the usual limit");
        assertThat(database.reads(longer, () -> "afterwards")).isEqualTo("afterwards");
    }

    @BeforeEach
    void begin() {
        away = false;
        slowness = Duration.ZERO;
        database = new Database(
                "main",
                Engine.builder(MyBatisStore.over(counted())).build(),
                2,
                Duration.ofSeconds(10),
                Clock.systemUTC(),
                nanos::get);
        asked.set(0);
        maxOpen.set(0);
    }

    /** Counts the connections that are taken and open, and takes the dashboard's time for each. */
    private TestDataSource counted() {
        return () -> {
            asked.incrementAndGet();
            nanos.addAndGet(slowness.toNanos());
            if (away) {
                throw new SQLNonTransientConnectionException("nobody answers", "08001");
            }
            maxOpen.accumulateAndGet(open.incrementAndGet(), Math::max);
            return closing(server.connect());
        };
    }

    private Connection closing(Connection connection) {
        AtomicBoolean closed = new AtomicBoolean();
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close") && closed.compareAndSet(false, true)) {
                        open.decrementAndGet();
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private List<String> countedQueues() {
        return database.sampler().sample().queues().values().stream()
                .filter(each -> each.backlog() != null)
                .map(each -> each.info().name())
                .toList();
    }

    @Test
    void aPassCountsAtMost25QueuesAndTheNextOneTheOthers() {
        assertThat(countedQueues()).hasSize(25).doesNotContain("queue-29");
        pass(Duration.ofSeconds(3));
        assertThat(countedQueues()).hasSize(QUEUES);
        assertThat(database.sampler().sample().version()).isEqualTo(2);
    }

    @Test
    void whatSomebodyLooksAtIsCountedAtOnceAndInTheNextPass() {
        database.sampler().sample();
        QueueSample looked = database.sampler().queue("queue-29");
        assertThat(Objects.requireNonNull(looked.backlog()).ready()).isEqualTo(1);
        assertThat(countedQueues()).doesNotContain("queue-29");

        pass(Duration.ofSeconds(3));

        assertThat(countedQueues()).contains("queue-29");
    }

    @Test
    void whatSomebodyLooksAtIsCountedBeforeWhatWasNotCountedForLonger() {
        database.sampler().sample();
        pass(Duration.ofSeconds(3));
        database.sampler().sample(); // counts queue-25 to queue-29, so that others are due next
        database.sampler().queue("queue-29");
        pass(Duration.ofSeconds(3));

        Map<String, QueueSample> queues = database.sampler().sample().queues();

        assertThat(queues.get("queue-29").asOf()).isAfter(queues.get("queue-28").asOf());
    }

    @Test
    void manyViewersReadTheSampleAndNotTheDatabase() {
        database.sampler().sample();
        int before = asked.get();
        for (int i = 0; i < 1_000; i++) {
            database.sampler().sample();
        }
        pass(Duration.ofMillis(1_900));
        database.sampler().sample();

        assertThat(asked.get()).isEqualTo(before);
    }

    @Test
    void afterAnActTheNextRequestTakesANewSample() {
        database.sampler().sample();
        database.call(engine -> engine.control().pause("queue-07", new Operator("ann", "INC-1")));
        assertThat(paused("queue-07")).as("the sample is not due").isFalse();
        database.sampler().expire();
        assertThat(paused("queue-07")).isTrue();
    }

    private boolean paused(String queue) {
        return database.sampler().queue(queue).info().paused();
    }

    @Test
    void afterASlowPassTheSamplerRests() {
        slowness = Duration.ofMillis(100);
        long start = nanos.get();
        database.sampler().sample();
        Duration took = Duration.ofNanos(nanos.get() - start);
        assertThat(took).isGreaterThan(Duration.ofSeconds(2));
        int before = asked.get();

        pass(took.multipliedBy(19));
        database.sampler().sample();
        assertThat(asked.get()).isEqualTo(before);
        pass(took.multipliedBy(2));
        database.sampler().sample();
        assertThat(asked.get()).isGreaterThan(before);
    }

    @Test
    void atMostTwoRequestsUseTheDatabaseAtOnce() throws Exception {
        ExecutorService viewers = Executors.newFixedThreadPool(10);
        try {
            List<Future<?>> answers = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                answers.add(viewers.submit(() -> {
                    try {
                        database.call(engine -> engine.backlog("queue-01"));
                    } catch (TransientQueueException e) {
                        assertThat(e).hasMessageStartingWith("busy");
                    }
                }));
            }
            for (Future<?> answer : answers) {
                answer.get();
            }
        } finally {
            viewers.shutdownNow();
        }
        assertThat(maxOpen.get()).isBetween(1, 2);
    }

    @Test
    void aRequestThatFindsNoConnectionIsRefusedAfterASecond() throws Exception {
        CountDownLatch inside = new CountDownLatch(2);
        CountDownLatch end = new CountDownLatch(1);
        ExecutorService others = Executors.newFixedThreadPool(2);
        try {
            for (int i = 0; i < 2; i++) {
                others.submit(() -> database.call(engine -> {
                    inside.countDown();
                    return await(end);
                }));
            }
            inside.await();
            long start = System.nanoTime();
            assertThatThrownBy(() -> database.call(Engine::isRunning))
                    .isInstanceOf(TransientQueueException.class)
                    .hasMessageStartingWith("busy");
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofMillis(900), Duration.ofSeconds(5));
            assertThat(database.status().state()).as("busy is not away").isNotEqualTo(State.DOWN);
        } finally {
            end.countDown();
            others.shutdown();
        }
    }

    @Test
    @Timeout(20)
    void aFirstSampleThatHangsHoldsUpOneRequest() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        TestDataSource hanging = () -> {
            inside.countDown();
            await(end);
            throw new SQLNonTransientConnectionException("nobody answers", "08001");
        };
        Database hung = new Database(
                "main",
                Engine.builder(MyBatisStore.over(hanging)).build(),
                2,
                Duration.ofSeconds(10),
                Clock.systemUTC(),
                nanos::get);
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            other.submit(() -> hung.sampler().sample());
            inside.await();

            assertThatThrownBy(() -> hung.sampler().sample()).hasMessageStartingWith("busy");
        } finally {
            end.countDown();
            other.shutdown();
        }
    }

    private static boolean await(CountDownLatch latch) {
        try {
            latch.await();
            return true;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whileItIsAwayOneRequestIn5SecondsAsksItAndTheLastSampleStays() throws SQLException {
        database.sampler().sample();
        away = true;
        pass(Duration.ofSeconds(3));
        assertThatThrownBy(() -> database.sampler().sample()).isInstanceOf(TransientQueueException.class);
        assertThat(database.status().state()).isEqualTo(State.DOWN);
        int before = asked.get();
        for (int i = 0; i < 100; i++) {
            assertThatThrownBy(() -> database.sampler().sample()).hasMessageContaining("is away since");
        }
        assertThat(asked.get()).isEqualTo(before);
        assertThat(Objects.requireNonNull(database.sampler().lastKnown()).queues())
                .hasSize(QUEUES);

        pass(Duration.ofSeconds(6));
        assertThatThrownBy(() -> database.sampler().sample()).isInstanceOf(TransientQueueException.class);
        int again = asked.get();
        assertThat(again).isGreaterThan(before);
        away = false;
        assertThatThrownBy(() -> database.sampler().sample()).hasMessageContaining("is away since");
        assertThat(asked.get()).isEqualTo(again);

        pass(Duration.ofSeconds(6));
        assertThat(database.sampler().sample().queues()).hasSize(QUEUES);
        assertThat(database.status().state()).isEqualTo(State.UP);
    }

    @Test
    void theTimeIsThatOfTheDatabaseAndIsReadOnceAMinute() {
        long first = database.now().toEpochMilli();
        int before = asked.get();
        pass(Duration.ofSeconds(50));

        assertThat(database.now().toEpochMilli() - first).isEqualTo(50_000);
        assertThat(asked.get()).isEqualTo(before);
        pass(Duration.ofSeconds(20));
        assertThat(database.now().toEpochMilli() - first).as("read again").isLessThan(50_000);
    }
}
