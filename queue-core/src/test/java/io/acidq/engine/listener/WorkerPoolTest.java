package io.acidq.engine.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.config.Concurrency;
import io.acidq.engine.guard.StartGuards;
import io.acidq.engine.loop.WakeUps;
import io.acidq.engine.node.NodeContext.SuspectSlot;
import io.acidq.store.ClaimedMessage;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkerPoolTest {

    private static final Duration IDLE = Duration.ofSeconds(10);

    private final AtomicLong now = new AtomicLong();
    private final Semaphore runs = new Semaphore(0);
    private final AtomicInteger interrupted = new AtomicInteger();
    private final AtomicBoolean dying = new AtomicBoolean();
    private final Set<String> present = ConcurrentHashMap.newKeySet();
    private final MessageBuffer buffer =
            new MessageBuffer(() -> true, new SuspectSlot(), StartGuards.NONE, message -> false);
    private final PrefetchPolicy prefetch = new PrefetchPolicy(2, 1);
    private final List<String> notifications = new ArrayList<>();
    private final Telemetry telemetry = new Telemetry() {
        @Override
        public void workersChanged(String queue, int from, int to) {
            notifications.add(queue + " " + from + "-" + to);
        }
    };
    private final WorkerPool elastic = elastic();
    private final WorkerPool pool = pool(new Concurrency(1, 5, IDLE, Duration.ofHours(1)), this::work, Thread::new);

    private WorkerPool pool(Concurrency limits, Consumer<BooleanSupplier> loop, ThreadFactory threads) {
        return new WorkerPool(
                "q", limits, loop, threads, buffer, prefetch, new WakeUps().pollerSignal(1), now::get, telemetry);
    }

    private void work(BooleanSupplier isNeeded) {
        present.add(Thread.currentThread().getName());
        while (isNeeded.getAsBoolean()) {
            try {
                runs.acquire();
                if (dying.getAndSet(false)) {
                    present.remove(Thread.currentThread().getName());
                    throw new OutOfMemoryError("simulated");
                }
            } catch (InterruptedException e) {
                interrupted.incrementAndGet();
            }
        }
        present.remove(Thread.currentThread().getName());
    }

    /** A pool whose threads do nothing. All its workers count as busy unless the test makes one wait. */
    private WorkerPool elastic() {
        WorkerPool pool = pool(Concurrency.between(2, 16).withIdleTimeout(IDLE), isNeeded -> {}, Thread::new);
        pool.resize(2);
        return pool;
    }

    @AfterEach
    void close() {
        pool.close();
        runs.release(100);
    }

    @Test
    void createsItsThreadsByTheFactoryAndNamesThem() {
        List<Thread> created = new CopyOnWriteArrayList<>();
        WorkerPool another = pool(Concurrency.fixed(2), isNeeded -> {}, work -> {
            Thread thread = new Thread(work);
            created.add(thread);
            return thread;
        });
        another.resize(2);
        another.close();

        assertThat(created).extracting(Thread::getName).containsExactly("acidq-q-1", "acidq-q-2");
    }

    @Test
    void endsSurplusThreadsBetweenTwoRuns() {
        pool.resize(4);
        until(() -> runs.getQueueLength() == 4); // all are in a run
        pool.resize(1);
        assertThat(present).as("none ends before its run is over").hasSize(4);
        runs.release(100);
        until(() -> present.size() == 1);
        assertThat(interrupted).hasValue(0);
    }

    @Test
    void replacesAThreadThatIsTooOldAfterItsRun() {
        pool.resize(2);
        until(() -> present.equals(Set.of("acidq-q-1", "acidq-q-2")));
        now.addAndGet(Duration.ofMinutes(47).toNanos());
        runs.release(2);
        until(() -> runs.availablePermits() == 0);
        assertThat(present).as("younger than the shortest random lifetime").containsOnly("acidq-q-1", "acidq-q-2");
        now.addAndGet(Duration.ofMinutes(14).toNanos());
        until(() -> {
            runs.release(); // a young thread that takes it continues
            return present.equals(Set.of("acidq-q-3", "acidq-q-4"));
        });
        assertThat(interrupted).hasValue(0);
    }

    /** The pool counted the dead thread forever: the queue lost one worker after the other. */
    @Test
    void replacesAThreadThatDies() {
        pool.resize(2);
        until(() -> present.size() == 2);
        dying.set(true);
        runs.release();
        until(() -> !dying.get() && present.size() == 2 && present.contains("acidq-q-3"));
        runs.release(10);
        until(() -> runs.availablePermits() == 0);
        assertThat(present).as("no further thread is started").hasSize(2).contains("acidq-q-3");
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

    /** A stop returned while a worker still held its connection, whose pool was closed next. */
    @Test
    void waitsAfterItsCloseForThreadsThatReturnTheirConnections() throws InterruptedException {
        Semaphore goOn = new Semaphore(0);
        List<Thread> created = new CopyOnWriteArrayList<>();
        Consumer<BooleanSupplier> loop = isNeeded -> {
            while (isNeeded.getAsBoolean()) {
                Thread.onSpinWait();
            }
            goOn.acquireUninterruptibly();
        };
        WorkerPool another = pool(Concurrency.fixed(1), loop, running -> {
            created.add(new Thread(running));
            return created.get(0);
        });
        another.resize(1);
        another.close();
        another.awaitTermination(Duration.ofMillis(1));
        assertThat(created).as("the wait has a limit").allMatch(Thread::isAlive);

        Thread stopping = Thread.currentThread();
        CompletableFuture.runAsync(() -> {
            until(() -> stopping.getState() == Thread.State.TIMED_WAITING);
            goOn.release();
        });
        another.awaitTermination(Duration.ofSeconds(30));

        assertThat(created).hasSize(1).noneMatch(Thread::isAlive);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "50 | 100 | 6 | q 2-4,q 4-8,q 8-16", // doubles them up to the maximum
                "1 | 30 | 20 | ''", // 28 messages for two workers take 14 ms
                "5000 | 3 | 2 | q 2-3" // no more than could start
            })
    void addsWorkersWhileAllAreBusyAndTheWaitingMessagesTakeLong(int millis, int messages, int checks, String changes)
            throws Exception {
        handlersTake(Duration.ofMillis(millis));
        wait(messages);
        run(2);
        runScaler(checks);
        assertThat(String.join(",", notifications)).isEqualTo(changes);
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
    void removesWorkersThatWereNotNeededForTheIdleTimeoutButKeepsTheMinimum() throws Exception {
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
        now.addAndGet(2 * IDLE.toNanos()); // in the first period after it grew all of them were busy
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
        prefetch.recordRun(time);
    }

    private void wait(int messages) {
        buffer.put(
                LongStream.rangeClosed(1, messages)
                        .mapToObj(id -> SimulatedRow.message(1, id, null, 0))
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
