package io.acidq.engine.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TaskLoopTest {

    private final List<String> reports = new CopyOnWriteArrayList<>();
    private final Telemetry telemetry = new Telemetry() {
        @Override
        public void taskFailed(String task, Throwable failure) {
            reports.add(task + " failed: " + failure.getClass().getSimpleName());
        }

        @Override
        public void taskRecovered(String task) {
            reports.add(task + " recovered");
        }
    };

    /** The thread ended without a report: the engine looked alive and, for example, moved no due message any more. */
    @Test
    void reportsAnInterruptAndContinuesUntilItIsStopped() throws Exception {
        CompletableFuture<Thread> thirdRun = new CompletableFuture<>();
        PeriodicTask task = new PeriodicTask() {
            private int runs;

            @Override
            public String name() {
                return "mover";
            }

            @Override
            public Duration runOnce() throws InterruptedException {
                switch (++runs) {
                    case 1 -> throw new InterruptedException("by a driver");
                    case 2 -> Thread.currentThread().interrupt();
                    default -> thirdRun.complete(Thread.currentThread());
                }
                return Duration.ofHours(1);
            }
        };
        TaskLoop loop = new TaskLoop(task, new DatabaseMonitor(Duration.ofSeconds(1), System::nanoTime, telemetry));
        loop.start();

        Thread thread = thirdRun.get(30, TimeUnit.SECONDS);
        loop.stop(Duration.ofSeconds(30));

        assertThat(thread.isAlive()).isFalse();
        assertThat(reports)
                .containsExactly(
                        "mover failed: InterruptedException",
                        "mover recovered",
                        "mover failed: InterruptedException",
                        "mover recovered");
    }
}
