package io.acidq.engine.desk;

import io.acidq.DeadLetterFilter;
import io.acidq.MessageContent;
import io.acidq.MessageId;
import io.acidq.MessageState;
import io.acidq.Messages;
import io.acidq.QueueInfo;
import io.acidq.QueueMisuseException;
import io.acidq.StoredMessage;
import io.acidq.Why;
import io.acidq.engine.enqueue.QueueCatalog;
import io.acidq.store.BrowseStore;
import io.acidq.store.BrowseStore.LivingNode;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What operators read of what lies in the queues. */
public record BrowseDesk(BrowseStore store, QueueCatalog catalog) implements Messages {

    private static final int MOST = 10_000;
    private static final int MOST_NODES = 1_000;

    @Override
    public List<QueueInfo> queues(int limit) {
        check("queues", limit);
        List<LivingNode> nodes = store.living(MOST_NODES);
        return store.queues(limit).stream()
                .map(q -> new QueueInfo(
                        q.name(),
                        q.paused(),
                        nodes.stream()
                                .filter(n -> n.workers().containsKey(q.id()))
                                .map(n -> new Why.Node(n.node(), true, n.host(), Optional.of(n.started())))
                                .toList()))
                .toList();
    }

    @Override
    public List<StoredMessage> list(String queue, @Nullable MessageState state, int limit) {
        check("messages", limit);
        return store.list(catalog.existing(queue), state, limit, MOST_LOOKED_AT);
    }

    @Override
    public Optional<StoredMessage> find(MessageId id) {
        Objects.requireNonNull(id, "id");
        return store.find(catalog.existing(id.queue()), id);
    }

    @Override
    public Optional<StoredMessage> findByKey(String queue, String key) {
        DeadLetterFilter.of(queue)
                .withKey(Objects.requireNonNull(key, "key")); // checks it as any key that is looked for
        return store.keyHolder(catalog.existing(queue), key).flatMap(this::find);
    }

    @Override
    public Optional<MessageContent> content(MessageId id) {
        Objects.requireNonNull(id, "id");
        return store.content(catalog.existing(id.queue()), id);
    }

    private static void check(String what, int limit) {
        if (limit < 1 || limit > MOST) {
            throw new QueueMisuseException(
                    "the limit of a list of " + what + " must be 1 to " + MOST + ", was " + limit);
        }
    }
}
