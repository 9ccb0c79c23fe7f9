package io.acidq.store;

import io.acidq.MessageContent;
import io.acidq.MessageId;
import io.acidq.MessageState;
import io.acidq.StoredMessage;
import io.acidq.store.QueueStore.QueueRow;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What lies in the tables, for people. Plain reads that lock nothing, each a short transaction of its own. */
public interface BrowseStore {

    /** The queues by name, at most so many. */
    List<QueueLook> queues(int most);

    /** The nodes that count as living, by number, at most so many. */
    List<LivingNode> living(int most);

    /**
     * Messages of a queue, those of one state or all; of the rows in its lanes only the first so many are looked at.
     *
     * @param lookedAt how many rows of the lanes, and of what is set aside, are looked at
     */
    List<StoredMessage> list(QueueRow queue, @Nullable MessageState state, int limit, int lookedAt);

    Optional<StoredMessage> find(QueueRow queue, MessageId id);

    /** The message that holds a message key, which need not be in a table any more. */
    Optional<MessageId> keyHolder(QueueRow queue, String key);

    Optional<MessageContent> content(QueueRow queue, MessageId id);

    /**
     * A queue of the dictionary.
     *
     * @param id its number in the other tables
     */
    record QueueLook(int id, String name, boolean paused) {}

    /**
     * A node that counts as living.
     *
     * @param node    its number
     * @param beats   how often it has beaten
     * @param host    where it runs, for people
     * @param version the version of AcidQ, for people
     * @param started when it registered
     * @param workers how many handlers it may run at once, by the number of the queue
     */
    record LivingNode(
            int node, long beats, String host, String version, Instant started, Map<Integer, Integer> workers) {}
}
