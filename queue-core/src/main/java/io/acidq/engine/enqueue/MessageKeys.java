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
    EnqueuePlan plan(List<PendingMessage> pendingMessages) {
        return pendingMessages.stream().anyMatch(PendingMessage::replaces)
                ? lockKeys(pendingMessages)
                : takeKeys(pendingMessages);
    }

    /** The options with what the queue's settings add to them. */
    static EnqueueOptions withQueueDefaults(String queue, EnqueueOptions options, QueueConfig config) {
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
    private EnqueuePlan takeKeys(List<PendingMessage> pendingMessages) {
        Map<String, KeyHolder> holders = takeInOrder(pendingMessages);
        List<Enqueued> results = new ArrayList<>();
        List<MessageRow> rows = new ArrayList<>();
        for (PendingMessage pendingMessage : pendingMessages) {
            KeyHolder holder = pendingMessage.hasKey() ? holders.get(pendingMessage.key()) : null;
            if (holder != null && !holder.uid().equals(pendingMessage.row().uid())) {
                results.add(pendingMessage.refusedBy(holder));
            } else {
                results.add(pendingMessage.enqueued());
                rows.add(pendingMessage.row());
            }
        }
        return new EnqueuePlan(results, rows, List.of());
    }

    /** Sorted by key: two bulks with the same keys then wait for each other and do not deadlock. */
    private Map<String, KeyHolder> takeInOrder(List<PendingMessage> pendingMessages) {
        Map<String, PendingMessage> first = new HashMap<>();
        pendingMessages.stream().filter(PendingMessage::hasKey).forEach(o -> first.putIfAbsent(o.key(), o));
        List<PendingMessage> sorted = first.values().stream()
                .sorted(Comparator.comparing(PendingMessage::key))
                .toList();
        List<Optional<KeyHolder>> answers =
                store.takeKeys(sorted.stream().map(PendingMessage::keyClaim).toList());
        Map<String, KeyHolder> holders = new HashMap<>();
        for (int i = 0; i < sorted.size(); i++) {
            PendingMessage pendingMessage = sorted.get(i);
            KeyHolder itself = new KeyHolder(
                    pendingMessage.row().uid(), pendingMessage.row().lane());
            holders.put(pendingMessage.key(), answers.get(i).orElse(itself));
        }
        return holders;
    }

    /**
     * Some of the messages may replace the holders of their keys: locks the rows of all keys, in order, and decides by what they say now. Only the mover
     * changes a holder that waits for its due time meanwhile, and not before that time.
     */
    private EnqueuePlan lockKeys(List<PendingMessage> pendingMessages) {
        @Nullable Enqueued[] results = new Enqueued[pendingMessages.size()];
        @Nullable MessageRow[] rows = new MessageRow[pendingMessages.size()];
        Map<String, List<PendingMessage>> byKey = new TreeMap<>();
        for (PendingMessage pendingMessage : pendingMessages) {
            if (pendingMessage.hasKey()) {
                byKey.computeIfAbsent(pendingMessage.key(), k -> new ArrayList<>())
                        .add(pendingMessage);
            } else {
                results[pendingMessage.index()] = pendingMessage.enqueued();
                rows[pendingMessage.index()] = pendingMessage.row();
            }
        }
        List<KeyState> locked = store.lockKeys(
                byKey.values().stream().map(same -> same.get(0).keyClaim()).toList());
        List<KeyWrite> writes = new ArrayList<>();
        for (KeyState found : locked) {
            KeyOutcome outcome = outcome(found, byKey.getOrDefault(found.key(), List.of()));
            outcome.results().forEach((at, result) -> results[at] = result);
            outcome.rows().forEach((at, row) -> rows[at] = row);
            outcome.write().ifPresent(writes::add);
        }
        return new EnqueuePlan(present(results), present(rows), writes);
    }

    /** A holder that is not where its due time says, since somebody has removed or moved it by hand, gets a successor. */
    private KeyOutcome outcome(KeyState found, List<PendingMessage> pendingMessages) {
        KeyOutcome outcome = KeyOutcome.of(found, pendingMessages);
        MessageRow replacement = outcome.replacement();
        return replacement == null || store.replaceIfScheduled(found, replacement)
                ? outcome
                : KeyOutcome.of(KeyOutcome.asDue(found), pendingMessages);
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
        private @Nullable PendingMessage added;
        private @Nullable PendingMessage latest;
        private @Nullable MessageRow replacement;

        private KeyOutcome(KeyState found) {
            this.found = found;
            this.holder = found.holder();
            this.takenAt = found.takenAt();
            this.due = found.due();
        }

        static KeyOutcome of(KeyState found, List<PendingMessage> pendingMessages) {
            KeyOutcome fold = new KeyOutcome(found);
            pendingMessages.forEach(o -> fold.results.put(o.index(), fold.next(o)));
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
            return Optional.of(new KeyWrite(latest.keyClaimFor(holder, due), takenAt, id));
        }

        private Enqueued next(PendingMessage pendingMessage) {
            if (pendingMessage.row().uid().equals(found.holder().uid())) {
                return addFirst(pendingMessage);
            }
            if (!pendingMessage.replaces()) {
                return pendingMessage.refusedBy(holder);
            }
            return due != null && due.isAfter(found.now()) ? replace(pendingMessage) : addSuccessor(pendingMessage);
        }

        /** The lock has taken the key for it. */
        private Enqueued addFirst(PendingMessage pendingMessage) {
            added = pendingMessage;
            if (due != null) {
                latest = pendingMessage;
                due = notAfterLongestWait(pendingMessage, due);
            }
            rows.put(pendingMessage.index(), due(pendingMessage.row(), due));
            return pendingMessage.toEnqueued(holder, Result.ENQUEUED);
        }

        private Enqueued replace(PendingMessage pendingMessage) {
            latest = pendingMessage;
            due = newDue(pendingMessage);
            if (added == null) {
                replacement = due(pendingMessage.row(), due);
            } else {
                rows.computeIfPresent(added.index(), (at, row) -> due(with(row, pendingMessage.row()), due));
            }
            return pendingMessage.toEnqueued(holder, debounces(pendingMessage) ? Result.DEBOUNCED : Result.REPLACED);
        }

        /**
         * Behind a predecessor that was scheduled once, it goes the same way, even if it is due at once: the predecessor may be due and not
         * yet moved, and what is inserted into the hot table would overtake it.
         */
        private Enqueued addSuccessor(PendingMessage pendingMessage) {
            boolean mayOvertake = due != null;
            Instant wanted = dueOf(pendingMessage);
            due = wanted == null && mayOvertake ? found.now() : wanted;
            added = pendingMessage;
            latest = pendingMessage;
            takenAt = found.now();
            holder = new KeyHolder(
                    pendingMessage.row().uid(), pendingMessage.row().lane());
            rows.put(pendingMessage.index(), due(pendingMessage.row(), due));
            return pendingMessage.toEnqueued(holder, Result.SUCCESSOR);
        }

        private Instant newDue(PendingMessage pendingMessage) {
            Instant wanted = dueOf(pendingMessage);
            Instant next = wanted == null ? found.now() : wanted;
            if (!debounces(pendingMessage)) {
                return next;
            }
            return notAfterLongestWait(pendingMessage, due == null || next.isAfter(due) ? next : due);
        }

        private Instant notAfterLongestWait(PendingMessage pendingMessage, Instant wanted) {
            Duration wait = debounces(pendingMessage) ? pendingMessage.policy().time() : null;
            if (wait == null || !wanted.isAfter(takenAt.plus(wait))) {
                return wanted;
            }
            return later(found.now(), takenAt.plus(wait));
        }

        /** By the database's clock, not in the past; null: at once. */
        private @Nullable Instant dueOf(PendingMessage pendingMessage) {
            Due wanted = pendingMessage.row().due();
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

        private static boolean debounces(PendingMessage pendingMessage) {
            return pendingMessage.policy().action() == Action.DEBOUNCE;
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
                    row.orderingKey(),
                    content.type(),
                    content.headers(),
                    content.payload(),
                    due);
        }
    }
}
