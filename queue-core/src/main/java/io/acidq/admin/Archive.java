package io.acidq.admin;

import io.acidq.MessageId;
import io.acidq.QueueMisuseException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The archive: done messages of those queues that keep them for some time ({@code QueueConfig.withArchiveRetention}). A message is in the archive if
 * and only if the transaction of its handler committed. Thread-safe. Each call is a short read transaction of its own, independent of a transaction of
 * the caller.
 */
public interface Archive {

    /**
     * Returns a done message that is still kept.
     *
     * @throws QueueMisuseException when the queue does not exist
     */
    Optional<ArchivedMessage> find(MessageId id);

    /**
     * Lists messages of a queue that were done in a time range, oldest first.
     *
     * @param since  the start of the range, inclusive, by the database's clock
     * @param until the end of the range, exclusive
     * @param limit the maximum number of messages, 1 to 10,000. Their payloads are read too: use a low limit where payloads are large
     * @throws QueueMisuseException when the queue does not exist, or the limit or a time is outside its bounds
     */
    List<ArchivedMessage> list(String queue, Instant since, Instant until, int limit);

    /**
     * A done message in the {@link Archive}.
     *
     * @param id          the id of the message
     * @param key         its message key
     * @param orderingKey its ordering key
     * @param type        the logical name of the payload's type
     * @param payload     the encoded payload
     * @param headers     the headers; empty when the stored text cannot be read
     * @param attempts    the attempts that counted, including the successful one
     * @param crashes     the runs that ended with a crash of their process
     * @param enqueuedAt  when it was enqueued, by the database's clock
     * @param doneAt      when it was done, by the database's clock
     */
    record ArchivedMessage(
            MessageId id,
            Optional<String> key,
            Optional<String> orderingKey,
            String type,
            byte[] payload,
            Map<String, String> headers,
            int attempts,
            int crashes,
            Instant enqueuedAt,
            Instant doneAt) {}
}
