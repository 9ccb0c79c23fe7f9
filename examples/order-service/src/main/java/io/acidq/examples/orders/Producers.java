package io.acidq.examples.orders;

import io.acidq.TransientQueueException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/** The threads that place orders, each for customers of its own. They end before the database ends. */
@Component
class Producers implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final OrderService service;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final LongAdder placed = new LongAdder();
    private volatile boolean stopping;

    Producers(OrderService service) {
        this.service = service;
    }

    /** Starts them; the result is done when all orders are placed. */
    CompletableFuture<Void> start(Placing placing) {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < placing.producers(); i++) {
            int producer = i;
            all.add(CompletableFuture.runAsync(() -> placeShare(placing, producer), threads));
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    /** How many orders have been placed so far. */
    long placed() {
        return placed.sum();
    }

    @Override
    public void close() {
        stopping = true;
        threads.shutdown();
        try {
            if (!threads.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                Progress.print("some producers do not end; their transactions are rolled back");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Every T-th order, and every T-th customer, in turn. */
    private void placeShare(Placing placing, int producer) {
        int customer = producer;
        for (int n = producer + 1; n <= placing.orders(); n += placing.producers()) {
            place(new NewOrder(customer + 1, BigDecimal.valueOf(n % 1000 + 99, 2)), isAnnouncedTwice(placing, n));
            customer += placing.producers();
            customer = customer < Placing.CUSTOMERS ? customer : producer;
        }
    }

    private static boolean isAnnouncedTwice(Placing placing, int n) {
        return placing.keyEvery() > 0 && n % placing.keyEvery() == 0;
    }

    private void place(NewOrder order, boolean twice) {
        Order done = insist(() -> service.place(order));
        if (twice && !insist(() -> service.placeAgain(done)).isDuplicate()) {
            throw new IllegalStateException("order " + done.id() + " was announced twice, and both were taken");
        }
        placed.increment();
    }

    /** Does it again while the database is not able to. An order whose commit got no answer may then be there twice, as two. */
    private <T> T insist(Supplier<T> step) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            if (stopping) {
                throw new CancellationException("told to stop");
            }
            try {
                return step.get();
            } catch (RuntimeException e) {
                if (!isPassing(e) || System.nanoTime() > deadline) {
                    throw e;
                }
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private static boolean isPassing(RuntimeException e) {
        return e instanceof TransientQueueException
                || e instanceof TransientDataAccessException
                || e instanceof RecoverableDataAccessException
                || e instanceof DataAccessResourceFailureException
                || e instanceof TransactionException;
    }
}
