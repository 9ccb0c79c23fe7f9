package io.acidq.engine.node;

import io.acidq.config.EngineConfig;
import io.acidq.engine.duty.Duty;
import io.acidq.engine.duty.Signals;
import io.acidq.store.Lane;
import io.acidq.store.ScheduleStore;
import io.acidq.store.ScheduleStore.Moved;
import java.time.Duration;
import java.util.stream.Collectors;

/** Brings due messages into the hot table, whatever their queue: every engine moves for all. */
public final class Mover implements Duty {

    private final ScheduleStore schedule;
    private final EngineConfig config;
    private final Signals signals;

    public Mover(ScheduleStore schedule, EngineConfig config, Signals signals) {
        this.schedule = schedule;
        this.config = config;
        this.signals = signals;
    }

    @Override
    public String name() {
        return "mover";
    }

    @Override
    public Duration runOnce() {
        Moved moved = schedule.moveDue();
        moved.lanes().stream()
                .collect(Collectors.groupingBy(Lane::queue, Collectors.mapping(Lane::lane, Collectors.toSet())))
                .forEach(signals::work);
        Duration next = moved.nextDue();
        if (next == null) {
            return config.pollMax().multipliedBy(2); // nothing waits; whoever schedules something here wakes it
        }
        return next.compareTo(config.pollMax()) > 0 ? config.pollMax() : next;
    }
}
