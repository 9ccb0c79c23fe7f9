package io.acidq.test;

import io.acidq.Enqueued;
import io.acidq.MessageId;
import io.acidq.MessageQueue;
import io.acidq.NewMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A {@link MessageQueue} for unit tests without a database: it keeps what was enqueued, answers a key that it has seen with
 * {@code DUPLICATE}, and knows no transactions, so nothing is taken back by a rollback: test that against a real database.
 * Thread-safe.
 */
public final class RecordingQueue implements MessageQueue {

    private final List<Recorded> recorded = new ArrayList<>();
    private final Map<String, MessageId> keys = new HashMap<>();

    /**
     * A message that was enqueued.
     *
     * @param id      its id
     * @param message its payload and options
     */
    public record Recorded(MessageId id, NewMessage message) {}

    @Override
    public synchronized List<Enqueued> enqueueAll(String queue, List<NewMessage> messages) {
        return messages.stream().map(m -> record(queue, m)).toList();
    }

    private Enqueued record(String queue, NewMessage message) {
        MessageId id = new MessageId(queue, 0, UUID.randomUUID());
        String key = message.options().key();
        MessageId holder = key == null ? null : keys.putIfAbsent(queue + '\n' + key, id);
        if (holder != null) {
            return new Enqueued(holder, Enqueued.Result.DUPLICATE);
        }
        recorded.add(new Recorded(id, message));
        return new Enqueued(id, Enqueued.Result.ENQUEUED);
    }

    /** What was enqueued to a queue, without duplicates, in order. */
    public synchronized List<Recorded> in(String queue) {
        return recorded.stream().filter(r -> r.id().queue().equals(queue)).toList();
    }

    /** Forgets messages and keys. */
    public synchronized void clear() {
        recorded.clear();
        keys.clear();
    }
}
