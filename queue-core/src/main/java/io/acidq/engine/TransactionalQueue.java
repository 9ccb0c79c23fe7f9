package io.acidq.engine;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.NoArgGenerator;
import io.acidq.EnqueueOptions;
import io.acidq.Enqueued;
import io.acidq.MessageId;
import io.acidq.MessageQueue;
import io.acidq.MessageRejectedException;
import io.acidq.NewMessage;
import io.acidq.QueueMisuseException;
import io.acidq.QueueNames;
import io.acidq.TransientQueueException;
import io.acidq.codec.Codec;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.KeyClaim;
import io.acidq.store.MessageRow;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.store.Store;
import io.acidq.store.Transactions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Enqueue: step one of a message's way, wholly inside the caller's transaction. */
final class TransactionalQueue implements MessageQueue {

    private static final NoArgGenerator UIDS = Generators.timeBasedEpochGenerator();

    private static final String SAVEPOINT = "acidq_enqueue";

    private final Store store;
    private final Codec codec;
    private final EngineConfig config;
    private final QueueCatalog catalog;
    private final Signals signals;

    TransactionalQueue(Store store, Codec codec, EngineConfig config, QueueCatalog catalog, Signals signals) {
        this.store = store;
        this.codec = codec;
        this.config = config;
        this.catalog = catalog;
        this.signals = signals;
    }

    @Override
    public List<Enqueued> enqueueAll(String queue, List<NewMessage> messages) {
        CallersTransaction.require(
                store.transactions(),
                "enqueue to '" + QueueNames.check(queue) + "'",
                "the message commits with your data");
        List<Content> contents = messages.stream().map(m -> encode(queue, m)).toList();
        try {
            QueueRow row = catalog.row(queue); // SQL from here on, when the queue is new to this process
            List<MessageRow> rows =
                    contents.stream().map(content -> content.in(row)).toList();
            return rows.size() == 1 ? insertOne(row, rows.get(0)) : insertAll(row, rows);
        } catch (TransientQueueException e) {
            throw new TransientQueueException("enqueue to '" + queue + "': " + e.getMessage(), e);
        } catch (QueueMisuseException e) {
            throw new QueueMisuseException("enqueue to '" + queue + "': " + e.getMessage(), e);
        }
    }

    /** All or none, also when the caller swallows the failure and commits. */
    private List<Enqueued> insertAll(QueueRow queue, List<MessageRow> rows) {
        if (rows.isEmpty()) {
            return List.of();
        }
        Transactions.Mark before = store.transactions().mark(SAVEPOINT);
        try {
            List<Enqueued> results = takeKeys(queue, rows);
            List<MessageRow> fresh = IntStream.range(0, rows.size())
                    .filter(i -> !results.get(i).isDuplicate())
                    .mapToObj(rows::get)
                    .toList();
            insert(queue, fresh);
            return results;
        } catch (RuntimeException e) {
            undo(before::undo, e);
            throw e;
        }
    }

    /** The same for one, whose key can be given up without the round trip of a savepoint. */
    private List<Enqueued> insertOne(QueueRow queue, MessageRow row) {
        Enqueued result = row.key() == null ? enqueued(queue, row) : takeKey(queue, row);
        if (result.isDuplicate()) {
            return List.of(result);
        }
        try {
            insert(queue, List.of(row));
            return List.of(result);
        } catch (RuntimeException e) {
            if (row.key() != null) {
                undo(() -> store.enqueue().releaseKey(claim(queue, row)), e);
            }
            throw e;
        }
    }

    private void insert(QueueRow queue, List<MessageRow> fresh) {
        if (!fresh.isEmpty()) {
            store.enqueue().insert(fresh);
            store.transactions().afterCommit(() -> wake(queue, fresh));
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
    private Content encode(String queue, NewMessage message) {
        if (message.payload() == null) {
            throw new MessageRejectedException("the payload for queue '" + queue
                    + "' is null: a message carries a value, even if it is an empty record");
        }
        Codec.Encoded payload = codec.encode(message.payload());
        if (payload.bytes().length > config.maxPayloadBytes()) {
            throw new MessageRejectedException("a payload of " + payload.bytes().length + " bytes for queue '" + queue
                    + "' exceeds the limit of " + config.maxPayloadBytes()
                    + " bytes: store it elsewhere and enqueue a reference, or raise maxPayloadBytes");
        }
        return new Content(
                message.options(), payload, Headers.encode(message.options().headers()));
    }

    /** A message as far as it can be made without the database. */
    private record Content(EnqueueOptions options, Codec.Encoded payload, String headers) {

        MessageRow in(QueueRow queue) {
            return new MessageRow(
                    queue.id(),
                    Lanes.of(queue, options.orderingKey()),
                    UIDS.generate(),
                    options.key(),
                    options.orderingKey(),
                    payload.type(),
                    headers,
                    payload.bytes(),
                    new Due(options.delay(), options.at()));
        }
    }

    /** Takes the keys in order of the keys: two bulks with the same keys then wait for each other and do not deadlock. */
    private List<Enqueued> takeKeys(QueueRow queue, List<MessageRow> rows) {
        List<Enqueued> results =
                new ArrayList<>(rows.stream().map(r -> enqueued(queue, r)).toList());
        IntStream.range(0, rows.size())
                .filter(i -> rows.get(i).key() != null)
                .boxed()
                .sorted(Comparator.comparing(i -> String.valueOf(rows.get(i).key())))
                .forEach(i -> results.set(i, takeKey(queue, rows.get(i))));
        return results;
    }

    private Enqueued takeKey(QueueRow queue, MessageRow row) {
        return store.enqueue()
                .takeKey(claim(queue, row))
                .map(holder -> new Enqueued(
                        new MessageId(queue.name(), holder.lane(), holder.uid()), Enqueued.Result.DUPLICATE))
                .orElseGet(() -> enqueued(queue, row));
    }

    private KeyClaim claim(QueueRow queue, MessageRow row) {
        return new KeyClaim(queue.id(), String.valueOf(row.key()), row.uid(), row.lane(), row.due(), keyWindow(queue));
    }

    private Duration keyWindow(QueueRow queue) {
        Duration own = config.queue(queue.name()).keyWindow();
        return own == null ? config.keyWindow() : own;
    }

    private static Enqueued enqueued(QueueRow queue, MessageRow row) {
        return new Enqueued(new MessageId(queue.name(), row.lane(), row.uid()), Enqueued.Result.ENQUEUED);
    }

    private void wake(QueueRow queue, List<MessageRow> rows) {
        Set<Integer> lanes =
                rows.stream().filter(r -> r.due().isNow()).map(MessageRow::lane).collect(Collectors.toSet());
        if (!lanes.isEmpty()) {
            signals.work(queue.id(), lanes);
        }
        if (rows.stream().anyMatch(r -> !r.due().isNow())) {
            signals.scheduled();
        }
    }
}
