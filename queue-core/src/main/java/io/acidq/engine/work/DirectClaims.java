package io.acidq.engine.work;

import io.acidq.engine.enqueue.FreeWorkers;
import io.acidq.engine.node.NodeParts;
import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.MessageRow;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Claims of one queue that enqueues of this process make for its free workers. The worker reads the message by its claim before anything else: of
 * a message whose enqueue was taken back it finds nothing. What is not handed over for whatever reason, the reconciler gives back. Thread-safe.
 */
final class DirectClaims implements FreeWorkers.Desk {

    /** A transaction that has not ended by then is not counted on any more; its message may still come. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final QueueParts parts;
    private final NodeParts node;
    private final IntSupplier workers;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition fewer = lock.newCondition();
    private final Deque<Expected> expected = new ArrayDeque<>();
    private boolean closed;

    DirectClaims(QueueParts parts, NodeParts node, IntSupplier workers) {
        this.parts = parts;
        this.node = node;
        this.workers = workers;
    }

    @Override
    public FreeWorkers.@Nullable Place reserve() {
        int owner = node.heart().node();
        boolean mayStart = owner != 0 && node.heart().isFresh() && !parts.isPaused();
        if (!mayStart || parts.guards().stop() != null || parts.guards().room(1, 0) == 0) {
            return null;
        }
        lock.lock();
        try {
            forgetOld();
            if (closed || parts.buffer().free(workers.getAsInt()) <= expected.size()) {
                return null;
            }
            Expected place = new Expected(owner, node.nanoTime().getAsLong());
            expected.add(place);
            return place;
        } finally {
            lock.unlock();
        }
    }

    /** What has not come for so long is not expected any more: if it is there, the reconciler gives it back. */
    private void forgetOld() {
        long now = node.nanoTime().getAsLong();
        while (!expected.isEmpty() && now - expected.getFirst().since > LONGEST.toNanos()) {
            expected.removeFirst().forget();
        }
    }

    /** No more from now on; waits for those whose transactions are about to end. */
    void close(Duration patience) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            closed = true;
            long left = patience.toNanos();
            while (left > 0 && !expected.isEmpty()) {
                left = fewer.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** For it, or for what would be claimed in advance. */
    private boolean isRoom() {
        return parts.buffer().free(workers.getAsInt()) > 0 || parts.room() > 0;
    }

    private boolean isExpected(Expected place) {
        lock.lock();
        try {
            return expected.contains(place);
        } finally {
            lock.unlock();
        }
    }

    private void remove(Expected place) {
        lock.lock();
        try {
            expected.remove(place);
            fewer.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private final class Expected implements FreeWorkers.Place {

        private final int owner;
        private final long since;
        private final AtomicBoolean over = new AtomicBoolean();
        private volatile @Nullable ClaimedMessage message;

        Expected(int owner, long since) {
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
                    ClaimedMessage.DIRECT,
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
            parts.buffer().announced().add(claim, since + LONGEST.toNanos());
        }

        @Override
        public void handOver() {
            ClaimedMessage committed = message;
            if (committed != null && over.compareAndSet(false, true)) {
                boolean delivered =
                        isExpected(this) && isRoom() && parts.buffer().deliver(committed);
                forget();
                remove(this);
                if (!delivered) { // it came late, or the workers have enough to do by now: any node may have it
                    node.reconcile().run();
                }
            }
        }

        @Override
        public void free() {
            if (over.compareAndSet(false, true)) {
                forget();
                remove(this);
            }
        }

        private void forget() {
            ClaimedMessage lost = message;
            if (lost != null) {
                parts.buffer().announced().forget(lost.claim());
            }
        }
    }
}
