package io.acidq.test;

import io.acidq.QueueMisuseException;
import io.acidq.engine.Engine;
import io.acidq.store.EnqueueStore;
import io.acidq.store.Store;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs what is enqueued right after the commit, on the committing thread, before the commit returns to its caller: so that a test of a controller sees
 * the effects. What is rolled back is never run. What handlers throw does not reach the committing code, as in production: see {@link #result}.
 *
 * <p>Thread-safe. What is committed while another run is under way, by a handler, by a thread that a handler waits for, or beside a drain of the test,
 * is run by that one before it ends, and its commit returns at once.
 */
public final class InlineProcessing {

    private static final DrainResult NOTHING = new DrainResult(List.of(), List.of(), List.of(), Optional.empty());

    private volatile @Nullable TestQueue queue;
    private DrainResult result = NOTHING;
    private @Nullable RuntimeException failure;

    /** A store over which the engine is to be built. */
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
                store.server());
    }

    /** Begins, with an engine over that store. */
    public TestQueue start(Engine engine) {
        TestQueue started = TestQueue.of(engine);
        queue = started;
        return started;
    }

    /**
     * What has been run since the last call.
     *
     * @throws RuntimeException when the running itself failed, and not a handler
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
        return (EnqueueStore) Proxy.newProxyInstance(
                EnqueueStore.class.getClassLoader(), new Class<?>[] {EnqueueStore.class}, (proxy, method, args) -> {
                    try {
                        Object result = method.invoke(store.enqueue(), args);
                        if (method.getName().equals("insert")) {
                            store.transactions().afterCommit(this::run);
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    /** Holds no monitor while handlers run, who may wait for other threads that commit. */
    private void run() {
        TestQueue started = queue;
        if (started == null) {
            failed(new QueueMisuseException("something was enqueued before Inline.start, and has not been run"));
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
