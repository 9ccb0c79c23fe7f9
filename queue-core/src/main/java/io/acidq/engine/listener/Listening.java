package io.acidq.engine.listener;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One listener of a running engine: its queue runs, stops, and runs again. Its monitor is held for no longer than threads take to start:
 * a stop waits outside of it. Thread-safe.
 */
public final class Listening {

    private final ListenerState listenerState;
    private final Supplier<ListenerContainer> fresh;
    private final Collection<MessageBuffer> buffers;
    private volatile @Nullable ListenerContainer run;
    private boolean over;

    /**
     * Stopped at first.
     *
     * @param fresh   makes the run of its queue, each time anew
     * @param buffers what the node knows it has claimed, of all queues
     */
    public Listening(
            ListenerState listenerState, Supplier<ListenerContainer> fresh, Collection<MessageBuffer> buffers) {
        this.listenerState = listenerState;
        this.fresh = fresh;
        this.buffers = buffers;
    }

    /** Null when it does not run. Waits for nobody: the heart asks. */
    public @Nullable ListenerContainer run() {
        return run;
    }

    /** Starts it when it is wanted and does not run; never after {@link #over}. */
    public synchronized void startIfWanted() {
        if (over || run != null || !listenerState.isWanted()) {
            return;
        }
        ListenerContainer starting = made();
        try {
            starting.start();
        } catch (Throwable e) { // no thread is to be had: what has started must not look like a listener that runs
            run = null;
            abandon(starting);
            throw e;
        }
    }

    private ListenerContainer made() {
        ListenerContainer made = fresh.get();
        buffers.add(made.buffer()); // before the first claim: the reconciler gives back what no buffer knows
        run = made;
        return made;
    }

    private void abandon(ListenerContainer begun) {
        try {
            Stopping.stop(List.of(begun), Duration.ZERO);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            buffers.remove(begun.buffer());
        }
    }

    /** Without threads: what runs of it, for whoever steps it. */
    public synchronized ListenerContainer runByHand() {
        return run == null ? made() : run;
    }

    /** The engine stops: it starts no more. */
    public synchronized void over() {
        over = true;
    }

    /** A stop has come to its end. Whoever asked for a start meanwhile gets it now. */
    public synchronized void ended(ListenerContainer stopped) {
        if (run == stopped) {
            run = null;
            buffers.remove(stopped.buffer());
            startIfWanted();
        }
    }
}
