package io.acidq.chaos.proxy;

import io.acidq.chaos.proxy.ConnectionBreak.BreakPoint;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Pending breaks of connections, and a count of those that have happened. Thread-safe. */
public final class ConnectionBreaks {

    private final Deque<ConnectionBreak> ordered = new ArrayDeque<>();
    private final Map<String, Integer> happened = new TreeMap<>();

    /** Orders a break of the next matching transaction. */
    public synchronized void order(ConnectionBreak connectionBreak) {
        ordered.add(connectionBreak);
    }

    synchronized @Nullable ConnectionBreak take(TransactionKind transactionKind, BreakPoint breakPoint) {
        for (Iterator<ConnectionBreak> all = ordered.iterator(); all.hasNext(); ) {
            ConnectionBreak connectionBreak = all.next();
            if (connectionBreak.transactionKind() == transactionKind && connectionBreak.breakPoint() == breakPoint) {
                all.remove();
                happened.merge(connectionBreak.toString(), 1, Integer::sum);
                return connectionBreak;
            }
        }
        return null;
    }

    /** Cancels all pending breaks. */
    public synchronized void clear() {
        ordered.clear();
    }

    /** How often each break has happened. */
    public synchronized Map<String, Integer> happened() {
        return new TreeMap<>(happened);
    }
}
