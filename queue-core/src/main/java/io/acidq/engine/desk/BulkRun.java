package io.acidq.engine.desk;

import io.acidq.BulkAction;
import io.acidq.BulkResult;
import io.acidq.TransientQueueException;
import io.acidq.store.DatabaseError;
import io.acidq.store.DeadLetterStore.Acted;
import io.acidq.store.DeadLetterStore.Bulk;
import io.acidq.store.DeadLetterStore.Deed;
import io.acidq.store.DeadLetterStore.Letter;
import io.acidq.store.QueueStore.QueueRow;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A bulk action on letters that were picked before: piece after piece, each a transaction that is tried again when the database says so,
 * and never a later piece when an earlier one failed, for the order's sake.
 */
final class BulkRun {

    static final int LETTERS = 100;
    private static final long BYTES = 1 << 20;
    private static final int TRIES = 4;

    /** After a lost connection it may have committed, and a second try would count its own letters as somebody else's. */
    private static final Set<DatabaseError> SURELY_ROLLED_BACK =
            EnumSet.of(DatabaseError.ROLLED_BACK, DatabaseError.LOCK_TIMEOUT);

    private final BulkAction action;
    private final Tempo tempo;
    private Bulk soFar;

    BulkRun(BulkAction action, QueueRow queue, String filter, long matched) {
        this(action, Tempo.of(action.perSecond()), queue, filter, matched);
    }

    BulkRun(BulkAction action, Tempo tempo, QueueRow queue, String filter, long matched) {
        this.action = action;
        this.tempo = tempo;
        this.soFar = new Bulk(0, queue.id(), filter, matched, 0, 0, 0);
    }

    BulkResult run(List<Letter> letters, BiFunction<Deed, List<Letter>, Acted> transaction) {
        for (List<Letter> piece : pieces(letters, tempo.step(LETTERS))) {
            await(piece.size());
            soFar = soFar.plus(tried(piece, transaction));
        }
        return new BulkResult(false, soFar.matched(), soFar.changed(), soFar.lost(), soFar.keyTaken());
    }

    int changed() {
        return soFar.changed();
    }

    private void await(int next) {
        try {
            tempo.await(next);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw stopped("its thread was interrupted", e);
        }
    }

    private TransientQueueException stopped(@Nullable String why, Exception e) {
        return new TransientQueueException(
                "the bulk action on dead letters (" + soFar.filter() + ") stopped after " + soFar.changed()
                        + " of them; these are done and recorded, the same call again does the rest: " + why,
                e);
    }

    private Acted tried(List<Letter> piece, BiFunction<Deed, List<Letter>, Acted> transaction) {
        for (int tries = 1; ; tries++) {
            try {
                return transaction.apply(new Deed(action.who(), action.why(), soFar), piece);
            } catch (TransientQueueException e) {
                if (tries == TRIES || !SURELY_ROLLED_BACK.contains(DatabaseError.of(e))) {
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
            if (!piece.isEmpty() && (piece.size() == most || bytes + letter.size() > BYTES)) {
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
}
