package io.acidq.chaos.broken;

import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimStore.Claimed;
import io.acidq.store.MaintenanceStore;
import io.acidq.store.NodeStore;
import io.acidq.store.ServerStore;
import io.acidq.store.Store;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Freezes a node's tasks, like those of a stopped process: no heartbeat, claim or move. Running handlers continue. Thread-safe. */
final class NodeFreezer {

    private static final int ALL = 1000;
    private static final Set<String> CLAIMING = Set.of("claimDue", "lanesWithWork");

    private final Semaphore permits = new Semaphore(ALL, true);
    private final AtomicInteger claimed = new AtomicInteger();
    private final AtomicInteger emptyClaims = new AtomicInteger();
    private final AtomicInteger moves = new AtomicInteger();
    private boolean frozen;

    Store over(Store store) {
        ClaimStore claims = PortProxy.intercept(
                ClaimStore.class,
                store.claims(),
                (method, args, originalCall) ->
                        CLAIMING.contains(method) ? counted(whenNotFrozen(originalCall)) : originalCall.call());
        MaintenanceStore maintenance =
                PortProxy.intercept(MaintenanceStore.class, store.maintenance(), (method, args, originalCall) -> {
                    Object moved = whenNotFrozen(originalCall);
                    moves.incrementAndGet();
                    return moved;
                });
        NodeStore nodes = PortProxy.intercept(
                NodeStore.class, store.nodes(), (method, args, originalCall) -> whenNotFrozen(originalCall));
        // Disables the wait for commits, which would delay every stop.
        ServerStore server =
                PortProxy.replaceMethod(ServerStore.class, store.server(), "lastCommit", args -> Optional.empty());
        return PortProxy.withParts(store, claims, nodes, maintenance, server);
    }

    private Object whenNotFrozen(PortProxy.OriginalCall originalCall) throws Throwable {
        permits.acquire();
        try {
            return originalCall.call();
        } finally {
            permits.release();
        }
    }

    private Object counted(Object result) {
        if (result instanceof Claimed brought) {
            claimed.addAndGet(brought.messages().size());
            emptyClaims.addAndGet(brought.messages().isEmpty() ? 1 : 0);
        }
        return result;
    }

    /** Returns when no task uses the database any more. */
    synchronized void freeze() throws InterruptedException {
        frozen = permits.tryAcquire(ALL, 20, TimeUnit.SECONDS);
        if (!frozen) {
            throw new IllegalStateException("a task does not end its database call");
        }
    }

    synchronized void resume() {
        if (frozen) {
            frozen = false;
            permits.release(ALL);
        }
    }

    /** The number of claimed messages. */
    int claimed() {
        return claimed.get();
    }

    /** The number of claims without messages. */
    int emptyClaims() {
        return emptyClaims.get();
    }

    /** The number of moves, including those without messages. */
    int moves() {
        return moves.get();
    }
}
