package io.acidq.test;

import io.acidq.QueueMisuseException;
import io.acidq.engine.Engine;
import io.acidq.store.EnqueueStore;
import io.acidq.store.Store;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs enqueued messages right after the commit, on the committing thread, before the commit returns, so that a test of a controller sees their effects.
 * Messages of a transaction that is rolled back do not run. Exceptions of handlers do not reach the committing code, as in production; see {@link #result}.
 *
 * <p>Thread-safe. A commit can happen while another run or drain is active: by a handler, by a thread that a handler waits for, or beside a drain of the
 * test. That run then also processes the new messages before it ends, and the commit returns at once.
 */
public final class InlineProcessing {

    private static final DrainResult NOTHING = new DrainResult(List.of(), List.of(), List.of(), Optional.empty());

    private volatile @Nullable TestQueue queue;
    private DrainResult result = NOTHING;
    private @Nullable RuntimeException failure;

    /** Returns a store that reports commits to this object. Build the engine with it. */
    public Store over(Store store) {
        return new Store(
                store.transactions(),
                store.queues(),
                watched(store),
                store.claims(),
                store.nodes(),
                store.maintenance(),
                store.inbox(),
                store.dead(),
                store.inspection(),
                store.subscriptions(),
                store.recurring(),
                store.receipts(),
                store.history(),
                store.server());
    }

    /** Starts the processing with an engine that was built with {@link #over}. */
    public TestQueue start(Engine engine) {
        TestQueue started = TestQueue.of(engine);
        queue = started;
        return started;
    }

    /**
     * Returns the result of all runs since the last call.
     *
     * @throws RuntimeException if the processing itself failed, as opposed to a handler
     */
    public synchronized DrainResult result() {
        DrainResult all = result;
        result = NOTHING;
        RuntimeException failed = failure;
        failure = null;
        if (failed != null) {
            throw failed;
        }
        return all;
    }

    private EnqueueStore watched(Store store) {
        return EngineView.intercepted(EnqueueStore.class, store.enqueue(), (method, args, call) -> {
            Object result = call.proceed();
            if (method.equals("insert")) {
                store.transactions().afterCommit(this::run);
            }
            return result;
        });
    }

    /** Does not hold the monitor while handlers run, because a handler can wait for another thread that commits. */
    private void run() {
        TestQueue started = queue;
        if (started == null) {
            failed(new QueueMisuseException("a message was enqueued before InlineProcessing.start, and has not run"));
        } else {
            try {
                started.drainCommitted().ifPresent(this::add);
            } catch (RuntimeException e) {
                failed(e);
                throw e;
            }
        }
    }

    private synchronized void add(DrainResult more) {
        result = result.and(more);
    }

    private synchronized void failed(RuntimeException e) {
        failure = e;
    }
}
