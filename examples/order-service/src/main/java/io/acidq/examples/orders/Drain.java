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

    /** Longer than any retry and any rescue: what does not move for so long will not. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Bookkeeper bookkeeper;
    private final Producers producers;

    Drain(Bookkeeper bookkeeper, Producers producers) {
        this.bookkeeper = bookkeeper;
        this.producers = producers;
    }

    /**
     * Ends when placing is done and no message waits, or when nothing has moved for long: the books then tell what is missing.
     *
     * @param note what else to show
     */
    void await(CompletableFuture<Void> placing, int orders, Supplier<String> note) throws InterruptedException {
        long before = bookkeeper.settled();
        long total = bookkeeper.orders() - before + orders;
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
            Progress.tell("nothing has moved for " + PATIENCE.toMinutes() + " minutes; see what is lost");
        }
    }

    private boolean isOver(CompletableFuture<Void> placing) {
        boolean allPlaced = placing.isDone(); // asked first: what is placed after the look would be missed
        try {
            return placing.isCompletedExceptionally() || (allPlaced && !bookkeeper.isAnyWaiting());
        } catch (DataAccessException | TransactionException e) {
            return false; // an outage, which the queue outlives too
        }
    }

    private long settledSince(long before) {
        try {
            return bookkeeper.settled() - before;
        } catch (DataAccessException | TransactionException e) {
            return 0;
        }
    }

    /** Counting takes ever longer, and must not take the database from those who work. */
    private static long pauseAfter(long lookNanos) {
        long wanted = 10 * lookNanos / 1_000_000;
        return Math.min(Math.max(wanted, SHORTEST_PAUSE.toMillis()), LONGEST_PAUSE.toMillis());
    }
}
