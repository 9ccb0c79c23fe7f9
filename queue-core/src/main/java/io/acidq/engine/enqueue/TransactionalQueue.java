package io.acidq.engine.enqueue;

import io.acidq.EnqueueOptions;
import io.acidq.EnqueueOptions.ReceiptOptions;
import io.acidq.Enqueued;
import io.acidq.InputChecks;
import io.acidq.KeyTakenException;
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
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.engine.enqueue.MessageEncoder.EncodedMessage;
import io.acidq.engine.enqueue.MessageEncoder.QueueTimes;
import io.acidq.engine.enqueue.MessageKeys.EnqueuePlan;
import io.acidq.engine.enqueue.MessageKeys.PendingMessage;
import io.acidq.engine.loop.HistoryCounters;
import io.acidq.engine.loop.WakeUps;
import io.acidq.store.Claim;
import io.acidq.store.EnqueueStore.KeyHolder;
import io.acidq.store.EnqueueStore.KeyWrite;
import io.acidq.store.EnqueueStore.MessageRow;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.store.ReceiptStore.NewReceipt;
import io.acidq.store.Store;
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
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Enqueues messages. All statements run in the caller's transaction, except for the creation of a queue. Thread-safe. */
public final class TransactionalQueue implements MessageQueue {

    private static final String SAVEPOINT = "acidq_enqueue";

    /** Payloads of this size together fit into one INSERT, which needs no savepoint to be undone. */
    private static final long MAX_BYTES_WITHOUT_SAVEPOINT = 1 << 18;

    private final Store store;
    private final QueueRegistry queues;
    private final WakeUps wakeUps;
    private final LocalWorkers localWorkers;
    private final HistoryCounters history;
    private final LaneAssignment lanes = new LaneAssignment();
    private final MessageEncoder encoder;
    private final MessageKeys keys;
    private final TopicRouter topics;
    private final ScheduledMessages scheduled;

    public TransactionalQueue(
            Store store,
            Codec codec,
            EngineConfig config,
            QueueRegistry queues,
            WakeUps wakeUps,
            LocalWorkers localWorkers,
            List<Listener<?>> listeners,
            HistoryCounters history,
            Telemetry telemetry) {
        this.store = store;
        this.queues = queues;
        this.wakeUps = wakeUps;
        this.localWorkers = localWorkers;
        this.history = history;
        this.encoder = new MessageEncoder(codec, config, queues, listeners);
        this.keys = new MessageKeys(store.enqueue());
        this.topics =
                new TopicRouter(store.subscriptions(), queues, encoder, lanes, config.unsubscribedTopics(), telemetry);
        this.scheduled = new ScheduledMessages(store.enqueue(), store.transactions(), wakeUps);
    }

    @Override
    public List<Enqueued> enqueueAll(String queue, List<NewMessage> messages) {
        store.transactions()
                .requireTransaction(
                        "enqueue to '" + InputChecks.checkQueue(queue) + "'", "the message commits with your data");
        if (messages == null || containsNull(messages)) {
            throw new MessageRejectedException(
                    "enqueue to '" + queue + "': the list of messages or one of them is null: leave it out");
        }
        List<EncodedMessage> encodedMessages = new ArrayList<>(messages.size());
        for (NewMessage message : messages) {
            encodedMessages.add(encoder.encode(queue, message));
        }
        return explaining("enqueue to", queue, () -> enqueueEncoded(queue, encodedMessages));
    }

    private List<Enqueued> enqueueEncoded(String queue, List<EncodedMessage> encodedMessages) {
        QueueRow row = queues.getOrCreate(queue); // the first SQL, if this process has not used the queue yet
        QueueTimes times = encoder.times(queue);
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

    /** Converts a message. The lane is used if it is NORMAL and has no ordering key. */
    private PendingMessage inPriorityLane(
            EncodedMessage message, QueueRow queue, int index, int lane, QueueTimes times) {
        int chosen = LaneAssignment.priorityLane(queues.priority(queue, message.options()), lane);
        return message.toPendingMessage(queue, index, chosen, times);
    }

    @Override
    public WithdrawResult withdraw(String queue, String key) {
        return scheduled.withdraw(queue, key);
    }

    @Override
    public RescheduleResult reschedule(String queue, String key, Duration delay) {
        return scheduled.reschedule(queue, key, delay);
    }

    @Override
    public RescheduleResult reschedule(String queue, String key, Instant at) {
        return scheduled.reschedule(queue, key, at);
    }

    /** Runs statements, and adds to their exceptions what was called. */
    static <T> T explaining(String what, String name, Supplier<T> statements) {
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
        store.transactions()
                .requireTransaction(
                        "publish to '" + InputChecks.checkTopic(topic) + "'", "the messages commit with your data");
        EncodedMessage message = encoder.encode(topic, new NewMessage(payload, options));
        return explaining("publish to", topic, () -> publishEncoded(topic, message, payload.getClass()));
    }

    private Published publishEncoded(String topic, EncodedMessage message, @Nullable Class<?> payloadClass) {
        List<Subscription> accepting = topics.accepting(topic, message, payloadClass);
        List<Enqueued> results = accepting.size() == 1
                ? enqueueEncoded(accepting.get(0).queue(), List.of(message))
                : insertCopies(topics.copies(accepting, message));
        Map<String, Enqueued> bySubscription = new LinkedHashMap<>();
        for (int i = 0; i < accepting.size(); i++) {
            bySubscription.put(accepting.get(i).name(), results.get(i));
        }
        return new Published(topic, bySubscription);
    }

    /** The message of a tick of a recurring message, encoded. Its options have no message key and no receipt. */
    public record TickMessage(EnqueueOptions options, Codec.Encoded payload) {

        EncodedMessage toEncodedMessage() {
            return new EncodedMessage(options, payload, Headers.encode(options.headers()));
        }
    }

    /**
     * Checks the message of a tick, as its enqueue does.
     *
     * @param toTopic whether the destination is a topic: then the message must also suit the subscriptions that accept it now
     * @throws MessageRejectedException when the enqueue would reject it
     * @throws QueueMisuseException     when the topic has no subscription, and the engine is to refuse that
     */
    public void checkTick(String destination, boolean toTopic, Object payload, EnqueueOptions options) {
        EncodedMessage message = encoder.encode(destination, new NewMessage(payload, options));
        if (toTopic) {
            topics.check(destination, message, payload.getClass());
        }
    }

    /** Enqueues the messages of ticks to one queue with one INSERT, in the transaction on the calling thread. */
    public List<Enqueued> enqueueTicks(String name, List<TickMessage> ticks) {
        QueueRow queue = queues.getOrCreate(name);
        QueueTimes times = encoder.times(name);
        List<PendingMessage> messages = ticks.stream()
                .map(tick -> inPriorityLane(tick.toEncodedMessage(), queue, 0, lanes.nextLane(queue, 1), times))
                .toList();
        List<MessageRow> rows = messages.stream().map(PendingMessage::row).toList();
        store.enqueue().insert(rows);
        wakeAfterCommit(queue, rows, false);
        return messages.stream().map(PendingMessage::enqueued).toList();
    }

    /** Publishes the message of a tick to a topic, in the transaction on the calling thread. */
    public Published publishTick(String topic, TickMessage tick) {
        return publishEncoded(topic, tick.toEncodedMessage(), null);
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
        Priority priority = queues.priority(queue, encodedMessage.options());
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
            Enqueued enqueued = insertOne(pendingMessage, () -> insertClaimed(queue, pendingMessage, reservation));
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

    private void insertClaimed(QueueRow queue, PendingMessage pendingMessage, LocalWorkers.Reservation reservation) {
        Claim claim = store.enqueue().insertClaimed(pendingMessage.row(), reservation.node());
        reservation.inserted(claim, pendingMessage.row());
        store.transactions()
                .afterEnd(
                        () -> {
                            reservation.handOver();
                            history.enqueued(queue.name(), 1);
                        },
                        reservation::release);
    }

    /** Enqueues all messages or none, even if the caller catches the exception and commits. */
    private List<Enqueued> insertAll(QueueRow queue, List<PendingMessage> pendingMessages) {
        if (pendingMessages.isEmpty()) {
            return List.of();
        }
        Transactions.TransactionSavepoint before = store.transactions().savepoint(SAVEPOINT);
        try {
            EnqueuePlan plan = keys.takeKeys(pendingMessages);
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

    /** Enqueues a message for several subscriptions with one INSERT, for all or none, even if the caller catches the exception and commits. */
    private List<Enqueued> insertCopies(List<PendingMessage> copies) {
        if (copies.isEmpty()) {
            return List.of();
        }
        PendingMessage first = copies.get(0);
        boolean isOneStatement = !first.hasKey()
                && first.receipt() == null
                && (long) first.row().payload().length * copies.size() < MAX_BYTES_WITHOUT_SAVEPOINT;
        Transactions.TransactionSavepoint before =
                isOneStatement ? null : store.transactions().savepoint(SAVEPOINT);
        try {
            List<Enqueued> results = new ArrayList<>(copies.size());
            List<MessageRow> rows = new ArrayList<>(copies.size());
            List<KeyWrite> writes = new ArrayList<>();
            for (PendingMessage copy : copies) {
                EnqueuePlan plan = copy.hasKey() ? keys.takeKeys(List.of(copy)) : EnqueuePlan.of(copy);
                results.add(plan.results().get(0));
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
            return results;
        } catch (RuntimeException e) {
            if (before != null) {
                undo(before::rollback, e);
            }
            throw e;
        }
    }

    /** Inserts one message that replaces no other. It needs no savepoint: if the INSERT fails, the key is released. */
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
                    receipts.add(new NewReceipt(uid, receipt.retention()));
                }
            }
        }
        if (!receipts.isEmpty()) {
            store.receipts().insert(receipts);
        }
    }

    /** Wakes pollers and due-message mover, and counts the messages, after the commit. The callback holds lanes only, so that no payload is kept in memory until then. */
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
        int count = rows.size();
        store.transactions().afterCommit(() -> {
            if (!lanes.isEmpty()) {
                wakeUps.wake(queue.id(), lanes);
            }
            if (messageScheduled) {
                wakeUps.messageScheduled();
            }
            history.enqueued(queue.name(), count);
        });
    }
}
