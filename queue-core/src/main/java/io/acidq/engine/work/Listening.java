package io.acidq.engine.work;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One listener of a running engine: its queue runs, stops, and runs again. Its monitor is held for no longer than threads take to start:
 * a stop waits outside of it. Thread-safe.
 */
final class Listening {

    private final Standing standing;
    private final Supplier<QueueRun> fresh;
    private final Collection<MessageBuffer> buffers;
    private volatile @Nullable QueueRun run;
    private boolean over;

    /**
     * Stopped at first.
     *
     * @param fresh   makes the run of its queue, each time anew
     * @param buffers what the node knows it has claimed, of all queues
     */
    Listening(Standing standing, Supplier<QueueRun> fresh, Collection<MessageBuffer> buffers) {
        this.standing = standing;
        this.fresh = fresh;
        this.buffers = buffers;
    }

    /** Null when it does not run. Waits for nobody: the heart asks. */
    @Nullable
    QueueRun run() {
        return run;
    }

    /** Starts it when it is wanted and does not run; never after {@link #over}. */
    synchronized void startIfWanted() {
        if (over || run != null || !standing.isWanted()) {
            return;
        }
        QueueRun starting = made();
        try {
            starting.start();
        } catch (Throwable e) { // no thread is to be had: what has started must not look like a listener that runs
            run = null;
            abandon(starting);
            throw e;
        }
    }

    private QueueRun made() {
        QueueRun made = fresh.get();
        buffers.add(made.buffer()); // before the first claim: the reconciler gives back what no buffer knows
        run = made;
        return made;
    }

    private void abandon(QueueRun begun) {
        try {
            Stopping.stop(List.of(begun), Duration.ZERO);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            buffers.remove(begun.buffer());
        }
    }

    /** Without threads: what runs of it, for whoever steps it. */
    synchronized QueueRun runByHand() {
        return run == null ? made() : run;
    }

    /** The engine stops: it starts no more. */
    synchronized void over() {
        over = true;
    }

    /** A stop has come to its end. Whoever asked for a start meanwhile gets it now. */
    synchronized void ended(QueueRun stopped) {
        if (run == stopped) {
            run = null;
            buffers.remove(stopped.buffer());
            startIfWanted();
        }
    }
}
