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

/** Makes a node's duties stand still, as a stopped process does: no beat, no claim, no move. What a handler does goes on. Thread-safe. */
final class Frost {

    private static final int ALL = 1000;
    private static final Set<String> CLAIMING = Set.of("claimDue", "lanesWithWork");

    private final Semaphore warm = new Semaphore(ALL, true);
    private final AtomicInteger claimed = new AtomicInteger();
    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicInteger moves = new AtomicInteger();
    private boolean frozen;

    Store over(Store store) {
        ClaimStore claims = Swap.calls(
                ClaimStore.class,
                store.claims(),
                (method, args, onward) -> CLAIMING.contains(method) ? counted(whenWarm(onward)) : onward.call());
        MaintenanceStore maintenance =
                Swap.calls(MaintenanceStore.class, store.maintenance(), (method, args, onward) -> {
                    Object moved = whenWarm(onward);
                    moves.incrementAndGet();
                    return moved;
                });
        NodeStore nodes = Swap.calls(NodeStore.class, store.nodes(), (method, args, onward) -> whenWarm(onward));
        // a hint is worth nothing here, and a wait in the server makes every stop longer
        ServerStore server = Swap.method(ServerStore.class, store.server(), "lastCommit", args -> Optional.empty());
        return Swap.parts(store, claims, nodes, maintenance, server);
    }

    private Object whenWarm(Swap.Onward onward) throws Throwable {
        warm.acquire();
        try {
            return onward.call();
        } finally {
            warm.release();
        }
    }

    private Object counted(Object result) {
        if (result instanceof Claimed brought) {
            claimed.addAndGet(brought.messages().size());
            looks.addAndGet(brought.messages().isEmpty() ? 1 : 0);
        }
        return result;
    }

    /** Returns when no duty is in the database any more. */
    synchronized void freeze() throws InterruptedException {
        frozen = warm.tryAcquire(ALL, 20, TimeUnit.SECONDS);
        if (!frozen) {
            throw new IllegalStateException("a duty does not leave the database");
        }
    }

    synchronized void thaw() {
        if (frozen) {
            frozen = false;
            warm.release(ALL);
        }
    }

    /** Messages that its claims brought. */
    int claimed() {
        return claimed.get();
    }

    /** Claims that brought nothing. */
    int looks() {
        return looks.get();
    }

    /** Moves, whether they moved anything or not. */
    int moves() {
        return moves.get();
    }
}
