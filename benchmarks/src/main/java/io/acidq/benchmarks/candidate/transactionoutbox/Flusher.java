package io.acidq.benchmarks.candidate.transactionoutbox;

import com.gruelbox.transactionoutbox.TransactionOutbox;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The workers, and the thread that looks for entries that nobody has handed to them. */
final class Flusher {

    private static final int POLL_MILLIS = 100;
    private static final int QUEUE = 16_384;

    private final CountDownLatch stopping = new CountDownLatch(1);
    private final ThreadPoolExecutor workers;
    private @Nullable Thread thread;

    Flusher(int count) {
        workers = new ThreadPoolExecutor(
                count,
                count,
                0,
                TimeUnit.MILLISECONDS,
                new ArrayBlockingQueue<>(QUEUE),
                new ThreadPoolExecutor.CallerRunsPolicy());
    }

    Executor executor() {
        return workers;
    }

    void start(TransactionOutbox outbox) {
        Thread started = new Thread(() -> run(outbox), "outbox-flusher");
        started.setDaemon(true);
        started.start();
        thread = started;
    }

    private void run(TransactionOutbox outbox) {
        try {
            while (!stopping.await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                flush(outbox);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void flush(TransactionOutbox outbox) {
        try {
            boolean more = true;
            while (more && stopping.getCount() > 0) {
                more = outbox.flush();
            }
        } catch (RuntimeException e) { // a deadlock, say; the next flush is soon
            System.err.println("benchmarks: transaction-outbox could not flush: " + e);
        }
    }

    /** Entries that wait in the queue stay in the table, those that run are finished. */
    void stop() throws InterruptedException {
        stopping.countDown();
        workers.getQueue().clear();
        Thread started = thread;
        if (started != null) {
            started.join();
        }
        workers.getQueue().clear();
        workers.shutdown();
        workers.awaitTermination(1, TimeUnit.MINUTES);
    }
}
