package io.acidq.engine.listener;

import io.acidq.engine.enqueue.LocalWorkers;
import io.acidq.engine.guard.StartGuards;
import io.acidq.engine.node.NodeContext;
import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.MessageRow;
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
 * The hand-off of messages of one queue from the enqueues of this process to its idle workers: the enqueue claims the message, which saves the
 * claim transaction. The worker reads the message by its claim before anything else: of a message whose enqueue was rolled back it finds nothing.
 * The reconciler requeues a message that was not handed over, whatever the reason. Thread-safe.
 */
final class DirectHandoff implements LocalWorkers.Reserver {

    /** A transaction that has not ended by then is not counted on any more; its message may still come. */
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
            ReservedWorker place = new ReservedWorker(owner, node.nanoTime().getAsLong());
            reserved.add(place);
            return place;
        } finally {
            lock.unlock();
        }
    }

    /** A message that has not come by now is not waited for any more: if it is there, the reconciler requeues it. */
    private void removeExpired() {
        long now = node.nanoTime().getAsLong();
        while (!reserved.isEmpty() && now - reserved.getFirst().since > MAX_RESERVATION.toNanos()) {
            reserved.removeFirst().forget();
        }
    }

    /** Reserves no worker from now on, and waits for the transactions that are about to end. */
    void close(Duration patience) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            closed = true;
            long left = patience.toNanos();
            while (left > 0 && !reserved.isEmpty()) {
                left = reservationEnded.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether a worker is idle, or the buffer has capacity for a message that waits. */
    private boolean hasCapacity() {
        return buffer.idleWorkers(workers.getAsInt()) > 0 || prefetch.freeCapacity(buffer, guards) > 0;
    }

    private boolean isReserved(ReservedWorker place) {
        lock.lock();
        try {
            return reserved.contains(place);
        } finally {
            lock.unlock();
        }
    }

    private void remove(ReservedWorker place) {
        lock.lock();
        try {
            reserved.remove(place);
            reservationEnded.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** A worker that waits for the message of one enqueue. */
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
            message = new ClaimedMessage(
                    claim,
                    ClaimedMessage.DIRECT_BATCH,
                    row.uid(),
                    row.key(),
                    null,
                    row.type(),
                    row.headers(),
                    null,
                    1,
                    0,
                    null,
                    null,
                    Duration.ZERO);
            buffer.announce(claim, since + MAX_RESERVATION.toNanos());
        }

        @Override
        public void handOver() {
            ClaimedMessage committed = message;
            if (committed != null && ended.compareAndSet(false, true)) {
                boolean delivered = isReserved(this) && hasCapacity() && buffer.deliver(committed);
                forget();
                remove(this);
                if (!delivered) { // it came late, or the workers have enough to do by now: any node may have it
                    node.reconcile().run();
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
            ClaimedMessage lost = message;
            if (lost != null) {
                buffer.forgetAnnounced(lost.claim());
            }
        }
    }
}
