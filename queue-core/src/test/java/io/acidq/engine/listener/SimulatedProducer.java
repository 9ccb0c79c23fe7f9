package io.acidq.engine.listener;

import io.acidq.engine.enqueue.LocalWorkers;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.MessageRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A producer that enqueues the messages of one ordering key, or messages without one, in one transaction after the
 * other. A message gets its id at the insert and becomes visible at the commit, so messages with higher ids may be
 * visible before. A message without an ordering key is claimed for a node with an idle worker, which may or may not
 * receive it after the commit.
 */
final class SimulatedProducer {

    private static final int MESSAGES = 4;
    private static final int LONGEST_DELAY_MILLIS = 3_000;

    private final SimulatedTables tables;
    private final @Nullable String orderingKey;
    private final Supplier<LocalWorkers.Reserver> reservers;
    private final List<SimulatedRow> open = new ArrayList<>();
    private final Map<SimulatedRow, LocalWorkers.Reservation> reservations = new HashMap<>();
    private int seq;

    SimulatedProducer(SimulatedTables tables, @Nullable String orderingKey, Supplier<LocalWorkers.Reserver> reservers) {
        this.tables = tables;
        this.orderingKey = orderingKey;
        this.reservers = reservers;
    }

    boolean isDone() {
        return seq >= MESSAGES && open.isEmpty();
    }

    /** Inserts some messages, or ends the transaction. */
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
            open.forEach(row -> reportOutcome(row, random));
            open.clear();
        }
    }

    private SimulatedRow insert(Random random) {
        int lane = orderingKey == null ? random.nextInt(Simulation.LANES) : Math.floorMod(orderingKey.hashCode(), 2);
        UUID uid = new UUID(random.nextLong(), random.nextLong());
        SimulatedRow row = new SimulatedRow(uid, lane, orderingKey, seq++, tables.now.getAsLong());
        row.id = tables.nextId();
        if (orderingKey == null && random.nextBoolean()) {
            row.dueAt += random.nextInt(LONGEST_DELAY_MILLIS) * 1_000_000L;
        } else if (orderingKey == null) {
            claim(row);
        }
        return row;
    }

    private void claim(SimulatedRow row) {
        LocalWorkers.Reservation reservation = reservers.get().reserve();
        if (reservation != null) {
            row.claim(reservation.node(), ClaimedMessage.DIRECT_BATCH);
            MessageRow inserted =
                    new MessageRow(SimulatedRow.QUEUE, row.lane, row.uid, null, null, "type", "", new byte[0], Due.NOW);
            reservation.inserted(row.claim(), inserted);
            reservations.put(row, reservation);
        }
    }

    /**
     * Reports most results correctly, some as unknown, some not at all, and some as a commit although a savepoint was
     * rolled back.
     */
    private void reportOutcome(SimulatedRow row, Random random) {
        LocalWorkers.Reservation reservation = reservations.remove(row);
        if (reservation != null) {
            boolean committed = tables.hot.containsKey(row.id);
            int dice = random.nextInt(10);
            if (dice > 1 == committed) {
                reservation.handOver();
            } else if (dice > 0) {
                reservation.release();
            }
        }
    }

    private void commit(SimulatedRow row) {
        tables.simulationAuditor.enqueued(row);
        if (row.dueAt > row.enqueuedAt) {
            tables.scheduled.add(row);
        } else {
            tables.toHot(row, row.id);
        }
    }
}
