package io.acidq.engine.work;

import io.acidq.store.ClaimedMessage;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Messages that share no transaction with others in this node any more, the latest thousand of them. Thread-safe. */
final class Apart {

    private static final int MOST = 1000;

    private final Set<UUID> uids = new LinkedHashSet<>();

    synchronized void add(List<ClaimedMessage> messages) {
        messages.forEach(m -> uids.add(m.uid()));
        Iterator<UUID> oldest = uids.iterator();
        while (uids.size() > MOST) {
            oldest.next();
            oldest.remove();
        }
    }

    synchronized boolean holdsAnyOf(List<ClaimedMessage> messages) {
        return !uids.isEmpty() && messages.stream().anyMatch(m -> uids.contains(m.uid()));
    }

    synchronized void forget(ClaimedMessage message) {
        uids.remove(message.uid());
    }
}
