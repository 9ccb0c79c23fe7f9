package io.acidq.spring;

import io.acidq.AuditEntry;
import io.acidq.AuditLog;
import io.acidq.MessageId;
import io.acidq.engine.Engine;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;

/**
 * The audit log of an engine that may not be built yet.
 *
 * @param engine the engine, asked for at each call
 */
record LateAuditLog(ObjectProvider<Engine> engine) implements AuditLog {

    @Override
    public List<AuditEntry> of(MessageId id) {
        return engine.getObject().audit().of(id);
    }

    @Override
    public List<AuditEntry> recent(int limit) {
        return engine.getObject().audit().recent(limit);
    }
}
