package io.acidq.engine.desk;

import io.acidq.Backlog;
import io.acidq.engine.enqueue.QueueCatalog;
import io.acidq.store.BacklogStore;
import io.acidq.store.BacklogStore.Counts;
import java.util.Optional;

/** Tells how much there is of a queue. */
public record BacklogDesk(BacklogStore store, QueueCatalog catalog) {

    public Backlog backlog(String queue) {
        int id = catalog.existing(queue).id();
        Counts counts = store.count(id, Backlog.MOST_COUNTED);
        return new Backlog(
                queue,
                counts.ready(),
                counts.running(),
                counts.waiting(),
                counts.scheduled(),
                counts.dead(),
                Optional.ofNullable(store.oldestUnclaimed(id)));
    }
}
