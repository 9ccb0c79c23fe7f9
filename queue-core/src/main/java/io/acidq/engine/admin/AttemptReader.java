package io.acidq.engine.admin;

import io.acidq.MessageId;
import io.acidq.admin.Attempts;
import io.acidq.admin.StoredMessage;
import io.acidq.admin.StoredMessage.MessageState;
import io.acidq.engine.enqueue.QueueRegistry;
import io.acidq.store.InspectionStore;
import io.acidq.store.QueueStore.QueueRow;
import java.util.List;
import java.util.Objects;

/** Reads the failed attempts of messages. Thread-safe. */
public final class AttemptReader implements Attempts {

    private final InspectionStore store;
    private final QueueRegistry queues;

    public AttemptReader(InspectionStore store, QueueRegistry queues) {
        this.store = store;
        this.queues = queues;
    }

    @Override
    public FailedAttempts of(MessageId id) {
        QueueRow queue = queues.existing(Objects.requireNonNull(id, "id").queue());
        int failed = store.findMessage(queue, id)
                .map(AttemptReader::failed)
                .or(() -> store.findArchived(queue, id.uid()).map(done -> done.attempts() - 1))
                .orElse(0);
        List<Attempt> attempts =
                store.attempts(id.uid(), MAX_ATTEMPTS); // after the message: none of its attempts is missing here
        return new FailedAttempts(attempts, Math.max(0, failed - attempts.size()));
    }

    /** The attempt of a claimed message is counted, and has not failed yet. */
    private static int failed(StoredMessage message) {
        return message.attempts() - (message.state() == MessageState.RUNNING ? 1 : 0);
    }
}
