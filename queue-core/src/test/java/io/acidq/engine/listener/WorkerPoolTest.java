package io.acidq.engine.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.config.Concurrency;
import io.acidq.engine.guard.StartGuards;
import io.acidq.engine.loop.WakeUps;
import io.acidq.engine.node.SuspectSlot;
import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkerPoolTest {

    private static final Duration IDLE = Duration.ofSeconds(10);

    private final AtomicLong now = new AtomicLong();
    private final Semaphore runs = new Semaphore(0);
    private final AtomicInteger interrupted = new AtomicInteger();
    private final AtomicBoolean dying = new AtomicBoolean();
    private final Set<String> present = ConcurrentHashMap.newKeySet();
    private final MessageBuffer buffer = new MessageBuffer(() -> true, new SuspectSlot(), StartGuards.NONE);
    private final PrefetchPolicy pace = new PrefetchPolicy(2, 1);
    private final List<String> notifications = new ArrayList<>();
    private final Telemetry telemetry = new Telemetry() {
        @Override
        public void workersChanged(String queue, int from, int to) {
            notifications.add(queue + " " + from + "-" + to);
        }
    };
    private final WorkerPool pool = pool(new Concurrency(1, 5, IDLE, Duration.ofHours(1)), this::work, Thread::new);

    private WorkerPool pool(Concurrency limits, Consumer<BooleanSupplier> loop, ThreadFactory threads) {
        return new WorkerPool(
                "q", limits, loop, threads, buffer, pace, new WakeUps().pollerSignal(1), now::get, telemetry);
    }

    private void work(BooleanSupplier stays) {
        present.add(Thread.currentThread().getName());
        while (stays.getAsBoolean()) {
            try {
                runs.acquire();
                if (dying.getAndSet(false)) {
                    present.remove(Thread.currentThread().getName());
                    throw new OutOfMemoryError("pretended");
                }
            } catch (InterruptedException e) {
                interrupted.incrementAndGet();
            }
        }
        present.remove(Thread.currentThread().getName());
    }

    /** Its workers are always in a handler, unless the test makes one wait. */
    private final WorkerPool elastic = elastic();

    private WorkerPool elastic() {
        WorkerPool made = pool(Concurrency.between(2, 16).withIdleTimeout(IDLE), stays -> {}, Thread::new);
        made.resize(2);
        return made;
    }

    @AfterEach
    void close() {
        pool.close();
        runs.release(100);
    }

    @Test
    void takesItsThreadsFromTheFactoryAndNamesThem() {
        List<Thread> made = new CopyOnWriteArrayList<>();
        WorkerPool another = pool(Concurrency.fixed(2), stays -> {}, work -> {
            Thread thread = new Thread(work);
            made.add(thread);
            return thread;
        });
        another.resize(2);
        another.close();

        assertThat(made).extracting(Thread::getName).containsExactly("acidq-q-1", "acidq-q-2");
    }

    @Test
    void letsThoseBeyondTheWantedNumberLeaveBetweenTwoRuns() {
        pool.resize(4);
        until(() -> runs.getQueueLength() == 4); // all in the middle of a run
        pool.resize(1);
        assertThat(present).as("none before its run is over").hasSize(4);
        runs.release(100);
        until(() -> present.size() == 1);
        assertThat(interrupted).hasValue(0);
    }

    @Test
    void replacesAWorkerThatIsTooOldAfterItsRun() {
        pool.resize(2);
        until(() -> present.equals(Set.of("acidq-q-1", "acidq-q-2")));
        now.addAndGet(Duration.ofMinutes(47).toNanos());
        runs.release(2);
        until(() -> runs.availablePermits() == 0);
        assertThat(present).as("younger than a life less its spread").containsOnly("acidq-q-1", "acidq-q-2");
        now.addAndGet(Duration.ofMinutes(14).toNanos());
        until(() -> {
            runs.release(); // a young one that takes it goes on
            return present.equals(Set.of("acidq-q-3", "acidq-q-4"));
        });
        assertThat(interrupted).hasValue(0);
    }

    /** The dead thread was counted for ever: the queue had one worker fewer, in the end none. */
    @Test
    void replacesAWorkerWhoseThreadDies() {
        pool.resize(2);
        until(() -> present.size() == 2);
        dying.set(true);
        runs.release();
        until(() -> !dying.get() && present.size() == 2 && present.contains("acidq-q-3"));
        runs.release(10);
        until(() -> runs.availablePermits() == 0);
        assertThat(present).as("no other thread is started").hasSize(2).contains("acidq-q-3");
    }

    @Test
    void startsNoThreadAfterItsClose() {
        pool.resize(1);
        until(() -> present.size() == 1);
        pool.close();
        pool.resize(5);
        runs.release(1);
        until(present::isEmpty);
    }

    /** A stop had returned while a worker still gave back its connection, whose pool was closed then. */
    @Test
    void waitsAfterItsCloseForThoseThatStillGiveBackWhatTheyKept() throws InterruptedException {
        Semaphore goOn = new Semaphore(0);
        List<Thread> made = new CopyOnWriteArrayList<>();
        Consumer<BooleanSupplier> loop = stays -> {
            while (stays.getAsBoolean()) {
                Thread.onSpinWait();
            }
            goOn.acquireUninterruptibly();
        };
        WorkerPool another = pool(Concurrency.fixed(1), loop, running -> {
            made.add(new Thread(running));
            return made.get(0);
        });
        another.resize(1);
        another.close();
        another.awaitTermination(Duration.ofMillis(1));
        assertThat(made).as("waited for no longer than that").allMatch(Thread::isAlive);

        Thread stopping = Thread.currentThread();
        CompletableFuture.runAsync(() -> {
            until(() -> stopping.getState() == Thread.State.TIMED_WAITING);
            goOn.release();
        });
        another.awaitTermination(Duration.ofSeconds(30));

        assertThat(made).hasSize(1).noneMatch(Thread::isAlive);
    }

    @Test
    void doublesTheWorkersUpToTheMostWhileAllAreBusyAndMuchWaits() throws Exception {
        handlersTake(Duration.ofMillis(50));
        wait(100);
        run(2);
        runScaler(6);
        assertThat(notifications).containsExactly("q 2-4", "q 4-8", "q 8-16");
        assertThat(elastic.targetSize()).isEqualTo(16);
    }

    @Test
    void addsNoWorkerForWorkThatIsOverInAMoment() throws Exception {
        handlersTake(Duration.ofMillis(1));
        wait(30);
        run(2);
        runScaler(20);
        assertThat(notifications).as("28 for two workers: 14 ms").isEmpty();
    }

    @Test
    void addsNoWorkerForABurstThatIsSeenOnce() throws Exception {
        handlersTake(Duration.ofMillis(50));
        wait(100);
        List<ClaimedMessage> running = run(2);
        runScaler(1);
        running.forEach(m -> buffer.finished(m, false));
        run(98);
        runScaler(1);
        assertThat(notifications).isEmpty();
    }

    @Test
    void addsNoMoreThanCouldStart() throws Exception {
        handlersTake(Duration.ofSeconds(5));
        wait(3);
        run(2);
        runScaler(2);
        assertThat(notifications).containsExactly("q 2-3");
    }

    @Test
    void removesWhatWasNotNeededForTheIdleTimeButNotBelowTheLeast() throws Exception {
        handlersTake(Duration.ofMillis(50));
        wait(100);
        List<ClaimedMessage> running = run(2);
        runScaler(6);
        running.forEach(m -> buffer.finished(m, false));
        buffer.removeUnstarted();
        notifications.clear();
        for (int i = 0; i < 16; i++) {
            waitForWork();
        }
        now.addAndGet(IDLE.toNanos() - 1);
        runScaler(1);
        assertThat(notifications).isEmpty();
        now.addAndGet(2 * IDLE.toNanos()); // the first time since it grew still saw all of them busy
        runScaler(1);
        now.addAndGet(IDLE.toNanos());
        runScaler(1);
        assertThat(notifications).containsExactly("q 16-2");
        buffer.close();
    }

    private static void until(BooleanSupplier reached) {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!reached.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            Thread.yield();
        }
    }

    private void runScaler(int times) {
        for (int i = 0; i < times; i++) {
            elastic.runOnce();
        }
    }

    private void handlersTake(Duration time) {
        pace.recordRun(time);
    }

    private void wait(int messages) {
        buffer.put(
                LongStream.rangeClosed(1, messages)
                        .mapToObj(id -> new ClaimedMessage(
                                new Claim(1, 0, id, new UUID(0, id), 1, 1),
                                1,
                                new UUID(0, id),
                                null,
                                null,
                                "type",
                                "",
                                new byte[0],
                                1,
                                0,
                                Instant.EPOCH,
                                Instant.EPOCH,
                                Duration.ZERO))
                        .toList(),
                false);
    }

    private List<ClaimedMessage> run(int messages) throws InterruptedException {
        List<ClaimedMessage> running = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            running.addAll(buffer.take(Duration.ZERO, 1));
        }
        return running;
    }

    private void waitForWork() {
        int before = buffer.waitingWorkers();
        Thread taker = new Thread(() -> {
            try {
                buffer.take(Duration.ofMinutes(1), 1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        taker.setDaemon(true);
        taker.start();
        while (buffer.waitingWorkers() == before) {
            Thread.onSpinWait();
        }
    }
}
