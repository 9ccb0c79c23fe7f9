package io.acidq.engine.enqueue;

import io.acidq.EnqueueOptions;
import io.acidq.Enqueued;
import io.acidq.Enqueued.Result;
import io.acidq.MessageRejectedException;
import io.acidq.OnDuplicate;
import io.acidq.OnDuplicate.Action;
import io.acidq.config.QueueConfig;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore;
import io.acidq.store.EnqueueStore.KeyHolder;
import io.acidq.store.EnqueueStore.KeyState;
import io.acidq.store.EnqueueStore.KeyWrite;
import io.acidq.store.MessageRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides by their message keys what becomes of the messages of one enqueue: inserted, refused as duplicates, or put in place of the message that holds
 * the key.
 */
final class MessageKeys {

    private final EnqueueStore store;

    MessageKeys(EnqueueStore store) {
        this.store = store;
    }

    /** Takes the keys in the transaction on this thread. Nothing is inserted yet. */
    Settled settle(List<Offer> offers) {
        return offers.stream().anyMatch(Offer::replaces) ? lockKeys(offers) : takeKeys(offers);
    }

    /** The options with what the queue's settings add to them. */
    static EnqueueOptions choose(String queue, EnqueueOptions options, QueueConfig config) {
        OnDuplicate own = options.onDuplicate();
        if (options.key() == null) {
            if (own != null) {
                throw new MessageRejectedException("onDuplicate(" + name(own) + ") for queue '" + queue
                        + "' without a key: say by key(…) what makes two messages duplicates, or leave it out");
            }
            return options;
        }
        OnDuplicate preset = config.onDuplicate();
        EnqueueOptions chosen = own != null || preset == null ? options : options.onDuplicate(preset);
        if (policy(chosen).action() == Action.DEBOUNCE && isDueAtOnce(chosen)) {
            throw new MessageRejectedException("debounce for queue '" + queue
                    + "' without a delay: it pushes the due time out, so say by delay(…) or at(…) when the message is due"
                    + (own == null ? "; it is the queue's default, and onDuplicate(…) overrules it" : ""));
        }
        return chosen;
    }

    static OnDuplicate policy(EnqueueOptions options) {
        OnDuplicate chosen = options.onDuplicate();
        return chosen == null ? OnDuplicate.ignore() : chosen;
    }

    /** A message that may be succeeded must not run beside its successor. */
    static @Nullable String orderingKey(EnqueueOptions options) {
        return options.orderingKey() == null && policy(options).replaces() ? options.key() : options.orderingKey();
    }

    private static boolean isDueAtOnce(EnqueueOptions options) {
        Duration delay = options.delay();
        return options.at() == null && (delay == null || delay.isZero());
    }

    private static String name(OnDuplicate policy) {
        return policy.action().name().toLowerCase(Locale.ROOT);
    }

    /** None of the messages may replace another: a key that is taken is only read. */
    private Settled takeKeys(List<Offer> offers) {
        Map<String, KeyHolder> holders = takeInOrder(offers);
        List<Enqueued> results = new ArrayList<>();
        List<MessageRow> rows = new ArrayList<>();
        for (Offer offer : offers) {
            KeyHolder holder = offer.hasKey() ? holders.get(offer.key()) : null;
            if (holder != null && !holder.uid().equals(offer.row().uid())) {
                results.add(offer.refusedBy(holder));
            } else {
                results.add(offer.enqueued());
                rows.add(offer.row());
            }
        }
        return new Settled(results, rows, List.of());
    }

    /** Sorted by key: two bulks with the same keys then wait for each other and do not deadlock. */
    private Map<String, KeyHolder> takeInOrder(List<Offer> offers) {
        Map<String, Offer> first = new HashMap<>();
        offers.stream().filter(Offer::hasKey).forEach(o -> first.putIfAbsent(o.key(), o));
        List<Offer> sorted =
                first.values().stream().sorted(Comparator.comparing(Offer::key)).toList();
        List<Optional<KeyHolder>> answers =
                store.takeKeys(sorted.stream().map(Offer::claim).toList());
        Map<String, KeyHolder> holders = new HashMap<>();
        for (int i = 0; i < sorted.size(); i++) {
            Offer offer = sorted.get(i);
            KeyHolder itself = new KeyHolder(offer.row().uid(), offer.row().lane());
            holders.put(offer.key(), answers.get(i).orElse(itself));
        }
        return holders;
    }

    /**
     * Some of the messages may replace the holders of their keys: locks the rows of all keys, in order, and decides by what they say now. Only the mover
     * changes a holder that waits for its due time meanwhile, and not before that time.
     */
    private Settled lockKeys(List<Offer> offers) {
        @Nullable Enqueued[] results = new Enqueued[offers.size()];
        @Nullable MessageRow[] rows = new MessageRow[offers.size()];
        Map<String, List<Offer>> byKey = new TreeMap<>();
        for (Offer offer : offers) {
            if (offer.hasKey()) {
                byKey.computeIfAbsent(offer.key(), k -> new ArrayList<>()).add(offer);
            } else {
                results[offer.at()] = offer.enqueued();
                rows[offer.at()] = offer.row();
            }
        }
        List<KeyState> locked = store.lockKeys(
                byKey.values().stream().map(same -> same.get(0).claim()).toList());
        List<KeyWrite> writes = new ArrayList<>();
        for (KeyState found : locked) {
            KeyOutcome outcome = outcome(found, byKey.getOrDefault(found.key(), List.of()));
            outcome.results().forEach((at, result) -> results[at] = result);
            outcome.rows().forEach((at, row) -> rows[at] = row);
            outcome.write().ifPresent(writes::add);
        }
        return new Settled(present(results), present(rows), writes);
    }

    /** A holder that is not where its due time says, since somebody has removed or moved it by hand, gets a successor. */
    private KeyOutcome outcome(KeyState found, List<Offer> offers) {
        KeyOutcome outcome = KeyOutcome.over(found, offers);
        MessageRow replacement = outcome.replacement();
        return replacement == null || store.replaceIfScheduled(found, replacement)
                ? outcome
                : KeyOutcome.over(KeyOutcome.asDue(found), offers);
    }

    private static <T> List<T> present(@Nullable T[] some) {
        List<T> all = new ArrayList<>();
        Arrays.stream(some).filter(s -> s != null).forEach(all::add);
        return all;
    }

    /** What becomes of the messages with one key, one after the other, while the key's row is locked. */
    private static final class KeyOutcome {

        private final KeyState found;
        private final Map<Integer, Enqueued> results = new HashMap<>();
        private final Map<Integer, MessageRow> rows = new HashMap<>();
        private KeyHolder holder;
        private Instant takenAt;
        private @Nullable Instant due;
        private @Nullable Offer added;
        private @Nullable Offer latest;
        private @Nullable MessageRow replacement;

        private KeyOutcome(KeyState found) {
            this.found = found;
            this.holder = found.holder();
            this.takenAt = found.takenAt();
            this.due = found.due();
        }

        static KeyOutcome over(KeyState found, List<Offer> offers) {
            KeyOutcome fold = new KeyOutcome(found);
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
}
