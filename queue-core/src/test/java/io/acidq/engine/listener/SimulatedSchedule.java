package io.acidq.engine.listener;

import io.acidq.store.Lane;
import io.acidq.store.MaintenanceStore.Moved;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/** The messages of the simulated store that are not due yet. */
final class SimulatedSchedule {

    private final SimulatedTables tables;

    SimulatedSchedule(SimulatedTables tables) {
        this.tables = tables;
    }

    Moved moveDue() {
        long now = tables.now.getAsLong();
        tables.scheduled.sort(Comparator.comparingLong(r -> r.dueAt));
        List<SimulatedRow> due =
                tables.scheduled.stream().filter(r -> r.dueAt <= now).toList();
        due.forEach(r -> tables.toHot(r, tables.nextId()));
        tables.scheduled.removeAll(due);
        List<Lane> lanes = due.stream()
                .map(r -> new Lane(SimulatedRow.QUEUE, r.lane))
                .distinct()
                .toList();
        Duration next = tables.scheduled.isEmpty() ? null : Duration.ofNanos(tables.scheduled.get(0).dueAt - now);
        return new Moved(lanes, next);
    }
}
