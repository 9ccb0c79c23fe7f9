package io.acidq.admin;

import io.acidq.MessageId;
import io.acidq.QueueMisuseException;
import java.util.List;

/**
 * Who has done what to messages, when, and why. Read in short transactions of its own, apart from any of the caller's. Thread-safe.
 */
public interface AuditLog {

    /** All that operators have done to one message, the oldest first. */
    List<AuditEntry> of(MessageId id);

    /**
     * What operators have done of late, the newest first. A bulk action is one entry, whatever the number of its messages.
     *
     * @param limit at most this many entries, 1 to 10,000
     * @throws QueueMisuseException when the limit is out of bounds
     */
    List<AuditEntry> recent(int limit);
}
