package io.acidq.admin;

import io.acidq.MessageId;
import io.acidq.QueueMisuseException;
import java.util.List;

/**
 * The audit log: who did what to messages and queues, when and why. Thread-safe. Each call is a short read transaction of its own, independent of a
 * transaction of the caller.
 */
public interface AuditLog {

    /** Returns all actions on one message, oldest first. */
    List<AuditEntry> of(MessageId id);

    /**
     * Returns the latest actions, newest first. A bulk action is one entry, regardless of the number of its messages.
     *
     * @param limit the maximum number of entries, 1 to 10,000
     * @throws QueueMisuseException when the limit is outside its bounds
     */
    List<AuditEntry> recent(int limit);
}
