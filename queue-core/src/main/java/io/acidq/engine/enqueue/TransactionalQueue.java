package io.acidq.engine.enqueue;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.NoArgGenerator;
import io.acidq.EnqueueOptions;
import io.acidq.Enqueued;
import io.acidq.MessageQueue;
import io.acidq.MessageRejectedException;
import io.acidq.NewMessage;
import io.acidq.QueueMisuseException;
import io.acidq.QueueNames;
import io.acidq.TransientQueueException;
import io.acidq.codec.Codec;
import io.acidq.codec.Headers;
import io.acidq.config.EngineConfig;
import io.acidq.engine.loop.WakeUps;
import io.acidq.store.Claim;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.KeyHolder;
import io.acidq.store.MessageRow;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.store.Store;
import io.acidq.store.Transactions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Enqueue: step one of a message's way, wholly inside the caller's transaction. */
public final class TransactionalQueue implements MessageQueue {

    private static final NoArgGenerator UIDS = Generators.timeBasedEpochGenerator();

    private static final String SAVEPOINT = "acidq_enqueue";

    private final Store store;
    private final Codec codec;
    private final EngineConfig config;
    private final QueueRegistry queues;
    private final WakeUps wakeUps;
    private final LocalWorkers localWorkers;
    private final MessageKeys keys;
    private final LaneAssignment lanes = new LaneAssignment();

    public TransactionalQueue(
            Store store,
            Codec codec,
            EngineConfig config,
            QueueRegistry queues,
            WakeUps signals,
            LocalWorkers workers) {
        this.store = store;
        this.codec = codec;
        this.config = config;
        this.queues = queues;
        this.wakeUps = signals;
        this.localWorkers = workers;
        this.keys = new MessageKeys(store.enqueue());
    }

    @Override
    public List<Enqueued> enqueueAll(String queue, List<NewMessage> messages) {
        CallerTransaction.require(
                store.transactions(),
                "enqueue to '" + QueueNames.check(queue) + "'",
                "the message commits with your data");
        if (messages == null || messages.stream().anyMatch(Objects::isNull)) {
            throw new MessageRejectedException("enqueue to '" + queue + "': a message is null, or the list of them");
        }
        List<EncodedMessage> encodedMessages =
                messages.stream().map(m -> encode(queue, m)).toList();
        try {
            QueueRow row = queues.getOrCreate(queue); // SQL from here on, when the queue is new to this process
            Duration window = deduplicationWindow(queue);
            if (encodedMessages.size() == 1) {
                return enqueueOne(row, encodedMessages.get(0), window);
            }
            int lane = lanes.nextLane(row, encodedMessages.size());
            List<PendingMessage> pendingMessages = IntStream.range(0, encodedMessages.size())
                    .mapToObj(i -> encodedMessages
                            .get(i)
                            .toPendingMessage(row, i, LaneAssignment.bulkLane(row, lane, i), window))
                    .toList();
            return insertAll(row, pendingMessages);
        } catch (TransientQueueException e) {
            throw new TransientQueueException("enqueue to '" + queue + "': " + e.getMessage(), e);
        } catch (QueueMisuseException e) {
            throw new QueueMisuseException("enqueue to '" + queue + "': " + e.getMessage(), e);
        }
    }

    /** Claimed by this already, if it needs no order and a worker of this process is free. */
    private List<Enqueued> enqueueOne(QueueRow queue, EncodedMessage encodedMessage, Duration window) {
        LocalWorkers.Reservation reservation =
                encodedMessage.canBeHandedOff() ? localWorkers.reserve(queue.id()) : null;
        PendingMessage pendingMessage = encodedMessage.toPendingMessage(
                queue, 0, reservation == null ? lanes.nextLane(queue, 1) : LaneAssignment.directLane(queue), window);
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
        EnqueuePlan enqueuePlan =
                new EnqueuePlan(List.of(pendingMessage.enqueued()), List.of(pendingMessage.row()), List.of());
        insert(enqueuePlan.rows());
        wakeAfterCommit(queue, enqueuePlan);
    }

    private void insertClaimed(PendingMessage pendingMessage, LocalWorkers.Reservation reservation) {
        Claim claim = store.enqueue().insertClaimed(pendingMessage.row(), reservation.node());
        reservation.inserted(claim, pendingMessage.row());
        store.transactions().afterEnd(reservation::handOver, reservation::release);
    }

    /** All or none, also when the caller swallows the failure and commits. */
    private List<Enqueued> insertAll(QueueRow queue, List<PendingMessage> pendingMessages) {
        if (pendingMessages.isEmpty()) {
            return List.of();
        }
        Transactions.TransactionSavepoint before = store.transactions().savepoint(SAVEPOINT);
        try {
            EnqueuePlan enqueuePlan = keys.plan(pendingMessages);
            insert(enqueuePlan.rows());
            if (!enqueuePlan.writes().isEmpty()) {
                store.enqueue().writeKeys(enqueuePlan.writes());
            }
            wakeAfterCommit(queue, enqueuePlan);
            return enqueuePlan.results();
        } catch (RuntimeException e) {
            undo(before::rollback, e);
            throw e;
        }
    }

    /** The same for one that replaces nothing, whose key can be given up without the round trip of a savepoint. */
    private Enqueued insertOne(PendingMessage pendingMessage, Runnable insert) {
        Optional<KeyHolder> holder =
                pendingMessage.hasKey() ? store.enqueue().takeKey(pendingMessage.keyClaim()) : Optional.empty();
        if (holder.isPresent()) {
            return pendingMessage.refusedBy(holder.get());
        }
        try {
            insert.run();
            return pendingMessage.enqueued();
        } catch (RuntimeException e) {
            if (pendingMessage.hasKey()) {
                undo(() -> store.enqueue().releaseKey(pendingMessage.keyClaim()), e);
            }
            throw e;
        }
    }

    private void insert(List<MessageRow> rows) {
        if (!rows.isEmpty()) {
            store.enqueue().insert(rows);
        }
    }

    private static void undo(Runnable undo, RuntimeException why) {
        try {
            undo.run();
        } catch (RuntimeException e) { // the transaction as a whole is gone, and what was done in it
            why.addSuppressed(e);
        }
    }

    /** Everything that can be refused is refused here, before any SQL. */
    private EncodedMessage encode(String queue, NewMessage message) {
        if (message.payload() == null) {
            throw new MessageRejectedException("the payload for queue '" + queue
                    + "' is null: a message carries a value, even if it is an empty record");
        }
        EnqueueOptions options = MessageKeys.withQueueDefaults(queue, message.options(), config.queue(queue));
        queues.checkOrderingKey(queue, MessageKeys.orderingKey(options));
        Codec.Encoded payload = codec.encode(message.payload());
        if (payload.bytes().length > config.maxPayloadBytes()) {
            throw new MessageRejectedException("a payload of " + payload.bytes().length + " bytes for queue '" + queue
                    + "' exceeds the limit of " + config.maxPayloadBytes()
                    + " bytes: store it elsewhere and enqueue a reference, or raise maxPayloadBytes");
        }
        return new EncodedMessage(options, payload, Headers.encode(options.headers()));
    }

    /** A message as far as it can be made without the database. */
    private record EncodedMessage(EnqueueOptions options, Codec.Encoded payload, String headers) {

        /** Whether it may run at once, whatever else there is. */
        boolean canBeHandedOff() {
            return MessageKeys.orderingKey(options) == null && new Due(options.delay(), options.at()).isNow();
        }

        /** As an offer; the lane is for one without an ordering key. */
        PendingMessage toPendingMessage(QueueRow queue, int at, int lane, Duration deduplicationWindow) {
            String orderingKey = MessageKeys.orderingKey(options);
            MessageRow row = new MessageRow(
                    queue.id(),
                    orderingKey == null ? lane : LaneAssignment.ofKey(queue, orderingKey),
                    UIDS.generate(),
                    options.key(),
                    orderingKey,
                    payload.type(),
                    headers,
                    payload.bytes(),
                    new Due(options.delay(), options.at()));
            return new PendingMessage(at, queue, row, MessageKeys.policy(options), deduplicationWindow);
        }
    }

    private Duration deduplicationWindow(String queue) {
        Duration own = config.queue(queue).deduplicationWindow();
        return own == null ? config.deduplicationWindow() : own;
    }

    /** Keeps no payload until then. */
    private void wakeAfterCommit(QueueRow queue, EnqueuePlan enqueuePlan) {
        Set<Integer> lanes = enqueuePlan.rows().stream()
                .filter(r -> r.due().isNow())
                .map(MessageRow::lane)
                .collect(Collectors.toSet());
        boolean scheduled = enqueuePlan.rows().stream().anyMatch(r -> !r.due().isNow())
                || !enqueuePlan.writes().isEmpty();
        if (!lanes.isEmpty() || scheduled) {
            store.transactions().afterCommit(() -> wake(queue, lanes, scheduled));
        }
    }

    private void wake(QueueRow queue, Set<Integer> lanes, boolean scheduled) {
        if (!lanes.isEmpty()) {
            wakeUps.wake(queue.id(), lanes);
        }
        if (scheduled) {
            wakeUps.messageScheduled();
        }
    }
}
