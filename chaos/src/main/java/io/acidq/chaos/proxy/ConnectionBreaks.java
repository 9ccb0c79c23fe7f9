package io.acidq.chaos.proxy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The breaks that were ordered and have not happened, and how many of each have. Thread-safe. */
public final class ConnectionBreaks {

    private final Deque<ConnectionBreak> ordered = new ArrayDeque<>();
    private final Map<String, Integer> happened = new TreeMap<>();

    /** The next transaction that it fits is broken so. */
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

    /** What will not happen any more. */
    public synchronized void clear() {
        ordered.clear();
    }

    /** How often each has happened. */
    public synchronized Map<String, Integer> happened() {
        return new TreeMap<>(happened);
    }
}
