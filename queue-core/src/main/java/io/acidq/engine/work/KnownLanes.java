package io.acidq.engine.work;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The lanes known to hold work, and which of them is next: those that somebody has told of and those that were found or had more, in turn, and
 * among each kind the one that has waited for longest. So a new message does not wait behind a backlog, and no lane behind those told of later.
 */
final class KnownLanes {

    private final Set<Integer> told = new LinkedHashSet<>();
    private final Set<Integer> others = new LinkedHashSet<>();
    private boolean toldIsNext = true;

    /** Somebody has told of it: something was committed there, or became free. */
    void told(int lane) {
        others.remove(lane);
        told.add(lane);
    }

    /** It was found to hold rows, or a claim left some. */
    void found(int lane) {
        if (!told.contains(lane)) {
            others.add(lane);
        }
    }

    boolean isEmpty() {
        return told.isEmpty() && others.isEmpty();
    }

    int size() {
        return told.size() + others.size();
    }

    /** Takes the next one; there must be one. */
    int next() {
        boolean takesTold = others.isEmpty() || (toldIsNext && !told.isEmpty());
        toldIsNext = !takesTold;
        Iterator<Integer> waiting = (takesTold ? told : others).iterator();
        int lane = waiting.next();
        waiting.remove();
        return lane;
    }
}
