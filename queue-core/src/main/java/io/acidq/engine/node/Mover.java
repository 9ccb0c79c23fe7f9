package io.acidq.engine.node;

import io.acidq.config.EngineConfig;
import io.acidq.engine.duty.Duty;
import io.acidq.engine.duty.Signals;
import io.acidq.engine.duty.Stillness;
import io.acidq.engine.duty.Stillness.Moment;
import io.acidq.store.Lane;
import io.acidq.store.ScheduleStore;
import io.acidq.store.ScheduleStore.Moved;
import java.time.Duration;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Brings due messages into the hot table, whatever their queue: every engine moves for all. While nobody commits anything it need not ask what is
 * scheduled before the first one is due.
 */
public final class Mover implements Duty {

    private final ScheduleStore schedule;
    private final EngineConfig config;
    private final Signals signals;
    private final Stillness stillness;
    private Moment asked = Moment.NEVER;
    private volatile boolean scheduledHere;

    /** How long after it was asked the next message is due; null when none waited. */
    private @Nullable Duration next;

    public Mover(ScheduleStore schedule, EngineConfig config, Signals signals, Stillness stillness) {
        this.schedule = schedule;
        this.config = config;
        this.signals = signals;
        this.stillness = stillness;
    }

    @Override
    public String name() {
        return "mover";
    }

    /** A message was scheduled here: what was due next may not be so any more. */
    public void scheduled() {
        scheduledHere = true;
    }

    @Override
    public Duration runOnce() {
        if (!scheduledHere
                && stillness.lastsSince(asked)
                && (next == null || stillness.since(asked).compareTo(next) < 0)) {
            return sleep(next == null ? null : next.minus(stillness.since(asked)));
        }
        scheduledHere = false; // before the question: what is scheduled after it is asked for again
        Moment now = stillness.moment();
        asked = Moment.NEVER;
        Moved moved = schedule.moveDue();
        moved.lanes().stream()
                .collect(Collectors.groupingBy(Lane::queue, Collectors.mapping(Lane::lane, Collectors.toSet())))
                .forEach(signals::work);
        next = moved.nextDue();
        asked = now;
        return sleep(next);
    }

    private Duration sleep(@Nullable Duration untilNext) {
        if (untilNext == null) {
            return config.pollMax().multipliedBy(2); // nothing waits; whoever schedules something here wakes it
        }
        return untilNext.compareTo(config.pollMax()) > 0 ? config.pollMax() : untilNext;
    }
}
