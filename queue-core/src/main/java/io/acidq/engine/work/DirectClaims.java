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
    private final Deque<Expected> expected = new ArrayDeque<>();
    private boolean closed;

    DirectClaims(QueueParts parts, NodeParts node, IntSupplier workers) {
        this.parts = parts;
        this.node = node;
        this.workers = workers;
    }

    @Override
    public synchronized FreeWorkers.@Nullable Place reserve() {
        int owner = node.heart().node();
        if (closed || owner == 0 || !node.heart().isFresh() || parts.isPaused() || !isAnyFree()) {
            return null;
        }
        Expected place = new Expected(owner, node.nanoTime().getAsLong());
        expected.add(place);
        return place;
    }

    private boolean isAnyFree() {
        long now = node.nanoTime().getAsLong();
        while (!expected.isEmpty() && now - expected.getFirst().since > LONGEST.toNanos()) {
            expected.removeFirst().forget();
        }
        int free = parts.buffer().free(workers.getAsInt()) - expected.size();
        return free > 0 && parts.guards().stop() == null && parts.guards().room(1, 0) > 0;
    }

    /** No more from now on; waits for those whose transactions are about to end. */
    synchronized void close(Duration patience) throws InterruptedException {
        closed = true;
        long end = System.nanoTime() + patience.toNanos();
        for (long left = patience.toMillis(); left > 0 && !expected.isEmpty(); ) {
            wait(left);
            left = Duration.ofNanos(end - System.nanoTime()).toMillis();
        }
    }

    private synchronized void remove(Expected place) {
        expected.remove(place);
        notifyAll();
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
            parts.buffer().expect(claim);
        }

        @Override
        public void handOver() {
            ClaimedMessage committed = message;
            if (committed != null && over.compareAndSet(false, true)) {
                if (!parts.buffer().deliver(committed)) {
                    node.reconcile().run();
                }
                remove(this);
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
                parts.buffer().forget(lost.claim());
            }
        }
    }
}
