package io.acidq.engine.enqueue;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.NoArgGenerator;
import io.acidq.EnqueueOptions;
import io.acidq.EnqueueOptions.ReceiptOptions;
import io.acidq.Enqueued;
import io.acidq.InputChecks;
import io.acidq.KeyTakenException;
import io.acidq.MessageId;
import io.acidq.MessageQueue;
import io.acidq.MessageRejectedException;
import io.acidq.NewMessage;
import io.acidq.Priority;
import io.acidq.Published;
import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.admin.Subscriptions.Subscription;
import io.acidq.codec.Codec;
import io.acidq.codec.Headers;
import io.acidq.codec.UndecodableException;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.config.SubscriptionFilter;
import io.acidq.engine.enqueue.MessageKeys.EnqueuePlan;
import io.acidq.engine.enqueue.MessageKeys.PendingMessage;
import io.acidq.engine.loop.WakeUps;
import io.acidq.store.Claim;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.KeyClaim;
import io.acidq.store.EnqueueStore.KeyHolder;
import io.acidq.store.EnqueueStore.KeyState;
import io.acidq.store.EnqueueStore.KeyWrite;
import io.acidq.store.EnqueueStore.MessageRow;
import io.acidq.store.EnqueueStore.Window;
import io.acidq.store.Expiry;
import io.acidq.store.QueueStore;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.store.ReceiptStore;
import io.acidq.store.ReceiptStore.NewReceipt;
import io.acidq.store.Store;
import io.acidq.store.SubscriptionStore;
import io.acidq.store.Transactions;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Enqueues messages. All statements run in the caller's transaction, except for the creation of a queue. Thread-safe. */
public final class TransactionalQueue implements MessageQueue {

    private static final NoArgGenerator UIDS = Generators.timeBasedEpochGenerator();

    private static final String SAVEPOINT = "acidq_enqueue";

    /** Payloads of this size together fit into one INSERT, which needs no savepoint to be undone. */
    private static final long MAX_BYTES_WITHOUT_SAVEPOINT = 1 << 18;

    private final Store store;
    private final Codec codec;
    private final EngineConfig config;
    private final QueueRegistry queues;
    private final WakeUps wakeUps;
    private final LocalWorkers localWorkers;
    private final MessageKeys keys;
    private final LaneAssignment lanes = new LaneAssignment();
    private final Map<String, ListenerType> listenerTypes;
    private final Telemetry telemetry;

    /** The filters of subscriptions, by their texts. */
    private final Map<String, SubscriptionFilter> filters = new ConcurrentHashMap<>();

    public TransactionalQueue(
            Store store,
            Codec codec,
            EngineConfig config,
            QueueRegistry queues,
            WakeUps wakeUps,
            LocalWorkers localWorkers,
            List<Listener<?>> listeners,
            Telemetry telemetry) {
        this.store = store;
        this.codec = codec;
        this.config = config;
        this.queues = queues;
        this.wakeUps = wakeUps;
        this.localWorkers = localWorkers;
        this.keys = new MessageKeys(store.enqueue());
        this.telemetry = telemetry;
        this.listenerTypes = codec.checksRoundTrip()
                ? listeners.stream().collect(Collectors.toMap(Listener::queue, ListenerType::new))
                : Map.of();
    }

    @Override
    public List<Enqueued> enqueueAll(String queue, List<NewMessage> messages) {
        requireTransaction(
                store.transactions(),
                "enqueue to '" + InputChecks.checkQueue(queue) + "'",
                "the message commits with your data");
        if (messages == null || containsNull(messages)) {
            throw new MessageRejectedException(
                    "enqueue to '" + queue + "': the list of messages or one of them is null: leave it out");
        }
        List<EncodedMessage> encodedMessages = new ArrayList<>(messages.size());
        for (NewMessage message : messages) {
            encodedMessages.add(encode(queue, message));
        }
        return explaining("enqueue to", queue, () -> enqueueEncoded(queue, encodedMessages));
    }

    private List<Enqueued> enqueueEncoded(String queue, List<EncodedMessage> encodedMessages) {
        QueueRow row = queues.getOrCreate(queue); // the first SQL, if this process has not used the queue yet
        QueueTimes times = times(queue);
        if (encodedMessages.size() == 1) {
            return enqueueOne(row, encodedMessages.get(0), times);
        }
        int lane = lanes.nextLane(row, encodedMessages.size());
        List<PendingMessage> pendingMessages = IntStream.range(0, encodedMessages.size())
                .mapToObj(i ->
                        inPriorityLane(encodedMessages.get(i), row, i, LaneAssignment.bulkLane(row, lane, i), times))
                .toList();
        return insertAll(row, pendingMessages);
    }

    @Override
    public WithdrawResult withdraw(String queue, String key) {
        checkScheduledKey("withdraw from", queue, key, EnqueueOptions.options());
        return explaining("withdraw from", queue, () -> {
            int id = QueueStore.numberOf(queue);
            KeyState found = store.enqueue().lockKey(id, key).orElse(null);
            if (found == null) {
                return WithdrawResult.UNKNOWN;
            }
            return waitsForFirstDueTime(found) && store.enqueue().withdrawIfScheduled(id, found)
                    ? WithdrawResult.WITHDRAWN
                    : WithdrawResult.TOO_LATE;
        });
    }

    @Override
    public RescheduleResult reschedule(String queue, String key, Duration delay) {
        return reschedule(queue, key, EnqueueOptions.options().delay(requireGiven("delay", delay)));
    }

    @Override
    public RescheduleResult reschedule(String queue, String key, Instant at) {
        return reschedule(queue, key, EnqueueOptions.options().at(requireGiven("instant", at)));
    }

    private static <T> T requireGiven(String what, @Nullable T value) {
        if (value == null) {
            throw new MessageRejectedException(
                    "the " + what + " of a reschedule is null: say when the message is to be due, or withdraw it");
        }
        return value;
    }

    private RescheduleResult reschedule(String queue, String key, EnqueueOptions options) {
        checkScheduledKey("reschedule in", queue, key, options);
        return explaining("reschedule in", queue, () -> {
            int id = QueueStore.numberOf(queue);
            KeyState found = store.enqueue().lockKey(id, key).orElse(null);
            if (found == null) {
                return RescheduleResult.UNKNOWN;
            }
            Instant next = found.laterOf(new Due(options.delay(), options.at()));
            Instant due = found.due();
            if (due == null || !waitsForFirstDueTime(found) || !store.enqueue().rescheduleIfScheduled(found, next)) {
                return RescheduleResult.TOO_LATE;
            }
            Duration window = Duration.between(due, found.expires());
            KeyHolder holder = found.holder();
            KeyClaim moved = new KeyClaim(
                    id,
                    key,
                    holder.uid(),
                    holder.lane(),
                    new Due(null, next),
                    new Window(window.isNegative() ? Duration.ZERO : window, true));
            store.enqueue().writeKeys(List.of(new KeyWrite(moved, found.takenAt(), found.scheduledId())));
            store.transactions().afterCommit(wakeUps::messageScheduled);
            return RescheduleResult.RESCHEDULED;
        });
    }

    /**
     * Checks the arguments of a call that changes a scheduled message.
     *
     * @param options its new due time, which they have checked
     */
    private void checkScheduledKey(String what, String queue, @Nullable String key, EnqueueOptions options) {
        InputChecks.checkQueue(queue);
        if (key == null) {
            throw new MessageRejectedException(
                    what + " queue '" + queue + "': the key is null: give the message key of the scheduled message");
        }
        options.key(key); // checks the key
        requireTransaction(store.transactions(), what + " '" + queue + "'", "the change commits with your data");
    }

    /** Returns whether the message that holds the key waits for its first due time. */
    private static boolean waitsForFirstDueTime(KeyState found) {
        Instant due = found.due();
        return due != null && due.isAfter(found.now());
    }

    /** Runs statements, and adds to their exceptions what was called. */
    private static <T> T explaining(String what, String name, Supplier<T> statements) {
        try {
            return statements.get();
        } catch (TransientQueueException e) {
            throw new TransientQueueException(
                    what + " '" + name + "': " + e.getMessage()
                            + ". Roll this transaction back and run it again as a whole",
                    e);
        } catch (QueueMisuseException e) {
            throw new QueueMisuseException(what + " '" + name + "': " + e.getMessage(), e);
        } catch (KeyTakenException e) {
            throw e;
        } catch (MessageRejectedException e) { // by the store, which does not know the name
            throw e.getMessage() != null && e.getMessage().contains("'" + name + "'")
                    ? e
                    : new MessageRejectedException(what + " '" + name + "': " + e.getMessage(), e);
        }
    }

    @Override
    public Published publish(String topic, Object payload, EnqueueOptions options) {
        requireTransaction(
                store.transactions(),
                "publish to '" + InputChecks.checkTopic(topic) + "'",
                "the messages commit with your data");
        EncodedMessage message = encode(topic, new NewMessage(payload, options));
        return explaining("publish to", topic, () -> publishEncoded(topic, message, payload.getClass()));
    }

    private Published publishEncoded(String topic, EncodedMessage message, Class<?> payloadClass) {
        List<Subscription> subscriptions = store.subscriptions().ofTopic(topic);
        if (subscriptions.isEmpty()) {
            telemetry.publishedToNobody(topic);
        }
        List<Subscription> accepting = new ArrayList<>(subscriptions.size());
        for (Subscription subscription : subscriptions) {
            if (filter(subscription).accepts(message.payload.type(), message.options.headers())) {
                checkReadable(subscription.queue(), message.payload, payloadClass);
                queues.checkOrderingKey(subscription.queue(), MessageKeys.orderingKey(message.options));
                queues.checkPriority(subscription.queue(), message.options);
                accepting.add(subscription);
            }
        }
        Map<String, Enqueued> results = new LinkedHashMap<>();
        if (accepting.size() == 1) {
            Subscription only = accepting.get(0);
            results.put(
                    only.name(), enqueueEncoded(only.queue(), List.of(message)).get(0));
        } else if (!accepting.isEmpty()) {
            insertCopies(accepting, message, results);
        }
        return new Published(topic, results);
    }

    /** Enqueues a message for several subscriptions with one INSERT, for all or none, even if the caller catches the exception and commits. */
    private void insertCopies(List<Subscription> subscriptions, EncodedMessage message, Map<String, Enqueued> results) {
        UUID publish = newUid(message.options.receiptOptions());
        List<PendingMessage> copies = new ArrayList<>(subscriptions.size());
        for (Subscription subscription : subscriptions) {
            QueueRow queue = queues.getOrCreate(subscription.queue());
            copies.add(message.toPendingMessage(
                    queue,
                    SubscriptionStore.copyUid(publish, 0, queue.id()),
                    0,
                    priorityLane(message, queue, lanes.nextLane(queue, 1)),
                    times(subscription.queue())));
        }
        boolean isOneStatement = !copies.get(0).hasKey()
                && message.options.receiptOptions() == null
                && (long) message.payload.bytes().length * copies.size() < MAX_BYTES_WITHOUT_SAVEPOINT;
        Transactions.TransactionSavepoint before =
                isOneStatement ? null : store.transactions().savepoint(SAVEPOINT);
        try {
            List<MessageRow> rows = new ArrayList<>(copies.size());
            List<KeyWrite> writes = new ArrayList<>();
            for (int i = 0; i < copies.size(); i++) {
                PendingMessage copy = copies.get(i);
                EnqueuePlan plan = copy.hasKey() ? keys.plan(List.of(copy)) : EnqueuePlan.of(copy);
                results.put(subscriptions.get(i).name(), plan.results().get(0));
                rows.addAll(plan.rows());
                writes.addAll(plan.writes());
                wakeAfterCommit(copy.queue(), plan.rows(), !plan.writes().isEmpty());
            }
            if (!rows.isEmpty()) {
                store.enqueue().insert(rows);
                insertReceipts(copies, rows);
            }
            if (!writes.isEmpty()) {
                store.enqueue().writeKeys(writes);
            }
        } catch (RuntimeException e) {
            if (before != null) {
                undo(before::rollback, e);
            }
            throw e;
        }
    }

    /**
     * The message of a tick of a recurring message, which was encoded earlier.
     *
     * @param destination the queue, or the topic
     * @param toTopic     whether the destination is a topic
     */
    public record TickMessage(
            String destination,
            boolean toTopic,
            @Nullable String orderingKey,
            Map<String, String> headers,
            Codec.Encoded payload) {}

    /**
     * Checks and encodes a payload for a queue or a topic, as an enqueue does.
     *
     * @throws MessageRejectedException when the enqueue would reject it
     */
    public Codec.Encoded encodePayload(String destination, Object payload, EnqueueOptions options) {
        return encode(destination, new NewMessage(payload, options)).payload();
    }

    /**
     * Enqueues the messages of ticks, which have no message keys, for several queues and topics in the transaction on the calling thread. Those for queues take one INSERT.
     *
     * @return the id of each, in their order; null for one that is published to a topic
     */
    public List<@Nullable MessageId> enqueueTicks(List<TickMessage> ticks) {
        List<MessageRow> rows = new ArrayList<>();
        Map<QueueRow, List<MessageRow>> byQueue = new LinkedHashMap<>();
        List<@Nullable MessageId> ids = new ArrayList<>();
        for (TickMessage tick : ticks) {
            EnqueueOptions options = new EnqueueOptions(
                    null, tick.orderingKey(), null, null, tick.headers(), null, null, null, null, null);
            EncodedMessage message = new EncodedMessage(options, tick.payload(), Headers.encode(options.headers()));
            if (tick.toTopic()) {
                publishEncoded(tick.destination(), message, Object.class);
                ids.add(null);
                continue;
            }
            QueueRow queue = queues.getOrCreate(tick.destination());
            MessageRow row = inPriorityLane(message, queue, 0, lanes.nextLane(queue, 1), times(queue.name()))
                    .row();
            rows.add(row);
            byQueue.computeIfAbsent(queue, q -> new ArrayList<>()).add(row);
            ids.add(new MessageId(queue.name(), row.lane(), row.uid()));
        }
        if (!rows.isEmpty()) {
            store.enqueue().insert(rows);
            byQueue.forEach((queue, inserted) -> wakeAfterCommit(queue, inserted, false));
        }
        return ids;
    }

    private SubscriptionFilter filter(Subscription subscription) {
        try {
            return filters.computeIfAbsent(subscription.filter(), SubscriptionFilter::parse);
        } catch (QueueMisuseException e) {
            throw new QueueMisuseException(
                    "subscription '" + subscription.name() + "' cannot be evaluated: " + e.getMessage()
                            + ". Correct it with Subscriptions.changeFilter",
                    e);
        }
    }

    /** {@code List.of(…).contains(null)} throws an exception. */
    private static boolean containsNull(List<NewMessage> messages) {
        for (NewMessage message : messages) {
            if (message == null) {
                return true;
            }
        }
        return false;
    }

    /** Enqueues one message. It is claimed at once when it has no ordering key, is NORMAL and due, and a worker of this process is free. */
    private List<Enqueued> enqueueOne(QueueRow queue, EncodedMessage encodedMessage, QueueTimes times) {
        Priority priority = queues.priority(queue, encodedMessage.options);
        LocalWorkers.Reservation reservation = priority == Priority.NORMAL && encodedMessage.canBeHandedOff(times)
                ? localWorkers.reserve(queue.id())
                : null;
        int lane = reservation == null
                ? LaneAssignment.priorityLane(priority, lanes.nextLane(queue, 1))
                : LaneAssignment.directLane(queue);
        PendingMessage pendingMessage = encodedMessage.toPendingMessage(queue, 0, lane, times);
        if (pendingMessage.replaces()) {
            return insertAll(queue, List.of(pendingMessage));
        }
        if (reservation == null) {
            return List.of(insertOne(pendingMessage, () -> insertAndWake(queue, pendingMessage)));
        }
        boolean claimed = false;
        try {
            Enqueued enqueued = insertOne(pendingMessage, () -> insertClaimed(pendingMessage, reservation));
            claimed = enqueued.result() == Enqueued.Result.ENQUEUED;
            return List.of(enqueued);
        } finally {
            if (!claimed) {
                reservation.release();
            }
        }
    }

    private void insertAndWake(QueueRow queue, PendingMessage pendingMessage) {
        List<MessageRow> rows = List.of(pendingMessage.row());
        store.enqueue().insert(rows);
        wakeAfterCommit(queue, rows, false);
    }

    private void insertClaimed(PendingMessage pendingMessage, LocalWorkers.Reservation reservation) {
        Claim claim = store.enqueue().insertClaimed(pendingMessage.row(), reservation.node());
        reservation.inserted(claim, pendingMessage.row());
        store.transactions().afterEnd(reservation::handOver, reservation::release);
    }

    /** Enqueues all messages or none, even if the caller catches the exception and commits. */
    private List<Enqueued> insertAll(QueueRow queue, List<PendingMessage> pendingMessages) {
        if (pendingMessages.isEmpty()) {
            return List.of();
        }
        Transactions.TransactionSavepoint before = store.transactions().savepoint(SAVEPOINT);
        try {
            EnqueuePlan plan = keys.plan(pendingMessages);
            if (!plan.rows().isEmpty()) {
                store.enqueue().insert(plan.rows());
                insertReceipts(pendingMessages, plan.rows());
            }
            if (!plan.writes().isEmpty()) {
                store.enqueue().writeKeys(plan.writes());
            }
            wakeAfterCommit(queue, plan.rows(), !plan.writes().isEmpty());
            return plan.results();
        } catch (RuntimeException e) {
            undo(before::rollback, e);
            throw e;
        }
    }

    /** As {@link #insertAll} for one message that replaces none: its key can be released without the round trip for a savepoint. */
    private Enqueued insertOne(PendingMessage pendingMessage, Runnable insert) {
        Optional<KeyHolder> holder =
                pendingMessage.hasKey() ? store.enqueue().takeKey(pendingMessage.keyClaim()) : Optional.empty();
        if (holder.isPresent()) {
            return pendingMessage.refusedBy(holder.get());
        }
        try {
            if (pendingMessage.receipt() == null) {
                insert.run();
            } else {
                insertWithReceipt(pendingMessage, insert);
            }
            return pendingMessage.enqueued();
        } catch (RuntimeException e) {
            if (pendingMessage.hasKey()) {
                undo(() -> store.enqueue().releaseKey(pendingMessage.keyClaim()), e);
            }
            throw e;
        }
    }

    /** Inserts the receipt and the message, or neither. */
    private void insertWithReceipt(PendingMessage pendingMessage, Runnable insert) {
        Transactions.TransactionSavepoint before = store.transactions().savepoint(SAVEPOINT);
        try {
            insertReceipts(List.of(pendingMessage), List.of(pendingMessage.row()));
            insert.run();
        } catch (RuntimeException e) {
            undo(before::rollback, e);
            throw e;
        }
    }

    private static void undo(Runnable undo, RuntimeException cause) {
        try {
            undo.run();
        } catch (RuntimeException e) { // the whole transaction is lost, with everything that it did
            cause.addSuppressed(e);
        }
    }

    /** Encodes a message. Each invalid message is rejected here, before any SQL. */
    private EncodedMessage encode(String queue, NewMessage message) {
        if (message.payload() == null) {
            throw new MessageRejectedException("the payload for queue '" + queue
                    + "' is null: a message carries a value, even if it is an empty record");
        }
        EnqueueOptions options = MessageKeys.withQueueDefaults(queue, message.options(), config.queue(queue));
        queues.checkOrderingKey(queue, MessageKeys.orderingKey(options));
        queues.checkPriority(queue, options);
        Codec.Encoded payload = codec.encode(message.payload());
        if (payload.bytes().length > config.maxPayloadBytes()) {
            throw new MessageRejectedException(
                    "a payload of " + payload.bytes().length + " bytes for queue '" + queue
                            + "' exceeds the limit of " + config.maxPayloadBytes()
                            + " bytes: store it elsewhere and enqueue a reference, or raise maxPayloadBytes (acidq.max-payload-size)");
        }
        checkReadable(queue, payload, message.payload().getClass());
        return new EncodedMessage(options, payload, Headers.encode(options.headers()));
    }

    /** Refuses a payload that the listener of the queue in this process cannot read. */
    private void checkReadable(String queue, Codec.Encoded payload, Class<?> payloadClass) {
        ListenerType listenerType = listenerTypes.get(queue);
        if (listenerType != null) {
            listenerType.checkReadable(codec, payload, payloadClass);
        }
    }

    /** The class that this process's listener of a queue takes. The first payload of each run-time class is read as this class. */
    private static final class ListenerType {

        private final Listener<?> listener;
        private final Set<Class<?>> readable = ConcurrentHashMap.newKeySet();

        ListenerType(Listener<?> listener) {
            this.listener = listener;
        }

        void checkReadable(Codec codec, Codec.Encoded payload, Class<?> runtimeClass) {
            if (readable.contains(runtimeClass)) {
                return;
            }
            try {
                codec.decode(payload, listener.payloadType());
            } catch (UndecodableException e) {
                throw new MessageRejectedException(
                        "a payload of type " + runtimeClass.getName() + " for queue '" + listener.queue()
                                + "' cannot be read by the queue's listener, which takes "
                                + listener.payloadType().getName() + ": " + e.getMessage(),
                        e);
            }
            readable.add(runtimeClass);
        }
    }

    /** A message after its checks, before its lane is chosen. */
    private record EncodedMessage(EnqueueOptions options, Codec.Encoded payload, String headers) {

        /** Returns whether the message may run at once, regardless of other messages. */
        boolean canBeHandedOff(QueueTimes times) {
            return MessageKeys.orderingKey(options) == null
                    && new Due(options.delay(), options.at()).isNow()
                    && expiry(times).isNever(); // it could expire before its transaction commits
        }

        /** Converts the message. The lane is used if the message has no ordering key. */
        PendingMessage toPendingMessage(QueueRow queue, int index, int lane, QueueTimes times) {
            return toPendingMessage(queue, newUid(options.receiptOptions()), index, lane, times);
        }

        PendingMessage toPendingMessage(QueueRow queue, UUID uid, int index, int lane, QueueTimes times) {
            String orderingKey = MessageKeys.orderingKey(options);
            MessageRow row = new MessageRow(
                    queue.id(),
                    orderingKey == null ? lane : LaneAssignment.ofKey(queue, orderingKey),
                    uid,
                    options.key(),
                    orderingKey,
                    payload.type(),
                    headers,
                    payload.bytes(),
                    new Due(options.delay(), options.at()),
                    expiry(times));
            return new PendingMessage(
                    index,
                    queue,
                    row,
                    MessageKeys.policy(options),
                    times.deduplicationWindow(),
                    options.receiptOptions());
        }

        private Expiry expiry(QueueTimes times) {
            Duration after = options.expiresAfter();
            Instant at = options.expiresAt();
            Duration chosen = after == null && at == null ? times.expiresAfter() : after;
            return chosen == null && at == null ? Expiry.NEVER : new Expiry(chosen, at);
        }
    }

    private static UUID newUid(@Nullable ReceiptOptions receipt) {
        UUID uid = UIDS.generate();
        return receipt == null ? uid : ReceiptStore.uid(uid, receipt.keepsResult());
    }

    /** Inserts the receipts of those rows whose messages have one. */
    private void insertReceipts(List<PendingMessage> pendingMessages, List<MessageRow> rows) {
        List<NewReceipt> receipts = new ArrayList<>();
        Set<UUID> inserted = null;
        for (PendingMessage pendingMessage : pendingMessages) {
            ReceiptOptions receipt = pendingMessage.receipt();
            if (receipt != null) {
                if (inserted == null) {
                    inserted = rows.stream().map(MessageRow::uid).collect(Collectors.toSet());
                }
                UUID uid = pendingMessage.row().uid();
                if (inserted.contains(uid)) {
                    receipts.add(new NewReceipt(uid, receipt.keep()));
                }
            }
        }
        if (!receipts.isEmpty()) {
            store.receipts().insert(receipts);
        }
    }

    /** Converts a message. The lane is used if it is NORMAL and has no ordering key. */
    private PendingMessage inPriorityLane(
            EncodedMessage message, QueueRow queue, int index, int lane, QueueTimes times) {
        return message.toPendingMessage(queue, index, priorityLane(message, queue, lane), times);
    }

    private int priorityLane(EncodedMessage message, QueueRow queue, int normal) {
        return LaneAssignment.priorityLane(queues.priority(queue, message.options), normal);
    }

    private QueueTimes times(String queue) {
        Duration own = config.queue(queue).deduplicationWindow();
        return new QueueTimes(
                own == null ? config.deduplicationWindow() : own,
                config.queue(queue).expiresAfter());
    }

    /**
     * What a queue gives to messages whose options do not say.
     *
     * @param deduplicationWindow how long a message key stays taken
     * @param expiresAfter        how long after its due time a message may be started; null for any time
     */
    private record QueueTimes(
            Duration deduplicationWindow, @Nullable Duration expiresAfter) {}

    /** Wakes pollers and mover after the commit. The callback holds lanes only, so that no payload is kept in memory until then. */
    private void wakeAfterCommit(QueueRow queue, List<MessageRow> rows, boolean dueTimesChanged) {
        Set<Integer> lanes = new HashSet<>(4);
        boolean scheduled = dueTimesChanged;
        for (MessageRow row : rows) {
            if (row.due().isNow()) {
                lanes.add(row.lane());
            } else {
                scheduled = true;
            }
        }
        if (lanes.isEmpty() && !scheduled) {
            return;
        }
        boolean messageScheduled = scheduled;
        store.transactions().afterCommit(() -> {
            if (!lanes.isEmpty()) {
                wakeUps.wake(queue.id(), lanes);
            }
            if (messageScheduled) {
                wakeUps.messageScheduled();
            }
        });
    }

    /**
     * Throws an exception, which says what to do, when this thread has no transaction or a read-only one.
     *
     * @param what    what needs the transaction
     * @param purpose what the transaction is needed for
     */
    public static void requireTransaction(Transactions transactions, String what, String purpose) {
        if (transactions.current() == null) {
            throw new QueueMisuseException(what + " needs a transaction on this thread, so that " + purpose
                    + ": annotate the method with @Transactional (and call it through its bean), or wrap the"
                    + " call in a TransactionTemplate or JdbcTransactions.run");
        }
        if (transactions.isReadOnly()) {
            throw new QueueMisuseException(what
                    + " is not possible in a read-only transaction: remove readOnly = true from its @Transactional");
        }
    }
}
