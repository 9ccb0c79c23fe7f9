package io.acidq.engine.admin;

import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.admin.BulkAction;
import io.acidq.admin.BulkCallback;
import io.acidq.admin.BulkCallback.BulkStatus;
import io.acidq.admin.DeadLetters.BulkResult;
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
 * Runs a bulk action on selected dead letters, or on messages that wait, in chunks, each in a transaction of its own. If the database has certainly
 * rolled a chunk back, the runner repeats it. If a chunk fails for another reason, or too often, the action stops: a later letter must not overtake
 * an earlier one of its ordering key.
 */
final class BulkRunner {

    static final int LETTERS_PER_TRANSACTION = 100;
    private static final long BYTES_PER_TRANSACTION = 1 << 20;
    private static final int MAX_TRIES = 4;

    /**
     * The errors after which a chunk is certainly rolled back. A lost connection is not among them: the chunk may have committed, and a second try would
     * count its letters as changed by another operator.
     */
    private static final Set<DatabaseError> CERTAINLY_ROLLED_BACK =
            EnumSet.of(DatabaseError.ROLLED_BACK, DatabaseError.LOCK_TIMEOUT);

    /** The order in which the store replays letters within one transaction. One statement gives all its rows the same time, and increasing uids. */
    private static final Comparator<Letter> BY_ENQUEUE_TIME =
            Comparator.comparing(Letter::enqueuedAt).thenComparing(Letter::uid, BulkRunner::compareAsBytes);

    private final BulkAction action;
    private final Rate rate;
    private final BulkCallback callback;
    private BulkProgress progress;

    BulkRunner(BulkAction action, QueueRow queue, String filter, long matched, BulkCallback callback) {
        this(action, Rate.of(action.perSecond()), queue, filter, matched, callback);
    }

    BulkRunner(BulkAction action, Rate rate, QueueRow queue, String filter, long matched, BulkCallback callback) {
        this.action = action;
        this.rate = rate;
        this.callback = callback;
        this.progress = new BulkProgress(0, queue.id(), filter, matched, 0, 0, 0);
    }

    BulkResult run(List<Letter> letters, BiFunction<OperatorAction, List<Letter>, ActionResult> applyInTransaction) {
        return runChunks(chunks(letters, chunkSize()), applyInTransaction);
    }

    /** Returns how many messages to change in one transaction. */
    int chunkSize() {
        return rate.chunkSize(LETTERS_PER_TRANSACTION);
    }

    <T> BulkResult runChunks(
            List<List<T>> chunks, BiFunction<OperatorAction, List<T>, ActionResult> applyInTransaction) {
        boolean goesOn = callback.proceed(status());
        for (Iterator<List<T>> left = chunks.iterator(); goesOn && left.hasNext(); ) {
            List<T> chunk = left.next();
            await(chunk.size());
            progress = progress.plus(runWithRetries(chunk, applyInTransaction));
            goesOn = callback.proceed(status());
        }
        return new BulkResult(false, progress.matched(), progress.changed(), progress.lost(), progress.keyTaken());
    }

    private BulkStatus status() {
        return new BulkStatus(
                progress.id(), progress.matched(), progress.changed(), progress.lost(), progress.keyTaken());
    }

    int changed() {
        return progress.changed();
    }

    private void await(int letters) {
        try {
            rate.await(letters);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw stoppedBy("the thread was interrupted", e);
        }
    }

    private TransientQueueException stoppedBy(@Nullable String why, Exception e) {
        return new TransientQueueException(stopped() + "; the same call does the rest: " + why, e);
    }

    private String stopped() {
        return "the bulk action on messages (" + progress.filter() + ") stopped after " + progress.changed()
                + " of them, which are done and recorded";
    }

    private <T> ActionResult runWithRetries(
            List<T> chunk, BiFunction<OperatorAction, List<T>, ActionResult> applyInTransaction) {
        for (int tries = 1; ; tries++) {
            try {
                return applyInTransaction.apply(
                        new OperatorAction(
                                action.operator().actor(), action.operator().reason(), progress),
                        chunk);
            } catch (TransientQueueException e) {
                if (tries == MAX_TRIES || !CERTAINLY_ROLLED_BACK.contains(DatabaseError.of(e))) {
                    throw stoppedBy(e.getMessage(), e);
                }
            } catch (QueueMisuseException e) {
                throw new QueueMisuseException(stopped() + ": " + e.getMessage(), e);
            }
        }
    }

    /** Divides letters, in their order, into chunks of at most {@code max} letters and 1 MiB. A larger letter is a chunk of its own. */
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
     * Sorts letters for a replay. The input is in the order in which the messages were dead-lettered. For one ordering key that is the order in which they were enqueued,
     * unless a letter was replayed and dead-lettered again. So this method sorts the letters of each key by enqueue time, and leaves the places of the key in the list.
     */
    static List<Letter> inReplayOrder(List<Letter> byDiedAt) {
        Map<String, Iterator<Letter>> byKey = byDiedAt.stream()
                .sorted(BY_ENQUEUE_TIME)
                .collect(Collectors.groupingBy(
                        Letter::orderingKey, Collectors.collectingAndThen(Collectors.toList(), List::iterator)));
        return byDiedAt.stream()
                .map(letter -> letter.orderingKey().isEmpty()
                        ? letter
                        : Objects.requireNonNull(byKey.get(letter.orderingKey()))
                                .next())
                .toList();
    }

    /** Compares as the database does, byte by byte. {@link UUID#compareTo} compares the halves as signed numbers. */
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
        private long letters; // so far
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

        /** Waits until this many more letters may be changed. After a slow transaction the rate does not rise to make up for the lost time. */
        void await(int more) throws InterruptedException {
            if (perSecond == 0) {
                return;
            }
            long now = nanoTime.getAsLong();
            if (letters == 0) {
                start = now;
            }
            long due = start + letters * NANOS / perSecond;
            if (due - now > 0) {
                sleeper.sleep(due - now);
            } else { // the last transaction was slow: shift the schedule by the delay
                start += now - due;
            }
            letters += more;
        }

        /** Waits; tests replace it. */
        interface Sleeper {
            void sleep(long nanos) throws InterruptedException;
        }
    }
}
