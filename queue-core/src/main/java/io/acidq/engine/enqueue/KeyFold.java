package io.acidq.engine.enqueue;

import io.acidq.Enqueued;
import io.acidq.Enqueued.Result;
import io.acidq.OnDuplicate.Action;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.KeyHolder;
import io.acidq.store.EnqueueStore.KeyState;
import io.acidq.store.EnqueueStore.KeyWrite;
import io.acidq.store.MessageRow;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What becomes of the messages of one enqueue that have one key, one after the other, while the key's row is locked. */
final class KeyFold {

    private final KeyState found;
    private final Map<Integer, Enqueued> results = new HashMap<>();
    private final Map<Integer, MessageRow> rows = new HashMap<>();
    private KeyHolder holder;
    private Instant takenAt;
    private @Nullable Instant due;
    private @Nullable Offer added;
    private @Nullable Offer latest;
    private @Nullable MessageRow replacement;

    private KeyFold(KeyState found) {
        this.found = found;
        this.holder = found.holder();
        this.takenAt = found.takenAt();
        this.due = found.due();
    }

    static KeyFold over(KeyState found, List<Offer> offers) {
        KeyFold fold = new KeyFold(found);
        offers.forEach(o -> fold.results.put(o.at(), fold.next(o)));
        return fold;
    }

    /** The key as if its holder were due. */
    static KeyState asDue(KeyState found) {
        return new KeyState(
                found.key(), found.holder(), found.takenAt(), found.now(), found.scheduledId(), found.now());
    }

    /** By the places of the offers. */
    Map<Integer, Enqueued> results() {
        return results;
    }

    /** The messages to insert, by the places of the offers. */
    Map<Integer, MessageRow> rows() {
        return rows;
    }

    /** What the holder that was found is to have, or null. */
    @Nullable
    MessageRow replacement() {
        return replacement;
    }

    /** What the key is to say, if that is not what it says already. */
    Optional<KeyWrite> write() {
        if (latest == null) {
            return Optional.empty();
        }
        long id = holder.equals(found.holder()) ? found.scheduledId() : 0;
        return Optional.of(new KeyWrite(latest.claimFor(holder, due), takenAt, id));
    }

    private Enqueued next(Offer offer) {
        if (offer.row().uid().equals(found.holder().uid())) {
            return first(offer);
        }
        if (!offer.replaces()) {
            return offer.refusedBy(holder);
        }
        return due != null && due.isAfter(found.now()) ? replace(offer) : succeed(offer);
    }

    /** The lock has taken the key for it. */
    private Enqueued first(Offer offer) {
        added = offer;
        if (due != null) {
            latest = offer;
            due = notAfterLongestWait(offer, due);
        }
        rows.put(offer.at(), due(offer.row(), due));
        return offer.as(holder, Result.ENQUEUED);
    }

    private Enqueued replace(Offer offer) {
        latest = offer;
        due = newDue(offer);
        if (added == null) {
            replacement = due(offer.row(), due);
        } else {
            rows.computeIfPresent(added.at(), (at, row) -> due(with(row, offer.row()), due));
        }
        return offer.as(holder, debounces(offer) ? Result.DEBOUNCED : Result.REPLACED);
    }

    /**
     * Behind a predecessor that was scheduled once, it goes the same way, even if it is due at once: the predecessor may be due and not
     * yet moved, and what is inserted into the hot table would overtake it.
     */
    private Enqueued succeed(Offer offer) {
        boolean mayOvertake = due != null;
        Instant wanted = dueOf(offer);
        due = wanted == null && mayOvertake ? found.now() : wanted;
        added = offer;
        latest = offer;
        takenAt = found.now();
        holder = new KeyHolder(offer.row().uid(), offer.row().lane());
        rows.put(offer.at(), due(offer.row(), due));
        return offer.as(holder, Result.SUCCESSOR);
    }

    private Instant newDue(Offer offer) {
        Instant wanted = dueOf(offer);
        Instant next = wanted == null ? found.now() : wanted;
        if (!debounces(offer)) {
            return next;
        }
        return notAfterLongestWait(offer, due == null || next.isAfter(due) ? next : due);
    }

    private Instant notAfterLongestWait(Offer offer, Instant wanted) {
        Duration wait = debounces(offer) ? offer.policy().time() : null;
        if (wait == null || !wanted.isAfter(takenAt.plus(wait))) {
            return wanted;
        }
        return later(found.now(), takenAt.plus(wait));
    }

    /** By the database's clock, not in the past; null: at once. */
    private @Nullable Instant dueOf(Offer offer) {
        Due wanted = offer.row().due();
        if (wanted.isNow()) {
            return null;
        }
        Instant at = wanted.at();
        Duration delay = wanted.delay();
        return at == null ? found.now().plus(delay == null ? Duration.ZERO : delay) : later(found.now(), at);
    }

    private static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }

    private static boolean debounces(Offer offer) {
        return offer.policy().action() == Action.DEBOUNCE;
    }

    private static MessageRow due(MessageRow row, @Nullable Instant due) {
        return with(row, row, due == null ? Due.NOW : new Due(null, due));
    }

    private static MessageRow with(MessageRow row, MessageRow content) {
        return with(row, content, row.due());
    }

    private static MessageRow with(MessageRow row, MessageRow content, Due due) {
        return new MessageRow(
                row.queue(),
                row.lane(),
                row.uid(),
                row.key(),
                row.orderKey(),
                content.type(),
                content.headers(),
                content.payload(),
                due);
    }
}
