package io.acidq.engine.admin;

import io.acidq.InputChecks;
import io.acidq.MessageId;
import io.acidq.admin.Archive;
import io.acidq.engine.enqueue.QueueRegistry;
import io.acidq.store.InspectionStore;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Reads the archive. Thread-safe. */
public final class ArchiveReader implements Archive {

    private static final int MAX_MESSAGES = 10_000;

    private final InspectionStore store;
    private final QueueRegistry queues;

    public ArchiveReader(InspectionStore store, QueueRegistry queues) {
        this.store = store;
        this.queues = queues;
    }

    @Override
    public Optional<ArchivedMessage> find(MessageId id) {
        Objects.requireNonNull(id, "id");
        return store.findArchived(queues.existing(id.queue()), id.uid());
    }

    @Override
    public List<ArchivedMessage> list(String queue, Instant since, Instant until, int limit) {
        InputChecks.checkLimit("a list of the archive", limit, MAX_MESSAGES);
        InputChecks.checkTime("start of a list of the archive", Objects.requireNonNull(since, "since"));
        InputChecks.checkTime("end of a list of the archive", Objects.requireNonNull(until, "until"));
        return store.listArchived(queues.existing(queue), since, until, limit);
    }
}
