package io.acidq.engine.work;

import io.acidq.store.Claim;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Claims that enqueues have made whose transactions are open: the node knows of them before they are handed over. Thread-safe. */
final class Announced {

    private final ConcurrentMap<Claim, Long> until = new ConcurrentHashMap<>();

    /**
     * One more.
     *
     * @param latest when it is not counted on any more, by the monotonic clock
     */
    void add(Claim claim, long latest) {
        until.put(claim, latest);
    }

    /** It is not counted on any more. */
    void forget(Claim claim) {
        until.remove(claim);
    }

    /** What was to be handed over by now is not counted on any more. */
    void forgetLate(long now) {
        until.values().removeIf(latest -> now - latest > 0);
    }

    Set<Claim> claims() {
        return until.keySet();
    }
}
