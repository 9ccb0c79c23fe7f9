package io.acidq.store;

import io.acidq.AuditEntry;
import java.util.List;
import java.util.UUID;

/** What operators have done. Written by the transactions that do it; read here, each read a short transaction of its own. */
public interface AuditStore {

    /** All that was done to a message, the oldest first. */
    List<AuditEntry> of(UUID uid);

    /** The newest first, without the single messages of bulk actions. */
    List<AuditEntry> recent(int limit);
}
