package io.acidq.engine.listener;

import io.acidq.DeadHeadPolicy;
import io.acidq.MessageId;
import io.acidq.admin.MessageFilter;
import io.acidq.admin.Operator;
import io.acidq.store.DeadLetterStore.OperatorAction;
import io.acidq.store.QueueStore;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The row of the one queue, with its pause. */
final class SimulatedQueues implements QueueStore {

    private final SimulatedTables tables;

    SimulatedQueues(SimulatedTables tables) {
        this.tables = tables;
    }

    @Override
    public List<StoredQueue> readQueues(Collection<Integer> queues) {
        return List.of(new StoredQueue(SimulatedRow.QUEUE, "q", tables.paused, 0, QueueStore.DIRECT_LANES, 0, 0));
    }

    @Override
    public boolean pauseIfRunning(int queue, Operator operator) {
        boolean won = !tables.paused;
        tables.paused = true;
        return won;
    }

    @Override
    public boolean resumeIfPaused(int queue, Operator operator) {
        boolean won = tables.paused;
        tables.paused = false;
        return won;
    }

    @Override
    public QueueRow openQueue(String name) {
        return new QueueRow(SimulatedRow.QUEUE, name, Simulation.LANES);
    }

    @Override
    public boolean changeDeadHeadPolicy(QueueRow queue, DeadHeadPolicy policy) {
        throw new UnsupportedOperationException("dead heads are skipped");
    }

    @Override
    public void openLanes(Collection<QueueRow> queues) {
        throw new UnsupportedOperationException("lanes need no rows");
    }

    @Override
    public void openPriorityLanes(QueueRow queue) {
        throw new UnsupportedOperationException("lanes need no rows");
    }

    @Override
    public void reopenPriorityLanes(QueueRow queue) {
        throw new UnsupportedOperationException("lanes need no rows");
    }

    @Override
    public Optional<QueueRow> findQueue(String name) {
        throw new UnsupportedOperationException("the queue is created by its name");
    }

    @Override
    public Cancellation cancel(QueueRow queue, MessageId id, Operator operator) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Cancellable> pickForCancel(QueueRow queue, MessageFilter filter, @Nullable Integer lane, int limit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CancelledMessages cancelAll(OperatorAction action, QueueRow queue, List<Cancellable> messages) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Set<UUID> cancelRequests() {
        return Set.of();
    }
}
