package io.acidq.examples.orders;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/** Waits until every order is placed and settled, and shows how far it is. */
@Component
class Drain {

    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(3);

    /** Longer than any retry and any rescue: after this time without progress there will be none. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final OrderCounter orderCounter;
    private final Producers producers;

    Drain(OrderCounter orderCounter, Producers producers) {
        this.orderCounter = orderCounter;
        this.producers = producers;
    }

    /**
     * Ends when all orders are placed and no message waits, or when nothing has moved for a long time; the counts then show what is missing.
     *
     * @param note what else to show
     */
    void await(CompletableFuture<Void> placing, int orders, Supplier<String> note) throws InterruptedException {
        long before = orderCounter.settled();
        long total = orderCounter.orders() - before + orders;
        long seen = -1;
        long movedAt = System.nanoTime();
        try (Progress progress = new Progress("shipping", total)) {
            while (System.nanoTime() - movedAt < PATIENCE.toNanos()) {
                long began = System.nanoTime();
                if (isOver(placing)) {
                    return;
                }
                long settled = settledSince(before);
                progress.at(settled, "placed " + producers.placed() + note.get());
                if (settled + producers.placed() > seen) {
                    seen = settled + producers.placed();
                    movedAt = began;
                }
                Thread.sleep(pauseAfter(System.nanoTime() - began));
            }
            Progress.print("nothing has moved for " + PATIENCE.toMinutes() + " minutes; see what is lost");
        }
    }

    private boolean isOver(CompletableFuture<Void> placing) {
        boolean allPlaced = placing.isDone(); // read first: an order placed after the query would be missed
        try {
            return placing.isCompletedExceptionally() || (allPlaced && !orderCounter.isAnyWaiting());
        } catch (DataAccessException | TransactionException e) {
            return false; // an outage, which the queue outlives too
        }
    }

    private long settledSince(long before) {
        try {
            return orderCounter.settled() - before;
        } catch (DataAccessException | TransactionException e) {
            return 0;
        }
    }

    /** Counting takes longer as the tables grow, and must leave the database to the workers. */
    private static long pauseAfter(long lookNanos) {
        long wanted = 10 * lookNanos / 1_000_000;
        return Math.min(Math.max(wanted, SHORTEST_PAUSE.toMillis()), LONGEST_PAUSE.toMillis());
    }
}
