package io.acidq.engine.desk;

import io.acidq.BlockedKey;
import io.acidq.BlockedKeys;
import io.acidq.BulkAction;
import io.acidq.QueueMisuseException;
import io.acidq.engine.duty.Signals;
import io.acidq.engine.enqueue.QueueCatalog;
import io.acidq.store.DeadLetterStore;
import io.acidq.store.DeadLetterStore.Deed;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.telemetry.Telemetry;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** What operators do with ordering keys that a dead letter holds up. */
public final class BlockedKeyDesk implements BlockedKeys {

    private static final int MOST = 1_000;

    private final DeadLetterStore store;
    private final QueueCatalog catalog;
    private final Signals signals;
    private final Telemetry telemetry;

    public BlockedKeyDesk(DeadLetterStore store, QueueCatalog catalog, Signals signals, Telemetry telemetry) {
        this.store = store;
        this.catalog = catalog;
        this.signals = signals;
        this.telemetry = telemetry;
    }

    @Override
    public List<BlockedKey> list(String queue, int limit) {
        if (limit < 1 || limit > MOST) {
            throw new QueueMisuseException("the limit of blocked keys must be 1 to " + MOST + ", was " + limit);
        }
        return store.blockedKeys(catalog.existing(queue), limit);
    }

    @Override
    public boolean release(BlockedKey seen, String who, String why) {
        BulkAction checked = BulkAction.by(who, why);
        Objects.requireNonNull(seen, "seen");
        QueueRow queue = catalog.existing(seen.head().queue());
        boolean won = store.find(queue, seen.head().uid())
                .filter(letter -> letter.isHolding() && letter.diedAt().equals(seen.since()))
                .map(letter -> store.releaseIfHolding(new Deed(checked.who(), checked.why(), null), letter))
                .map(acted -> acted.changed() == 1)
                .orElse(false);
        if (won) {
            signals.work(queue.id(), Set.of(seen.head().lane()));
            telemetry.released(seen.head(), seen.orderingKey(), checked.who());
        }
        return won;
    }
}
