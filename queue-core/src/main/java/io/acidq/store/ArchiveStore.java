package io.acidq.store;

import io.acidq.ArchivedMessage;
import io.acidq.store.QueueStore.QueueRow;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Done messages that are kept. Written by {@link ClaimStore#archiveIfClaimed}; read here, each read a short transaction of its own. */
public interface ArchiveStore {

    /** The done message of this queue and number, if it is kept. */
    Optional<ArchivedMessage> find(QueueRow queue, UUID uid);

    /** Those done from an instant on and before another, the oldest first. */
    List<ArchivedMessage> list(QueueRow queue, Instant from, Instant until, int limit);
}
