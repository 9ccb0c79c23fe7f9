package io.acidq.engine.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StaffTest {

    private final AtomicLong now = new AtomicLong();
    private final Semaphore runs = new Semaphore(0);
    private final AtomicInteger interrupted = new AtomicInteger();
    private final AtomicBoolean dying = new AtomicBoolean();
    private final Set<String> present = ConcurrentHashMap.newKeySet();
    private final Staff staff = new Staff("q", Duration.ofHours(1), now::get, this::work);

    private void work() {
        long retires = staff.retires();
        present.add(Thread.currentThread().getName());
        while (staff.keeps(retires)) {
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

    @AfterEach
    void close() {
        staff.close();
        runs.release(100);
    }

    @Test
    void takesItsThreadsFromTheFactoryAndNamesThem() {
        List<Thread> made = new CopyOnWriteArrayList<>();
        Staff another = new Staff("q", null, now::get, () -> {}, work -> {
            Thread thread = new Thread(work);
            made.add(thread);
            return thread;
        });
        another.want(2);
        another.close();

        assertThat(made).extracting(Thread::getName).containsExactly("acidq-q-1", "acidq-q-2");
    }

    @Test
    void letsThoseBeyondTheWantedNumberLeaveBetweenTwoRuns() {
        staff.want(4);
        until(() -> runs.getQueueLength() == 4); // all in the middle of a run
        staff.want(1);
        assertThat(present).as("none before its run is over").hasSize(4);
        runs.release(100);
        until(() -> present.size() == 1);
        assertThat(interrupted).hasValue(0);
    }

    @Test
    void replacesAWorkerThatIsTooOldAfterItsRun() {
        staff.want(2);
        until(() -> present.equals(Set.of("acidq-q-1", "acidq-q-2")));
        now.addAndGet(Duration.ofMinutes(47).toNanos());
        runs.release(2);
        until(() -> runs.availablePermits() == 0);
        assertThat(present).as("younger than a life less its spread").containsOnly("acidq-q-1", "acidq-q-2");
        now.addAndGet(Duration.ofMinutes(14).toNanos());
        until(() -> {
            runs.release(); // whoever takes it: the young ones go on
            return present.equals(Set.of("acidq-q-3", "acidq-q-4"));
        });
        assertThat(interrupted).hasValue(0);
    }

    /** The dead thread was counted for ever: the queue had one worker fewer, in the end none. */
    @Test
    void replacesAWorkerWhoseThreadDies() {
        staff.want(2);
        until(() -> present.size() == 2);
        dying.set(true);
        runs.release();
        until(() -> !dying.get() && present.size() == 2 && present.contains("acidq-q-3"));
        runs.release(10);
        until(() -> runs.availablePermits() == 0);
        assertThat(present).as("nobody else is hired").hasSize(2).contains("acidq-q-3");
    }

    @Test
    void hiresNobodyAfterItsClose() {
        staff.want(1);
        until(() -> present.size() == 1);
        staff.close();
        staff.want(5);
        runs.release(1);
        until(present::isEmpty);
    }

    /** A stop had returned while a worker still gave back its connection, whose pool was closed then. */
    @Test
    void waitsAfterItsCloseForThoseThatStillGiveBackWhatTheyKept() throws InterruptedException {
        Semaphore goOn = new Semaphore(0);
        List<Thread> made = new CopyOnWriteArrayList<>();
        AtomicReference<Staff> its = new AtomicReference<>();
        Runnable work = () -> {
            while (its.get().keeps(Long.MAX_VALUE)) {
                Thread.onSpinWait();
            }
            goOn.acquireUninterruptibly();
        };
        Staff another = new Staff("q", null, now::get, work, running -> {
            made.add(new Thread(running));
            return made.get(0);
        });
        its.set(another);
        another.want(1);
        another.close();
        another.awaitGone(Duration.ofMillis(1));
        assertThat(made).as("waited for no longer than that").allMatch(Thread::isAlive);

        Thread stopping = Thread.currentThread();
        CompletableFuture.runAsync(() -> {
            until(() -> stopping.getState() == Thread.State.TIMED_WAITING);
            goOn.release();
        });
        another.awaitGone(Duration.ofSeconds(30));

        assertThat(made).hasSize(1).noneMatch(Thread::isAlive);
    }

    private static void until(BooleanSupplier reached) {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!reached.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            Thread.yield();
        }
    }
}
