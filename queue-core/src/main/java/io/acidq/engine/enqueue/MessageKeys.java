package io.acidq.engine.enqueue;

import io.acidq.EnqueueOptions;
import io.acidq.EnqueueOptions.ReceiptOptions;
import io.acidq.Enqueued;
import io.acidq.Enqueued.Result;
import io.acidq.KeyTakenException;
import io.acidq.MessageId;
import io.acidq.MessageRejectedException;
import io.acidq.OnDuplicate;
import io.acidq.OnDuplicate.Action;
import io.acidq.config.QueueConfig;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore;
import io.acidq.store.EnqueueStore.KeyClaim;
import io.acidq.store.EnqueueStore.KeyHolder;
import io.acidq.store.EnqueueStore.KeyState;
import io.acidq.store.EnqueueStore.KeyWrite;
import io.acidq.store.EnqueueStore.MessageRow;
import io.acidq.store.EnqueueStore.Window;
import io.acidq.store.QueueStore.QueueRow;
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
 * Decides by message keys what happens to the messages of an enqueue: each is inserted, refused as a duplicate, or replaces the message that holds its key.
 * Thread-safe.
 */
final class MessageKeys {

    private final EnqueueStore store;

    MessageKeys(EnqueueStore store) {
        this.store = store;
    }

    /**
     * The rows and keys that an enqueue writes, and its results.
     *
     * @param results one for each message, in the order given
     * @param rows    the messages to insert, in that order
     * @param writes  the keys to write after the inserts
     */
    record EnqueuePlan(List<Enqueued> results, List<MessageRow> rows, List<KeyWrite> writes) {

        /** The plan of a message without a key. */
        static EnqueuePlan of(PendingMessage pendingMessage) {
            return new EnqueuePlan(List.of(pendingMessage.enqueued()), List.of(pendingMessage.row()), List.of());
        }
    }

    /** Takes the keys in the transaction on this thread. Inserts no message. */
    EnqueuePlan takeKeys(List<PendingMessage> pendingMessages) {
        return pendingMessages.stream().anyMatch(PendingMessage::replaces)
                ? lockKeys(pendingMessages)
                : takeFreeKeys(pendingMessages);
    }

    /** Returns the options, completed with the settings of the queue. */
    static EnqueueOptions withQueueDefaults(String queue, EnqueueOptions options, QueueConfig config) {
        OnDuplicate own = options.onDuplicate();
        if (options.key() == null) {
            if (own != null) {
                throw new MessageRejectedException("onDuplicate(" + name(own) + ") for queue '" + queue
                        + "' without a key: set key(…), which makes two messages duplicates, or omit onDuplicate");
            }
            return options;
        }
        OnDuplicate preset = config.onDuplicate();
        EnqueueOptions chosen = own != null || preset == null ? options : options.onDuplicate(preset);
        if (policy(chosen).action() == Action.DEBOUNCE && isDueAtOnce(chosen)) {
            throw new MessageRejectedException("debounce for queue '" + queue
                    + "' needs a due time to move: set delay(…) or at(…)"
                    + (own == null
                            ? ". Debounce is the default of this queue; onDuplicate(…) sets another policy for one message"
                            : ""));
        }
        return chosen;
    }

    static OnDuplicate policy(EnqueueOptions options) {
        OnDuplicate chosen = options.onDuplicate();
        return chosen == null ? OnDuplicate.ignore() : chosen;
    }

    /** Returns the ordering key. It is the message key where a successor is possible, because a message and its successor must not run at the same time. */
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

    /** Takes the keys of messages of which none may replace another one. A key that is taken is only read. */
    private EnqueuePlan takeFreeKeys(List<PendingMessage> pendingMessages) {
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

    /** Takes the keys in ascending order, so that two bulks with the same keys wait for each other and do not deadlock. */
    private Map<String, KeyHolder> takeInOrder(List<PendingMessage> pendingMessages) {
        Map<String, PendingMessage> first = new HashMap<>();
        pendingMessages.stream().filter(PendingMessage::hasKey).forEach(m -> first.putIfAbsent(m.key(), m));
        List<PendingMessage> sorted = first.values().stream()
                .sorted(Comparator.comparing(PendingMessage::key))
                .toList();
        List<Optional<KeyHolder>> taken =
                store.takeKeys(sorted.stream().map(PendingMessage::keyClaim).toList());
        Map<String, KeyHolder> holders = new HashMap<>();
        for (int i = 0; i < sorted.size(); i++) {
            PendingMessage pendingMessage = sorted.get(i);
            KeyHolder self = new KeyHolder(
                    pendingMessage.row().uid(), pendingMessage.row().lane());
            holders.put(pendingMessage.key(), taken.get(i).orElse(self));
        }
        return holders;
    }

    /**
     * Decides for messages of which some may replace the holders of their keys. Locks the rows of all keys, in order, and uses their current values. While they
     * are locked, only the due-message mover changes a holder that waits for its due time, and not before that time.
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
            KeyOutcome outcome = applyTo(found, byKey.getOrDefault(found.key(), List.of()));
            outcome.results.forEach((index, result) -> results[index] = result);
            outcome.rows.forEach((index, row) -> rows[index] = row);
            outcome.write().ifPresent(writes::add);
        }
        return new EnqueuePlan(nonNull(results), nonNull(rows), writes);
    }

    /** Replaces the holder if necessary. A holder that is not in {@code acidq_scheduled}, because a person has removed or moved its row, gets a successor instead. */
    private KeyOutcome applyTo(KeyState found, List<PendingMessage> pendingMessages) {
        KeyOutcome outcome = KeyOutcome.of(found, pendingMessages);
        MessageRow replacement = outcome.replacement;
        return replacement == null || store.replaceIfScheduled(found, replacement)
                ? outcome
                : KeyOutcome.of(KeyOutcome.asDue(found), pendingMessages);
    }

    private static <T> List<T> nonNull(@Nullable T[] values) {
        List<T> list = new ArrayList<>();
        Arrays.stream(values).filter(v -> v != null).forEach(list::add);
        return list;
    }

    /** The outcome of the messages with one key, one after the other, while the row of the key is locked. */
    private static final class KeyOutcome {

        private final KeyState found;

        /** By the index of the message in the enqueue. */
        private final Map<Integer, Enqueued> results = new HashMap<>();

        /** The messages to insert, by their index in the enqueue. */
        private final Map<Integer, MessageRow> rows = new HashMap<>();

        private KeyHolder holder;
        private Instant takenAt;
        private @Nullable Instant due;
        private @Nullable PendingMessage added;
        private @Nullable PendingMessage latest;

        /** The new content of the holder that was found; null when it keeps its own. */
        private @Nullable MessageRow replacement;

        private KeyOutcome(KeyState found) {
            this.found = found;
            this.holder = found.holder();
            this.takenAt = found.takenAt();
            this.due = found.due();
        }

        static KeyOutcome of(KeyState found, List<PendingMessage> pendingMessages) {
            KeyOutcome outcome = new KeyOutcome(found);
            pendingMessages.forEach(m -> outcome.results.put(m.index(), outcome.next(m)));
            return outcome;
        }

        /** Returns the state of the key as if its holder were due. */
        static KeyState asDue(KeyState found) {
            return new KeyState(
                    found.key(),
                    found.holder(),
                    found.keptUntil(),
                    found.takenAt(),
                    found.now(),
                    found.scheduledId(),
                    found.now());
        }

        /** Returns the new state of the key, if it changes. */
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

        /** Adds the message for which the lock has taken the key. */
        private Enqueued addFirst(PendingMessage pendingMessage) {
            added = pendingMessage;
            if (due != null) {
                latest = pendingMessage;
                due = notAfterLongestWait(pendingMessage, due);
            }
            rows.put(pendingMessage.index(), with(pendingMessage.row(), pendingMessage.row(), due));
            return pendingMessage.toEnqueued(holder, Result.ENQUEUED);
        }

        private Enqueued replace(PendingMessage pendingMessage) {
            latest = pendingMessage;
            due = newDue(pendingMessage);
            if (added == null) {
                replacement = with(pendingMessage.row(), pendingMessage.row(), due);
            } else {
                rows.computeIfPresent(added.index(), (index, row) -> with(row, pendingMessage.row(), due));
            }
            return pendingMessage.toEnqueued(holder, debounces(pendingMessage) ? Result.DEBOUNCED : Result.REPLACED);
        }

        /**
         * Adds a successor. If its predecessor was scheduled, the successor is scheduled too, even if it is due at once: the predecessor may be due and not yet
         * moved, and a successor that is inserted into {@code acidq_message} would overtake it.
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
            rows.put(pendingMessage.index(), with(pendingMessage.row(), pendingMessage.row(), due));
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

        /** Returns the due time by the database's clock, never in the past; null for at once. */
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

        /** Returns the row with the payload, type, headers and expiry of another one, and with this due time. */
        private static MessageRow with(MessageRow row, MessageRow content, @Nullable Instant due) {
            return new MessageRow(
                    row.queue(),
                    row.lane(),
                    row.uid(),
                    row.key(),
                    row.orderingKey(),
                    content.type(),
                    content.headers(),
                    content.payload(),
                    due == null ? Due.NOW : new Due(null, due),
                    content.expiry());
        }
    }

    /**
     * A message of an enqueue before it is known whether its message key is taken.
     *
     * @param index               its index in the enqueue, from 0
     * @param queue               its queue
     * @param row                 the row to insert
     * @param policy              what happens when its key is taken
     * @param deduplicationWindow how long its key stays taken, counted from the due time, unless the policy has its own period
     * @param receipt             its receipt; null for none
     */
    record PendingMessage(
            int index,
            QueueRow queue,
            MessageRow row,
            OnDuplicate policy,
            Duration deduplicationWindow,
            @Nullable ReceiptOptions receipt) {

        boolean hasKey() {
            return row.key() != null;
        }

        String key() {
            return String.valueOf(row.key());
        }

        /** Returns whether the message may replace the message that holds its key, or become its successor. */
        boolean replaces() {
            return hasKey() && policy.replaces();
        }

        Enqueued enqueued() {
            return toEnqueued(new KeyHolder(row.uid(), row.lane()), Enqueued.Result.ENQUEUED);
        }

        Enqueued toEnqueued(KeyHolder holder, Enqueued.Result result) {
            return new Enqueued(new MessageId(queue.name(), holder.lane(), holder.uid()), result);
        }

        /** Returns the result of a message that may not replace the holder of its key. */
        Enqueued refusedBy(KeyHolder holder) {
            return switch (policy.action()) {
                case THROTTLE -> toEnqueued(holder, Enqueued.Result.THROTTLED);
                case REJECT ->
                    throw new KeyTakenException(
                            key(), toEnqueued(holder, Enqueued.Result.DUPLICATE).id());
                default -> toEnqueued(holder, Enqueued.Result.DUPLICATE);
            };
        }

        KeyClaim keyClaim() {
            return new KeyClaim(queue.id(), key(), row.uid(), row.lane(), row.due(), window());
        }

        /** Returns the claim of the key for the message that now has the content of this one, or for this one itself. */
        KeyClaim keyClaimFor(KeyHolder holder, @Nullable Instant due) {
            return new KeyClaim(queue.id(), key(), holder.uid(), holder.lane(), new Due(null, due), window());
        }

        private Window window() {
            boolean throttles = policy.action() == OnDuplicate.Action.THROTTLE;
            Duration period = policy.time();
            return throttles && period != null ? new Window(period, false) : new Window(deduplicationWindow, true);
        }
    }
}
