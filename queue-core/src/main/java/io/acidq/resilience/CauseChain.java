package io.acidq.resilience;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lists and describes a failure and its causes, outermost first, each once. */
final class CauseChain {

    private CauseChain() {}

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
        } catch (Throwable broken) { // an overridden getCause() may throw, even an Error
            return null;
        }
    }

    /**
     * Describes a failure in one text for people: types and messages from the outermost exception to the root cause, without stack traces. The text is not
     * shortened here: the store limits what it keeps, and the log what it writes.
     */
    static String describe(Throwable failure) {
        return of(failure).stream().map(CauseChain::line).collect(Collectors.joining("; caused by "));
    }

    private static String line(Throwable t) {
        try {
            return t.toString();
        } catch (Throwable broken) { // an overridden toString() may throw, even an Error
            return t.getClass().getName();
        }
    }
}
