package io.acidq.engine.listener;

import io.acidq.Priority;
import io.acidq.engine.enqueue.LocalWorkers;
import io.acidq.engine.guard.StartGuards;
import io.acidq.engine.node.NodeContext;
import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.EnqueueStore.MessageRow;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The hand-off of messages of one queue from enqueues in this process to its idle workers. The enqueue inserts the
 * message as claimed, which saves the claim transaction. The worker first reads the message by its claim: if the
 * enqueue was rolled back, it finds none. The reconciler requeues a message that was not handed over for any reason.
 * Thread-safe.
 */
final class DirectHandoff implements LocalWorkers.Reserver {

    /** A reservation of a transaction that takes longer expires; its message may still arrive. */
    private static final Duration MAX_RESERVATION = Duration.ofSeconds(10);

    private final MessageBuffer buffer;
    private final PrefetchPolicy prefetch;
    private final StartGuards guards;
    private final BooleanSupplier paused;
    private final NodeContext node;
    private final IntSupplier workers;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition reservationEnded = lock.newCondition();
    private final Deque<ReservedWorker> reserved = new ArrayDeque<>();
    private boolean closed;

    DirectHandoff(
            MessageBuffer buffer,
            PrefetchPolicy prefetch,
            StartGuards guards,
            BooleanSupplier paused,
            NodeContext node,
            IntSupplier workers) {
        this.buffer = buffer;
        this.prefetch = prefetch;
        this.guards = guards;
        this.paused = paused;
        this.node = node;
        this.workers = workers;
    }

    @Override
    public LocalWorkers.@Nullable Reservation reserve() {
        int owner = node.heartbeat().node();
        boolean mayStart = owner != 0 && node.heartbeat().isFresh() && !paused.getAsBoolean();
        if (!mayStart || guards.stoppingGuard() != null || guards.freeCapacity(1, 0) == 0) {
            return null;
        }
        lock.lock();
        try {
            removeExpired();
            if (closed || buffer.idleWorkers(workers.getAsInt()) <= reserved.size()) {
                return null;
            }
            ReservedWorker reservation =
                    new ReservedWorker(owner, node.nanoTime().getAsLong());
            reserved.add(reservation);
            return reservation;
        } finally {
            lock.unlock();
        }
    }

    /** Drops reservations that are too old. If such a message is committed later, the reconciler requeues it. */
    private void removeExpired() {
        long now = node.nanoTime().getAsLong();
        while (!reserved.isEmpty() && now - reserved.getFirst().since > MAX_RESERVATION.toNanos()) {
            reserved.removeFirst().forget();
        }
    }

    /** Stops reserving workers, and waits for the end of the transactions that have reserved one. */
    void close(Duration timeout) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            closed = true;
            long left = timeout.toNanos();
            while (left > 0 && !reserved.isEmpty()) {
                left = reservationEnded.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether a worker is idle, or the buffer has capacity for another waiting message. */
    private boolean hasCapacity() {
        return buffer.idleWorkers(workers.getAsInt()) > 0 || prefetch.freeCapacity(buffer, guards, Priority.NORMAL) > 0;
    }

    private boolean isReserved(ReservedWorker reservation) {
        lock.lock();
        try {
            return reserved.contains(reservation);
        } finally {
            lock.unlock();
        }
    }

    private void remove(ReservedWorker reservation) {
        lock.lock();
        try {
            reserved.remove(reservation);
            reservationEnded.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The reservation of a worker for the message of one enqueue. */
    private final class ReservedWorker implements LocalWorkers.Reservation {

        private final int owner;
        private final long since;
        private final AtomicBoolean ended = new AtomicBoolean();
        private volatile @Nullable ClaimedMessage message;

        ReservedWorker(int owner, long since) {
            this.owner = owner;
            this.since = since;
        }

        @Override
        public int node() {
            return owner;
        }

        @Override
        public void inserted(Claim claim, MessageRow row) {
            message = ClaimedMessage.ofEnqueue(claim, row, node.nanoTime().getAsLong());
            buffer.announce(claim, since + MAX_RESERVATION.toNanos());
        }

        @Override
        public void handOver() {
            ClaimedMessage committed = message;
            if (committed != null && ended.compareAndSet(false, true)) {
                boolean delivered = isReserved(this) && hasCapacity() && buffer.deliver(committed);
                forget();
                remove(this);
                if (!delivered) { // it came too late, or the workers are busy by now
                    node.wakeReconciler();
                }
            }
        }

        @Override
        public void release() {
            if (ended.compareAndSet(false, true)) {
                forget();
                remove(this);
            }
        }

        private void forget() {
            ClaimedMessage inserted = message;
            if (inserted != null) {
                buffer.forgetAnnounced(inserted.claim());
            }
        }
    }
}
