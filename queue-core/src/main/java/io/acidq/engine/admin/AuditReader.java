package io.acidq.engine.admin;

import io.acidq.MessageId;
import io.acidq.admin.AuditLog;
import io.acidq.admin.AuditQuery;
import io.acidq.engine.enqueue.QueueRegistry;
import io.acidq.store.InspectionStore;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Reads the audit log. Thread-safe. */
public final class AuditReader implements AuditLog {

    private final InspectionStore store;
    private final QueueRegistry queues;

    public AuditReader(InspectionStore store, QueueRegistry queues) {
        this.store = store;
        this.queues = queues;
    }

    @Override
    public List<AuditEntry> of(MessageId id) {
        return store.auditOf(Objects.requireNonNull(id, "id").uid());
    }

    @Override
    public AuditSlice list(AuditQuery query) {
        String queue = Objects.requireNonNull(query, "query").queue();
        Integer number = queue == null ? null : queues.existing(queue).id();
        return store.listAudit(query, number, AuditQuery.MAX_SCANNED);
    }

    @Override
    public Optional<AuditEntry> find(long id) {
        return store.findAudit(id);
    }
}
