package io.acidq.engine;

import io.acidq.DeadLetter;
import io.acidq.DeadLetters;
import io.acidq.MessageId;
import io.acidq.QueueMisuseException;
import io.acidq.store.DeadLetterStore;
import java.util.List;
import java.util.Set;

/** What operators do with dead letters. */
final class DeadLetterDesk implements DeadLetters {

    private static final int LIST_LIMIT = 10_000;

    private final DeadLetterStore store;
    private final QueueCatalog catalog;
    private final Signals signals;

    DeadLetterDesk(DeadLetterStore store, QueueCatalog catalog, Signals signals) {
        this.store = store;
        this.catalog = catalog;
        this.signals = signals;
    }

    @Override
    public List<DeadLetter> list(String queue, int limit) {
        if (limit < 1 || limit > LIST_LIMIT) {
            throw new QueueMisuseException("the limit of a list must be 1 to " + LIST_LIMIT + ", was " + limit);
        }
        return store.list(catalog.existing(queue), limit);
    }

    @Override
    public boolean replay(MessageId id) {
        boolean won = store.replayIfDead(id.uid());
        if (won) {
            signals.work(catalog.existing(id.queue()).id(), Set.of(id.lane()));
        }
        return won;
    }

    @Override
    public boolean discard(MessageId id) {
        return store.discardIfDead(id.uid());
    }
}
