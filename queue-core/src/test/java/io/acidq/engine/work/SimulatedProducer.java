package io.acidq.engine.work;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues the messages of one ordering key, one transaction after the other, or messages without one. What it has inserted has its place
 * and is seen when it commits: others with higher ids may commit before.
 */
final class SimulatedProducer {

    private static final int MESSAGES = 4;
    private static final int LONGEST_DELAY_MILLIS = 3_000;

    private final SimulatedTables tables;
    private final @Nullable String orderKey;
    private final List<SimulatedRow> open = new ArrayList<>();
    private int seq;

    SimulatedProducer(SimulatedTables tables, @Nullable String orderKey) {
        this.tables = tables;
        this.orderKey = orderKey;
    }

    boolean isDone() {
        return seq >= MESSAGES && open.isEmpty();
    }

    /** Inserts some, or ends the transaction. */
    void step() {
        Random random = tables.random;
        if (open.isEmpty() && seq < MESSAGES) {
            for (int left = 1 + random.nextInt(2); left > 0; left--) {
                open.add(insert(random));
            }
        } else if (!open.isEmpty()) {
            if (random.nextInt(10) > 0) {
                open.forEach(this::commit);
            }
            open.clear();
        }
    }

    private SimulatedRow insert(Random random) {
        int lane = orderKey == null ? random.nextInt(Simulation.LANES) : Math.floorMod(orderKey.hashCode(), 2);
        UUID uid = new UUID(random.nextLong(), random.nextLong());
        SimulatedRow row = new SimulatedRow(uid, lane, orderKey, seq++, tables.now.getAsLong());
        row.id = tables.nextId();
        if (orderKey == null && random.nextBoolean()) {
            row.dueAt += random.nextInt(LONGEST_DELAY_MILLIS) * 1_000_000L;
        }
        return row;
    }

    private void commit(SimulatedRow row) {
        tables.auditor.enqueued(row);
        if (row.dueAt > row.enqueuedAt) {
            tables.scheduled.add(row);
        } else {
            tables.toHot(row, row.id);
        }
    }
}
