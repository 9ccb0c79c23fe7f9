package io.acidq.engine.enqueue;

import io.acidq.HeadDeath;
import io.acidq.QueueMisuseException;
import io.acidq.QueueNames;
import io.acidq.config.QueueConfig;
import io.acidq.store.QueueStore;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.telemetry.Telemetry;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** The queues that this process has used; what stands in a queue's row never changes, so it is read once. */
public final class QueueCatalog {

    private final QueueStore store;
    private final Map<String, QueueRow> rows = new ConcurrentHashMap<>();

    public QueueCatalog(QueueStore store) {
        this.store = store;
    }

    /** The queue of this name, created when it is new. */
    public QueueRow row(String name) {
        QueueRow known = rows.get(QueueNames.check(name));
        if (known != null) {
            return known;
        }
        QueueRow opened = store.openQueue(name);
        rows.put(name, opened);
        return opened;
    }

    /** The names of those that this process has used. */
    public Set<String> names() {
        return new TreeSet<>(rows.keySet());
    }

    /** Writes what an engine has set for queues, and is the same for all nodes. */
    public void write(Map<String, QueueConfig> settings, Telemetry telemetry) {
        settings.forEach((queue, config) -> {
            HeadDeath policy = config.onHeadDeath();
            if (policy != null && store.changeHeadDeath(row(queue), policy)) {
                telemetry.headDeathChanged(queue, policy);
            }
        });
    }

    /** The queue of this name, which must be there. */
    public QueueRow existing(String name) {
        QueueRow known = rows.get(QueueNames.check(name));
        return known != null
                ? known
                : store.findQueue(name)
                        .orElseThrow(() -> new QueueMisuseException("there is no queue '" + name
                                + "': nothing was ever enqueued to it, and no listener has served it"));
    }
}
