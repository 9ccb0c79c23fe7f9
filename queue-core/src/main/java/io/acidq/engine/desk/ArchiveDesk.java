package io.acidq.engine.desk;

import io.acidq.Archive;
import io.acidq.ArchivedMessage;
import io.acidq.MessageId;
import io.acidq.QueueMisuseException;
import io.acidq.engine.enqueue.QueueCatalog;
import io.acidq.store.ArchiveStore;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** What operators read of what is done. */
public record ArchiveDesk(ArchiveStore store, QueueCatalog catalog) implements Archive {

    private static final int MOST = 10_000;
    private static final Instant EARLIEST = Instant.parse("1970-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");

    @Override
    public Optional<ArchivedMessage> find(MessageId id) {
        Objects.requireNonNull(id, "id");
        return store.find(catalog.existing(id.queue()), id.uid());
    }

    @Override
    public List<ArchivedMessage> list(String queue, Instant from, Instant until, int limit) {
        if (limit < 1 || limit > MOST) {
            throw new QueueMisuseException(
                    "the limit of a list of the archive must be 1 to " + MOST + ", was " + limit);
        }
        if (from.isBefore(EARLIEST) || until.isAfter(LATEST)) {
            throw new QueueMisuseException("the times of a list of the archive must lie between 1970 and 9999, were "
                    + from + " and " + until);
        }
        return store.list(catalog.existing(queue), from, until, limit);
    }
}
