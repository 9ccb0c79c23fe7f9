package io.acidq.chaos.proxy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The breaks that were ordered and have not happened, and how many of each have. Thread-safe. */
public final class Strikes {

    private final Deque<Strike> ordered = new ArrayDeque<>();
    private final Map<String, Integer> struck = new TreeMap<>();

    /** The next transaction that it fits is broken so. */
    public synchronized void order(Strike strike) {
        ordered.add(strike);
    }

    synchronized @Nullable Strike take(Work work, Moment moment) {
        for (Iterator<Strike> all = ordered.iterator(); all.hasNext(); ) {
            Strike strike = all.next();
            if (strike.work() == work && strike.moment() == moment) {
                all.remove();
                struck.merge(strike.toString(), 1, Integer::sum);
                return strike;
            }
        }
        return null;
    }

    /** What will not happen any more. */
    public synchronized void clear() {
        ordered.clear();
    }

    /** How often each has happened. */
    public synchronized Map<String, Integer> struck() {
        return new TreeMap<>(struck);
    }
}
