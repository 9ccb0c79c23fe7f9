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
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A bulk action on letters that were picked before: piece after piece, each a transaction that is tried again when the database says so,
 * and never a later piece when an earlier one failed, for the order's sake.
 */
final class BulkRunner {

    static final int LETTERS_PER_TRANSACTION = 100;
    private static final long BYTES_PER_TRANSACTION = 1 << 20;
    private static final int MAX_TRIES = 4;

    /** After a lost connection it may have committed, and a second try would count its own letters as somebody else's. */
    private static final Set<DatabaseError> SURELY_ROLLED_BACK =
            EnumSet.of(DatabaseError.ROLLED_BACK, DatabaseError.LOCK_TIMEOUT);

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
        for (List<Letter> piece : pieces(letters, rate.chunkSize(LETTERS_PER_TRANSACTION))) {
            await(piece.size());
            progress = progress.plus(runWithRetries(piece, transaction));
        }
        return new BulkResult(false, progress.matched(), progress.changed(), progress.lost(), progress.keyTaken());
    }

    int changed() {
        return progress.changed();
    }

    private void await(int next) {
        try {
            rate.await(next);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw stopped("its thread was interrupted", e);
        }
    }

    private TransientQueueException stopped(@Nullable String why, Exception e) {
        return new TransientQueueException(
                "the bulk action on dead letters (" + progress.filter() + ") stopped after " + progress.changed()
                        + " of them; these are done and recorded, the same call again does the rest: " + why,
                e);
    }

    private ActionResult runWithRetries(
            List<Letter> piece, BiFunction<OperatorAction, List<Letter>, ActionResult> transaction) {
        for (int tries = 1; ; tries++) {
            try {
                return transaction.apply(new OperatorAction(action.who(), action.why(), progress), piece);
            } catch (TransientQueueException e) {
                if (tries == MAX_TRIES || !SURELY_ROLLED_BACK.contains(DatabaseError.of(e))) {
                    throw stopped(e.getMessage(), e);
                }
            }
        }
    }

    /** In order; each small enough for a short transaction, or a single letter. */
    static List<List<Letter>> pieces(List<Letter> letters, int most) {
        List<List<Letter>> pieces = new ArrayList<>();
        List<Letter> piece = new ArrayList<>();
        long bytes = 0;
        for (Letter letter : letters) {
            if (!piece.isEmpty() && (piece.size() == most || bytes + letter.size() > BYTES_PER_TRANSACTION)) {
                pieces.add(piece);
                piece = new ArrayList<>();
                bytes = 0;
            }
            piece.add(letter);
            bytes += letter.size();
        }
        if (!piece.isEmpty()) {
            pieces.add(piece);
        }
        return pieces;
    }

    /** Spreads work over time, at a number of letters a second. Confined to one thread. */
    static final class Rate {

        private static final int STEPS_PER_SECOND = 10;
        private static final long NANOS = Duration.ofSeconds(1).toNanos();

        private final int perSecond;
        private final LongSupplier nanoTime;
        private final Sleeper sleeper;
        private long done;
        private long began;

        /**
         * A rate that begins with its first wait.
         *
         * @param perSecond 0 for none
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

        /** How many to do at once, so that it flows. */
        int chunkSize(int most) {
            return perSecond == 0 ? most : Math.min(most, Math.max(1, perSecond / STEPS_PER_SECOND));
        }

        /** Waits until so many more may be done. What came late is not made up for. */
        void await(int next) throws InterruptedException {
            if (perSecond == 0) {
                return;
            }
            long now = nanoTime.getAsLong();
            if (done == 0) {
                began = now;
            }
            long due = began + done * NANOS / perSecond;
            if (due - now > 0) {
                sleeper.sleep(due - now);
            } else { // as if all before had been in time
                began += now - due;
            }
            done += next;
        }

        /** How to wait. */
        interface Sleeper {
            void sleep(long nanos) throws InterruptedException;
        }
    }
}
