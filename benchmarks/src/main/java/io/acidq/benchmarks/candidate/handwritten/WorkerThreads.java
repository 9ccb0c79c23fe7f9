package io.acidq.benchmarks.candidate.handwritten;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** The threads of a hand-written queue. */
final class WorkerThreads {

    private final CountDownLatch stopping = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();

    /** Starts them; each runs its body until that ends by itself, and stays until the stop, or what it has allocated could not be read. */
    void start(int count, IntFunction<Runnable> body) {
        for (int number = 0; number < count; number++) {
            Runnable work = body.apply(number);
            Thread thread = new Thread(
                    () -> {
                        work.run();
                        pause(Long.MAX_VALUE);
                    },
                    "hand-" + number);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    boolean stopping() {
        return stopping.getCount() == 0;
    }

    /** Waits, but not beyond the stop; returns whether that has come. */
    boolean pause(long millis) {
        try {
            return stopping.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    void stop() throws InterruptedException {
        stopping.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
