package io.acidq.examples.orders;

import io.acidq.engine.Engine;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/** What a process does in its role, and the exit code that it ends with. */
@Component
class Job {

    private static final int OK = 0;
    private static final int UNBALANCED = 1;

    private final Arguments arguments;
    private final Producers producers;
    private final Drain drain;
    private final OrderCounter orderCounter;
    private final WorkerProcesses processes;
    private final ObjectProvider<Engine> engine;

    Job(
            Arguments arguments,
            Producers producers,
            Drain drain,
            OrderCounter orderCounter,
            WorkerProcesses processes,
            ObjectProvider<Engine> engine) {
        this.arguments = arguments;
        this.producers = producers;
        this.drain = drain;
        this.orderCounter = orderCounter;
        this.processes = processes;
        this.engine = engine;
    }

    int run() throws InterruptedException {
        return switch (arguments.role()) {
            case ALL -> placeAndShip();
            case PRODUCER -> place();
            case WORKER -> ship();
            case REPORT -> report(orderCounter.shipments(), orderCounter.fromFirstToLast());
        };
    }

    private int placeAndShip() throws InterruptedException {
        long before = orderCounter.shipments();
        long began = System.nanoTime();
        processes.start(arguments.shipsHere() ? 0 : arguments.workerSettings().processes());
        CompletableFuture<Void> placing = producers.start(arguments.placing());
        drain.await(placing, arguments.placing().orders(), processes::note);
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        processes.close();
        engine.getObject().close(); // nothing changes while the orders are counted
        placing.getNow(null); // throws what stopped the producers
        return report(orderCounter.shipments() - before, took);
    }

    private int place() throws InterruptedException {
        long began = System.nanoTime();
        CompletableFuture<Void> placing = producers.start(arguments.placing());
        try (Progress progress = new Progress("placing", arguments.placing().orders())) {
            while (!placing.isDone()) {
                progress.at(producers.placed(), "");
                Thread.sleep(100);
            }
        }
        placing.join();
        double seconds = (System.nanoTime() - began) / 1e9;
        System.out.printf(
                Locale.ROOT,
                "placed=%d seconds=%.1f per_second=%.0f%n",
                producers.placed(),
                seconds,
                producers.placed() / seconds);
        return OK;
    }

    /** Until told to stop, or until the process that started this one is gone. */
    private int ship() throws InterruptedException {
        if (arguments.parent() == 0) {
            Progress.print("shipping as node " + engine.getObject().node() + " until told to stop");
            new CountDownLatch(1).await();
        }
        ProcessHandle.of(arguments.parent()).ifPresent(parent -> parent.onExit().join());
        return OK;
    }

    private int report(long shipped, Duration took) {
        OrderCounts orderCounts = orderCounter.orderCounts();
        System.out.println(orderCounts.line(shipped, took));
        return orderCounts.isConsistent() ? OK : UNBALANCED;
    }
}
