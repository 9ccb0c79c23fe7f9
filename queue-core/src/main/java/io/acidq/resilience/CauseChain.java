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

    private static final int MAX_CHARACTERS = 4000;

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

    /** Describes a failure in one text for people: types and messages from the outermost exception to the root cause, without stack traces. */
    static String describe(Throwable failure) {
        String text = of(failure).stream().map(CauseChain::line).collect(Collectors.joining("; caused by "));
        return text.length() <= MAX_CHARACTERS ? text : text.substring(0, MAX_CHARACTERS - 1) + "…";
    }

    private static String line(Throwable t) {
        try {
            return t.toString();
        } catch (Throwable broken) { // an overridden toString() may throw, even an Error
            return t.getClass().getName();
        }
    }
}
