package io.acidq.engine.enqueue;

import io.acidq.Enqueued;
import io.acidq.KeyTakenException;
import io.acidq.MessageId;
import io.acidq.OnDuplicate;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.KeyClaim;
import io.acidq.store.EnqueueStore.KeyHolder;
import io.acidq.store.EnqueueStore.Window;
import io.acidq.store.MessageRow;
import io.acidq.store.QueueStore.QueueRow;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One message of an enqueue, whose key may be taken.
 *
 * @param index        its place in the enqueue, from 0
 * @param queue     its queue
 * @param row       the message
 * @param policy    what is done when its key is taken
 * @param deduplicationWindow how long its key stays taken, from the due time, if the policy says nothing else
 */
record PendingMessage(int index, QueueRow queue, MessageRow row, OnDuplicate policy, Duration deduplicationWindow) {

    boolean hasKey() {
        return row.key() != null;
    }

    String key() {
        return String.valueOf(row.key());
    }

    /** Whether it may change the holder of its key or succeed it. */
    boolean replaces() {
        return hasKey() && policy.replaces();
    }

    Enqueued enqueued() {
        return toEnqueued(new KeyHolder(row.uid(), row.lane()), Enqueued.Result.ENQUEUED);
    }

    Enqueued toEnqueued(KeyHolder holder, Enqueued.Result result) {
        return new Enqueued(new MessageId(queue.name(), holder.lane(), holder.uid()), result);
    }

    /** What becomes of it when it may not replace and this message holds its key. */
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

    /** The claim of the message that it gave its content and due time to, or that it is. */
    KeyClaim keyClaimFor(KeyHolder holder, @Nullable Instant due) {
        return new KeyClaim(queue.id(), key(), holder.uid(), holder.lane(), new Due(null, due), window());
    }

    private Window window() {
        boolean throttles = policy.action() == OnDuplicate.Action.THROTTLE;
        Duration period = policy.time();
        return throttles && period != null ? new Window(period, false) : new Window(deduplicationWindow, true);
    }
}
