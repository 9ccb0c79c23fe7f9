package io.acidq.chaos.audit;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** When nodes were declared dead according to the database, on the machine's monotonic clock. Confined to the auditor's thread. */
final class DeadNodes {

    /** The clock of the database is compared with that of the machine at the audit; in a long run they drift a little apart. */
    private static final long TOLERANCE = TimeUnit.MILLISECONDS.toNanos(100);

    private final Map<Integer, Long> declaredDead = new HashMap<>();
    private final Set<Integer> ended = new HashSet<>();

    /** One that has ended, in whichever way. */
    void ended(int node) {
        ended.add(node);
    }

    boolean hasEnded(int node) {
        return ended.contains(node);
    }

    /** One that others have declared dead at that moment. */
    void declaredDead(int node, long at) {
        declaredDead.put(node, at);
    }

    /** Whether it had been declared dead by then: what it held others might have. */
    boolean wasDeclaredDead(int node, long at) {
        Long moment = declaredDead.get(node);
        return moment != null && moment - TOLERANCE <= at;
    }
}
