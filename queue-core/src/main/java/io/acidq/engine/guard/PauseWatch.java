package io.acidq.engine.guard;

import io.acidq.engine.duty.Duty;
import io.acidq.engine.duty.Stillness;
import io.acidq.engine.duty.Stillness.Moment;
import io.acidq.store.QueueStore;
import io.acidq.store.QueueStore.QueueRow;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** Learns which queues of the node operators elsewhere have paused and resumed: one read for all of them, and none while nobody commits anything. */
public final class PauseWatch implements Duty {

    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    private final QueueStore store;
    private final Pauses pauses;
    private final List<QueueRow> queues;
    private final List<Integer> ids;
    private final Stillness stillness;
    private Moment looked = Moment.NEVER;

    public PauseWatch(QueueStore store, Pauses pauses, Collection<QueueRow> queues, Stillness stillness) {
        this.store = store;
        this.pauses = pauses;
        this.queues = List.copyOf(queues);
        this.ids = queues.stream().map(QueueRow::id).toList();
        this.stillness = stillness;
    }

    @Override
    public String name() {
        return "pause-watch";
    }

    @Override
    public Duration runOnce() {
        if (stillness.lastsSince(looked)) {
            return BETWEEN_LOOKS;
        }
        Moment now = stillness.moment();
        long before = pauses.acts();
        pauses.read(queues, store.paused(ids), before);
        looked = now;
        return BETWEEN_LOOKS;
    }
}
