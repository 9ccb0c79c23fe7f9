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
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/** The threads that place orders, each for its own customers. Spring closes this bean before the database. */
@Component
class Producers implements AutoCloseable {

    private static final Duration OUTAGE = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final OrderService service;
    private final Arguments arguments;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final LongAdder placed = new LongAdder();
    private volatile boolean stopping;

    /** Repeats a step while the database is away. An order whose commit got no response may then exist twice, as two orders. */
    private final RetryTemplate retries = new RetryTemplate(RetryPolicy.builder()
            .includes(
                    TransientQueueException.class,
                    TransientDataAccessException.class,
                    RecoverableDataAccessException.class,
                    DataAccessResourceFailureException.class,
                    TransactionException.class)
            .predicate(thrown -> !stopping)
            .delay(PAUSE)
            .maxRetries(Long.MAX_VALUE)
            .timeout(OUTAGE)
            .build());

    Producers(OrderService service, Arguments arguments) {
        this.service = service;
        this.arguments = arguments;
    }

    /** Starts the threads. The result completes when all orders are placed. */
    CompletableFuture<Void> start() {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < arguments.producers(); i++) {
            int producer = i;
            all.add(CompletableFuture.runAsync(() -> placeShare(producer), threads));
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    /** Returns how many orders have been placed so far. */
    long placed() {
        return placed.sum();
    }

    /** Places every T-th order of T producers, for every T-th customer in turn. */
    private void placeShare(int producer) {
        int customer = producer;
        for (int n = producer + 1; n <= arguments.orders(); n += arguments.producers()) {
            if (stopping) {
                throw new CancellationException("stopped");
            }
            place(n, customer + 1);
            customer += arguments.producers();
            customer = customer < Arguments.CUSTOMERS ? customer : producer;
        }
    }

    private void place(int n, int customer) {
        Order order = retries.invoke(() -> service.place(customer, BigDecimal.valueOf(n % 1000 + 99, 2)));
        boolean twice = arguments.keyEvery() > 0 && n % arguments.keyEvery() == 0;
        if (twice && !retries.invoke(() -> service.placeAgain(order)).isDuplicate()) {
            throw new IllegalStateException("both messages of order " + order.id() + " were accepted");
        }
        placed.increment();
    }

    @Override
    public void close() {
        stopping = true;
        threads.shutdown();
        try {
            if (!threads.awaitTermination(OUTAGE.toSeconds(), TimeUnit.SECONDS)) {
                Progress.print("some producers do not end; their transactions are rolled back");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
