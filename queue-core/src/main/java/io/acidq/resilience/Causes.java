package io.acidq.resilience;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A failure and its causes, the outermost first, each once. */
final class Causes {

    private Causes() {}

    static List<Throwable> of(@Nullable Throwable failure) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        List<Throwable> chain = new ArrayList<>();
        for (Throwable t = failure; t != null && seen.add(t); t = cause(t)) {
            chain.add(t);
        }
        return chain;
    }

    private static @Nullable Throwable cause(Throwable t) {
        try {
            return t.getCause();
        } catch (Throwable broken) { // a method of the user's own that throws, even an Error
            return null;
        }
    }
}
