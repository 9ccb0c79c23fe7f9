package io.acidq.examples.orders;

import io.acidq.engine.Engine;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.springframework.core.env.Environment;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/** The work of a process in its role, and the exit code with which it ends. */
@Component
class Job {

    private static final int OK = 0;
    private static final int INCONSISTENT = 1;

    private static final long SHORTEST_PAUSE_MILLIS = 100;
    private static final long LONGEST_PAUSE_MILLIS = 3000;

    /** Longer than any retry and any rescue: after this time without progress there will be none. */
    private static final Duration NO_PROGRESS_TIMEOUT = Duration.ofMinutes(3);

    private final Arguments arguments;
    private final Producers producers;
    private final OrderCountsMapper mapper;
    private final WorkerProcesses processes;
    private final Engine engine;
    private final Environment environment;

    Job(
            Arguments arguments,
            Producers producers,
            OrderCountsMapper mapper,
            WorkerProcesses processes,
            Engine engine,
            Environment environment) {
        this.arguments = arguments;
        this.producers = producers;
        this.mapper = mapper;
        this.processes = processes;
        this.engine = engine;
        this.environment = environment;
    }

    int run() throws InterruptedException {
        if (!arguments.dashboard()) {
            return runInRole();
        }
        Progress.print(
                "dashboard: http://localhost:" + environment.getProperty("local.acidq.dashboard.port") + "/acidq/");
        int exitCode = runInRole();
        Progress.print("the dashboard stays until Ctrl-C");
        new CountDownLatch(1).await();
        return exitCode;
    }

    private int runInRole() throws InterruptedException {
        return switch (arguments.role()) {
            case ALL -> placeAndShip();
            case PRODUCER -> place();
            case WORKER -> ship();
            case REPORT -> report(mapper.count(OrderService.PLACED), "");
        };
    }

    private int placeAndShip() throws InterruptedException {
        Progress.print(String.format(
                Locale.ROOT,
                "placing %d orders (threads: %d) and shipping them (workers: %d); %.0f %% of the runs throw on purpose",
                arguments.orders(),
                arguments.producers(),
                arguments.workers() * Math.max(1, arguments.workerProcesses()),
                100 * arguments.failRate()));
        OrderCounts before = mapper.count(OrderService.PLACED);
        long start = System.nanoTime();
        processes.start(arguments.workerProcesses());
        CompletableFuture<Void> placing = producers.start();
        awaitSettled(placing, before);
        String time = secondsSince(start, mapper.settled(OrderService.PLACED) - before.settled());
        processes.close();
        engine.close(); // nothing changes while the orders are counted
        placing.getNow(null); // throws what stopped the producers
        return report(mapper.count(OrderService.PLACED), time);
    }

    /** Returns when all orders are placed and no message waits, or when there has been no progress for a long time. */
    private void awaitSettled(CompletableFuture<Void> placing, OrderCounts before) throws InterruptedException {
        try (Progress progress = new Progress("shipping", before.orders() - before.settled() + arguments.orders())) {
            long done = -1;
            long lastProgress = System.nanoTime();
            while (System.nanoTime() - lastProgress < NO_PROGRESS_TIMEOUT.toNanos()) {
                long start = System.nanoTime();
                try {
                    boolean allPlaced = placing.isDone(); // read first: an order placed after the query would be missed
                    if (placing.isCompletedExceptionally()
                            || (allPlaced && !mapper.isAnyWaiting(OrderService.PLACED))) {
                        return;
                    }
                    long settled = mapper.settled(OrderService.PLACED) - before.settled();
                    progress.at(settled, "placed " + producers.placed() + processes.note());
                    if (settled + producers.placed() > done) {
                        done = settled + producers.placed();
                        lastProgress = start;
                    }
                } catch (DataAccessException e) {
                    // the database is away; the queue continues when it is back
                }
                Thread.sleep(pauseAfter(System.nanoTime() - start));
            }
            Progress.print("no progress for " + NO_PROGRESS_TIMEOUT.toMinutes() + " minutes; see what is lost");
        }
    }

    /** Counting takes longer as the tables grow, and must leave the database to the workers. */
    private static long pauseAfter(long countingNanos) {
        return Math.min(Math.max(countingNanos / 100_000, SHORTEST_PAUSE_MILLIS), LONGEST_PAUSE_MILLIS);
    }

    private int place() throws InterruptedException {
        long start = System.nanoTime();
        CompletableFuture<Void> placing = producers.start();
        try (Progress progress = new Progress("placing", arguments.orders())) {
            while (!placing.isDone()) {
                progress.at(producers.placed(), "");
                Thread.sleep(SHORTEST_PAUSE_MILLIS);
            }
        }
        placing.join();
        System.out.println("placed=" + producers.placed() + secondsSince(start, producers.placed()));
        return OK;
    }

    /** Ships until this process is stopped, or until the process that started it has ended. */
    private int ship() throws InterruptedException {
        if (arguments.parent() == 0) {
            Progress.print("shipping as node " + engine.node() + " until stopped");
            new CountDownLatch(1).await();
        }
        ProcessHandle.of(arguments.parent()).ifPresent(parent -> parent.onExit().join());
        return OK;
    }

    private static int report(OrderCounts counts, String time) {
        System.out.println(counts + time);
        Progress.print(
                counts.isConsistent()
                        ? "consistent: each order was shipped once and in order, or is a dead letter"
                        : "NOT consistent: lost, duplicated and out_of_order must be 0");
        return counts.isConsistent() ? OK : INCONSISTENT;
    }

    private static String secondsSince(long start, long orders) {
        double seconds = (System.nanoTime() - start) / 1e9;
        return String.format(Locale.ROOT, " seconds=%.1f per_second=%.0f", seconds, orders / seconds);
    }
}
