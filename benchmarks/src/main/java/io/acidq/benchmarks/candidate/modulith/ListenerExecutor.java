package io.acidq.benchmarks.candidate.modulith;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.core.task.TaskExecutor;

/** The executor of asynchronous listeners. While no workers run it forgets what it is given, as if the process had died after the commit. */
final class ListenerExecutor implements TaskExecutor {

    private volatile @Nullable ThreadPoolExecutor workers;

    void start(int count) {
        workers = new ThreadPoolExecutor(count, count, 0, TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>());
    }

    @Override
    public void execute(Runnable task) {
        ThreadPoolExecutor running = workers;
        if (running != null) {
            running.execute(task);
        }
    }

    /** What waits is forgotten, what runs is finished. */
    void stop() throws InterruptedException {
        ThreadPoolExecutor running = workers;
        workers = null;
        if (running != null) {
            running.getQueue().clear();
            running.shutdown();
            running.awaitTermination(1, TimeUnit.MINUTES);
        }
    }
}
