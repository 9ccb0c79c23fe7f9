package io.acidq.engine.desk;

import io.acidq.AuditEntry;
import io.acidq.AuditLog;
import io.acidq.MessageId;
import io.acidq.QueueMisuseException;
import io.acidq.store.AuditStore;
import java.util.List;
import java.util.Objects;

/** What operators read of what operators did. */
public record AuditDesk(AuditStore store) implements AuditLog {

    private static final int MOST = 10_000;

    @Override
    public List<AuditEntry> of(MessageId id) {
        return store.of(Objects.requireNonNull(id, "id").uid());
    }

    @Override
    public List<AuditEntry> recent(int limit) {
        if (limit < 1 || limit > MOST) {
            throw new QueueMisuseException("the limit of recent actions must be 1 to " + MOST + ", was " + limit);
        }
        return store.recent(limit);
    }
}
