package io.acidq.engine.desk;

import io.acidq.BulkAction;
import io.acidq.QueueControl;
import io.acidq.engine.enqueue.QueueCatalog;
import io.acidq.engine.guard.Pauses;
import io.acidq.store.QueueStore;
import io.acidq.store.QueueStore.QueueRow;
import java.util.List;

/** What operators do to whole queues. */
public final class ControlDesk implements QueueControl {

    private final QueueStore store;
    private final QueueCatalog catalog;
    private final Pauses pauses;

    public ControlDesk(QueueStore store, QueueCatalog catalog, Pauses pauses) {
        this.store = store;
        this.catalog = catalog;
        this.pauses = pauses;
    }

    /** One at a time, so that this engine learns of two in the order in which the database did. */
    @Override
    public synchronized boolean pause(String queue, String who, String why) {
        BulkAction named = BulkAction.by(who, why); // checked as a bulk action's are
        QueueRow row = catalog.existing(queue);
        pauses.acting();
        boolean changed = store.pauseIfRunning(row.id(), named.who(), named.why());
        if (changed) {
            pauses.acted(row, true);
        }
        return changed;
    }

    @Override
    public synchronized boolean resume(String queue, String who, String why) {
        BulkAction named = BulkAction.by(who, why);
        QueueRow row = catalog.existing(queue);
        pauses.acting();
        boolean changed = store.resumeIfPaused(row.id(), named.who(), named.why());
        if (changed) {
            pauses.acted(row, false);
        }
        return changed;
    }

    @Override
    public boolean isPaused(String queue) {
        return !store.paused(List.of(catalog.existing(queue).id())).isEmpty();
    }
}
