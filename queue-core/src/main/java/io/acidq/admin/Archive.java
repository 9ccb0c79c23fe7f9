package io.acidq.admin;

import io.acidq.MessageId;
import io.acidq.QueueMisuseException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Done messages, of queues that keep them for a while. A message is here if and only if the transaction of its handler committed. Read in
 * short transactions of its own, apart from any of the caller's. Thread-safe.
 */
public interface Archive {

    /**
     * A done message that is still kept.
     *
     * @throws QueueMisuseException when there is no such queue
     */
    Optional<ArchivedMessage> find(MessageId id);

    /**
     * The messages of a queue that were done from an instant on and before another, the oldest first.
     *
     * @param limit at most this many, 1 to 10,000. Their payloads come along: ask for few where payloads are large
     * @throws QueueMisuseException when there is no such queue, or the limit or the time is out of bounds
     */
    List<ArchivedMessage> list(String queue, Instant from, Instant until, int limit);
}
