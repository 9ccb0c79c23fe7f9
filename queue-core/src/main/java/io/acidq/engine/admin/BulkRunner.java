package io.acidq.engine.admin;

import io.acidq.TransientQueueException;
import io.acidq.admin.BulkAction;
import io.acidq.admin.BulkResult;
import io.acidq.store.DatabaseError;
import io.acidq.store.DeadLetterStore.ActionResult;
import io.acidq.store.DeadLetterStore.BulkProgress;
import io.acidq.store.DeadLetterStore.Letter;
import io.acidq.store.DeadLetterStore.OperatorAction;
import io.acidq.store.QueueStore.QueueRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs a bulk action on picked dead letters in chunks, each in a transaction of its own. A chunk that the database has rolled back is tried again. When a chunk
 * fails for good, the action stops, so that no later letter overtakes an earlier one.
 */
final class BulkRunner {

    static final int LETTERS_PER_TRANSACTION = 100;
    private static final long BYTES_PER_TRANSACTION = 1 << 20;
    private static final int MAX_TRIES = 4;

    /** A lost connection is not among them: the chunk may have committed, and a second try would count its letters as changed by another operator. */
    private static final Set<DatabaseError> CERTAINLY_ROLLED_BACK =
            EnumSet.of(DatabaseError.ROLLED_BACK, DatabaseError.LOCK_TIMEOUT);

    /** The order of the store within one transaction. Letters with an equal time were enqueued by one statement, whose uids increase. */
    private static final Comparator<Letter> BY_ENQUEUE_TIME =
            Comparator.comparing(Letter::enqueuedAt).thenComparing(Letter::uid, BulkRunner::compareAsBytes);

    private final BulkAction action;
    private final Rate rate;
    private BulkProgress progress;

    BulkRunner(BulkAction action, QueueRow queue, String filter, long matched) {
        this(action, Rate.of(action.perSecond()), queue, filter, matched);
    }

    BulkRunner(BulkAction action, Rate rate, QueueRow queue, String filter, long matched) {
        this.action = action;
        this.rate = rate;
        this.progress = new BulkProgress(0, queue.id(), filter, matched, 0, 0, 0);
    }

    BulkResult run(List<Letter> letters, BiFunction<OperatorAction, List<Letter>, ActionResult> transaction) {
        for (List<Letter> chunk : chunks(letters, rate.chunkSize(LETTERS_PER_TRANSACTION))) {
            await(chunk.size());
            progress = progress.plus(runWithRetries(chunk, transaction));
        }
        return new BulkResult(false, progress.matched(), progress.changed(), progress.lost(), progress.keyTaken());
    }

    int changed() {
        return progress.changed();
    }

    private void await(int letters) {
        try {
            rate.await(letters);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw stopped("the thread was interrupted", e);
        }
    }

    private TransientQueueException stopped(@Nullable String cause, Exception e) {
        return new TransientQueueException(
                "the bulk action on dead letters (" + progress.filter() + ") stopped after " + progress.changed()
                        + " of them; these are done and recorded, the same call does the rest: " + cause,
                e);
    }

    private ActionResult runWithRetries(
            List<Letter> chunk, BiFunction<OperatorAction, List<Letter>, ActionResult> transaction) {
        for (int tries = 1; ; tries++) {
            try {
                return transaction.apply(new OperatorAction(action.who(), action.why(), progress), chunk);
            } catch (TransientQueueException e) {
                if (tries == MAX_TRIES || !CERTAINLY_ROLLED_BACK.contains(DatabaseError.of(e))) {
                    throw stopped(e.getMessage(), e);
                }
            }
        }
    }

    /** Divides letters, in their order, into chunks that are small enough for a short transaction. A larger letter is a chunk of its own. */
    static List<List<Letter>> chunks(List<Letter> letters, int max) {
        List<List<Letter>> chunks = new ArrayList<>();
        List<Letter> chunk = new ArrayList<>();
        long bytes = 0;
        for (Letter letter : letters) {
            if (chunk.isEmpty() || chunk.size() == max || bytes + letter.size() > BYTES_PER_TRANSACTION) {
                chunk = new ArrayList<>();
                chunks.add(chunk);
                bytes = 0;
            }
            chunk.add(letter);
            bytes += letter.size();
        }
        return chunks;
    }

    /**
     * Sorts letters for a replay. They come in the order in which they died. For one ordering key that is the order in which they were enqueued, unless one of
     * them was replayed and died again: so the letters of a key are sorted by enqueue time, within the places that they have in the list.
     */
    static List<Letter> inReplayOrder(List<Letter> byDeath) {
        Map<String, Iterator<Letter>> byKey = byDeath.stream()
                .sorted(BY_ENQUEUE_TIME)
                .collect(Collectors.groupingBy(
                        Letter::orderKey, Collectors.collectingAndThen(Collectors.toList(), List::iterator)));
        return byDeath.stream()
                .map(letter -> letter.orderKey().isEmpty()
                        ? letter
                        : Objects.requireNonNull(byKey.get(letter.orderKey())).next())
                .toList();
    }

    /** UUID.compareTo compares the halves as signed numbers, the database compares bytes. */
    private static int compareAsBytes(UUID a, UUID b) {
        int high = Long.compareUnsigned(a.getMostSignificantBits(), b.getMostSignificantBits());
        return high != 0 ? high : Long.compareUnsigned(a.getLeastSignificantBits(), b.getLeastSignificantBits());
    }

    /** Limits how many letters are changed in a second. Confined to one thread. */
    static final class Rate {

        private static final int STEPS_PER_SECOND = 10;
        private static final long NANOS = Duration.ofSeconds(1).toNanos();

        private final int perSecond;
        private final LongSupplier nanoTime;
        private final Sleeper sleeper;
        private long done;
        private long start;

        /**
         * A rate that starts with its first wait.
         *
         * @param perSecond letters a second; 0 for no limit
         */
        Rate(int perSecond, LongSupplier nanoTime, Sleeper sleeper) {
            this.perSecond = perSecond;
            this.nanoTime = nanoTime;
            this.sleeper = sleeper;
        }

        static Rate of(int perSecond) {
            return new Rate(
                    perSecond,
                    System::nanoTime,
                    nanos -> Thread.sleep(Duration.ofNanos(nanos).toMillis() + 1));
        }

        /** Returns how many letters to change in one transaction, so that the load is even. */
        int chunkSize(int max) {
            return perSecond == 0 ? max : Math.min(max, Math.max(1, perSecond / STEPS_PER_SECOND));
        }

        /** Waits until this many more letters may be changed. Time lost in a slow transaction is not made up for. */
        void await(int letters) throws InterruptedException {
            if (perSecond == 0) {
                return;
            }
            long now = nanoTime.getAsLong();
            if (done == 0) {
                start = now;
            }
            long due = start + done * NANOS / perSecond;
            if (due - now > 0) {
                sleeper.sleep(due - now);
            } else { // late: all later letters are late by the same time
                start += now - due;
            }
            done += letters;
        }

        /** Waits; tests replace it. */
        interface Sleeper {
            void sleep(long nanos) throws InterruptedException;
        }
    }
}
