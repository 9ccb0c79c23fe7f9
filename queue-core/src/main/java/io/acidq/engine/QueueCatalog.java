package io.acidq.engine;

import io.acidq.store.QueueStore;
import io.acidq.store.QueueStore.QueueRow;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The queues that this process has used; what stands in a queue's row never changes, so it is read once. */
final class QueueCatalog {

    private final QueueStore store;
    private final Map<String, QueueRow> rows = new ConcurrentHashMap<>();

    QueueCatalog(QueueStore store) {
        this.store = store;
    }

    QueueRow row(String name) {
        QueueRow known = rows.get(name);
        if (known != null) {
            return known;
        }
        QueueRow opened = store.openQueue(name);
        rows.put(name, opened);
        return opened;
    }
}
